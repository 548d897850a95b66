/** Milliseconds after which the page has its keys back, whatever comes. */
const LONGEST = 5_000;

/** What is written from now on reaches nothing in the page, and stands in the field of this id once that has the focus. */
export function bufferKeys(fieldId: string): void {
  const holding = new AbortController();
  const { signal } = holding;
  const letGo = (): void => holding.abort();
  let written = '';
  let isEntered = false;
  const take = (event: KeyboardEvent): void => {
    const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
    if (event.key === 'Escape' || (isCommand && !MODIFIERS.has(event.key))) return letGo();
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') isEntered = true;
    else if (event.key === 'Backspace') written = written.slice(0, -1);
    else if (event.key.length === 1) written += event.key;
  };
  const handOver = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLInputElement) || target.id !== fieldId) return;
    letGo();
    if (written !== '') write(target, written);
    // Once what was written is looked for.
    if (isEntered) setTimeout(() => enter(target));
  };
  document.addEventListener('keydown', take, { capture: true, signal });
  document.addEventListener('focusin', handOver, { signal });
  setTimeout(letGo, LONGEST);
}

const MODIFIERS = new Set(['Control', 'Alt', 'AltGraph', 'Meta']);

/** As if a person had written it: React hears of a value only where it was not set through its own property. */
function write(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function enter(field: HTMLInputElement): void {
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }));
}

/** Milliseconds after which the page gets its keys back in any case. */
const TIMEOUT = 5_000;

/**
 * Holds back what is typed from now on, and enters it into the field with this id as soon as that field gets the focus.
 */
export function bufferKeys(fieldId: string): void {
  const abort = new AbortController();
  const { signal } = abort;
  const release = (): void => abort.abort();
  let typed = '';
  let isEntered = false;
  const buffer = (event: KeyboardEvent): void => {
    const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
    if (event.key === 'Escape' || (isCommand && !MODIFIERS.has(event.key))) return release();
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') isEntered = true;
    else if (event.key === 'Backspace') typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
  };
  const handOver = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLInputElement) || target.id !== fieldId) return;
    release();
    if (typed !== '') write(target, typed);
    // After the palette has searched for the text.
    if (isEntered) setTimeout(() => enter(target));
  };
  document.addEventListener('keydown', buffer, { capture: true, signal });
  document.addEventListener('focusin', handOver, { signal });
  setTimeout(release, TIMEOUT);
}

const MODIFIERS = new Set(['Control', 'Alt', 'AltGraph', 'Meta']);

/** Enters the text as if it were typed. React notices a value only if it is not set through React's own property. */
function write(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function enter(field: HTMLInputElement): void {
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }));
}

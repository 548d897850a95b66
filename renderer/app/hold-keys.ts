/** Milliseconds after which the page has its keys back, whatever comes. */
const LONGEST = 5_000;

/** What is written from now on reaches nothing in the page, and stands in the field that takes the focus next. */
export function holdKeys(): void {
  const holding = new AbortController();
  const { signal } = holding;
  const letGo = (): void => holding.abort();
  let written = '';
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || event.ctrlKey || event.metaKey || event.altKey) return letGo();
      event.preventDefault();
      event.stopPropagation();
      if (event.key.length === 1) written += event.key;
    },
    { capture: true, signal },
  );
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      letGo();
      if (written !== '') write(target, written);
    },
    { signal },
  );
  setTimeout(letGo, LONGEST);
}

/** As if a person had written it: React hears of a value only where it was not set through its own property. */
function write(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

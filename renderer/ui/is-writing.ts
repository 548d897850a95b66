/** Whether a person writes where the key went, or is asked something: then no key is a command. */
export function isWriting({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], [role="dialog"]') !== null
  );
}

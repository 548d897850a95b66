/** Whether a person writes where the key went, or is asked something: then no key is a command. */
export function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (isField(target) || target.closest('[role="dialog"]') !== null);
}

/** Whether a person writes there. */
export function isField(element: HTMLElement): boolean {
  return element.isContentEditable || element.closest('input, textarea, select, [role="textbox"]') !== null;
}

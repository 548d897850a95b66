import { useEffect, useRef } from 'react';

/**
 * Moves the focus to an element if a change of `value` removed the focused one, so that the keyboard continues there
 * instead of at the top of the page.
 * @param value undefined while it is loading
 * @param find the element, at the time of the change
 */
export function useKeptFocus(value: unknown, find: () => HTMLElement | null | undefined): void {
  const last = useRef(value);
  useEffect(() => {
    const before = last.current;
    last.current = value;
    if (before === undefined || before === value) return;
    if (document.activeElement === document.body) find()?.focus({ preventScroll: true });
  });
}

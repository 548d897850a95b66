import { useLayoutEffect, useRef } from 'react';
import { isTyping } from './keyboard.ts';

/**
 * `j` and `k` move the focus through a list: to the link with `data-row-link` in the row with `data-index`.
 * @param reveal scrolls to a row, if not every row is in the page
 */
export function useRowKeys(
  scroller: { readonly current: HTMLElement | null },
  count: number,
  reveal: (index: number) => void = () => {},
): void {
  const latest = useRef({ count, reveal });
  /** The row to focus as soon as it is in the page. */
  const pending = useRef<number>(undefined);
  useLayoutEffect(() => {
    latest.current = { count, reveal };
    if (pending.current !== undefined && focusRow(scroller.current, pending.current)) pending.current = undefined;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'j' && event.key !== 'k')) return;
      if (isTyping(event)) return;
      const list = scroller.current;
      if (list === null || latest.current.count === 0) return;
      const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const at = pending.current ?? focused;
      const step = event.key === 'j' ? 1 : -1;
      const next = at === undefined ? 0 : Math.min(latest.current.count - 1, Math.max(0, Number(at) + step));
      event.preventDefault();
      latest.current.reveal(next);
      // Immediately if possible, so that the next key starts from it: keys may arrive faster than frames.
      pending.current = focusRow(list, next) ? undefined : next;
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [scroller]);
}

/** Focuses a row. @returns false if the row is not in the page */
function focusRow(list: HTMLElement | null, index: number): boolean {
  const link = list?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-link]`);
  link?.focus({ preventScroll: true });
  return link !== null && link !== undefined;
}

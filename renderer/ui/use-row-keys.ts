import { useLayoutEffect, useRef } from 'react';
import { isTyping } from './keyboard.ts';

/**
 * `j` and `k` go through a list: to the link that carries `data-row-link` in the row that carries `data-index`.
 * @param reveal brings a row into the page, where not every row stands there
 */
export function useRowKeys(
  scroller: { readonly current: HTMLElement | null },
  count: number,
  reveal: (index: number) => void = () => {},
): void {
  const latest = useRef({ count, reveal });
  /** The row to focus once it stands in the page. */
  const wanted = useRef<number>(undefined);
  useLayoutEffect(() => {
    latest.current = { count, reveal };
    if (wanted.current !== undefined && focusRow(scroller.current, wanted.current)) wanted.current = undefined;
  });
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'j' && event.key !== 'k')) return;
      if (isTyping(event)) return;
      const list = scroller.current;
      if (list === null || latest.current.count === 0) return;
      const focused = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const at = wanted.current ?? focused;
      const step = event.key === 'j' ? 1 : -1;
      const next = at === undefined ? 0 : Math.min(latest.current.count - 1, Math.max(0, Number(at) + step));
      event.preventDefault();
      latest.current.reveal(next);
      // At once where it can be, so that the next key finds it: keys may come faster than frames.
      wanted.current = focusRow(list, next) ? undefined : next;
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [scroller]);
}

/** Whether the row stands in the page, and so has the focus now. */
function focusRow(list: HTMLElement | null, index: number): boolean {
  const link = list?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-link]`);
  link?.focus({ preventScroll: true });
  return link !== null && link !== undefined;
}

import { useEffect, useRef } from 'react';

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
  useEffect(() => {
    latest.current = { count, reveal };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'j' && event.key !== 'k')) return;
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [role="dialog"]') !== null)
        return;
      const list = scroller.current;
      if (list === null || latest.current.count === 0) return;
      const at = document.activeElement?.closest<HTMLElement>('[data-index]')?.dataset['index'];
      const step = event.key === 'j' ? 1 : -1;
      const next = at === undefined ? 0 : Math.min(latest.current.count - 1, Math.max(0, Number(at) + step));
      event.preventDefault();
      latest.current.reveal(next);
      requestAnimationFrame(() =>
        list.querySelector<HTMLElement>(`[data-index="${next}"] [data-row-link]`)?.focus({ preventScroll: true }),
      );
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [scroller]);
}

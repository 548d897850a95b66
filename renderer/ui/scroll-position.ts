// Remembers how far lists were scrolled, so that going back restores the position, until the window is closed.
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Pixels within which a list counts as not scrolled. */
export const TOP = 24;

/** By the entry of the browser history and the list. */
const offsets = new Map<string, number>();

/** Identifies a list in the current entry of the browser history. The entry of an address that was typed has no key. */
export function historyKey(list: string): string {
  const state = window.history.state as { __TSR_key?: string } | null;
  return `${state?.__TSR_key ?? window.location.href} ${list}`;
}

/** How far the list was scrolled, in pixels, when this history entry was left; 0 for a new entry. */
export function savedOffset(list: string): number {
  return offsets.get(historyKey(list)) ?? 0;
}

/**
 * The initial scroll position of a list, in pixels. Records the position from then on.
 * @param scroller the element that scrolls, once the list is in the page
 */
export function useScrollPosition(list: string, scroller: () => HTMLElement | null): number {
  const [initial] = useState(() => savedOffset(list));
  // A changed filter or an opened entry changes the address, and so adds a history entry for the same list.
  const address = useLocation({ select: ({ href }) => href });
  useEffect(() => {
    const scrolled = scroller();
    const record = (): void => void offsets.set(historyKey(list), scrolled?.scrollTop ?? 0);
    record();
    scrolled?.addEventListener('scroll', record, { passive: true });
    return () => scrolled?.removeEventListener('scroll', record);
  }, [list, address, scroller]);
  return initial;
}

// How far lists were scrolled, so that going back leads to where a person was. Of one window, until it is closed.
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Pixels within which a list counts as not scrolled. */
export const TOP = 24;

/** By the entry of the browser's history and the list. */
const offsets = new Map<string, number>();

/** An address that was typed has an entry without a key. */
function keyOf(list: string): string {
  const state = window.history.state as { __TSR_key?: string } | null;
  return `${state?.__TSR_key ?? window.location.href} ${list}`;
}

/** Pixels that a list was scrolled when the page was left that one comes back to; 0 on any other way. */
export function savedOffset(list: string): number {
  return offsets.get(keyOf(list)) ?? 0;
}

/**
 * Where a list begins, in pixels.
 * @param scroller what is scrolled, once the list stands in the page
 */
export function useScrollPosition(list: string, scroller: () => HTMLElement | null): number {
  const [initial] = useState(() => savedOffset(list));
  // The same list stands in another entry where a filter, or what is opened of it, stands in the address.
  const address = useLocation({ select: ({ href }) => href });
  useEffect(() => {
    const scrolled = scroller();
    const keep = (): void => void offsets.set(keyOf(list), scrolled?.scrollTop ?? 0);
    keep();
    scrolled?.addEventListener('scroll', keep, { passive: true });
    return () => scrolled?.removeEventListener('scroll', keep);
  }, [list, address, scroller]);
  return initial;
}

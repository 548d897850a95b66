// How far lists were scrolled, so that going back leads to where a person was. Of one window, until it is closed.
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/** Pixels within which a list counts as not scrolled. */
export const TOP = 24;

/** By the entry of the browser's history and the list. */
const offsets = new Map<string, number>();

interface Entry {
  history: { location: { state: { __TSR_key?: string } } };
}

const keyOf = ({ history }: Entry, list: string): string => `${history.location.state.__TSR_key} ${list}`;

/** Pixels that a list was scrolled when the page was left that one comes back to; 0 on any other way. */
export function offsetBefore(router: Entry, list: string): number {
  return offsets.get(keyOf(router, list)) ?? 0;
}

/**
 * Where a list begins.
 * @param scroller what is scrolled, once the list stands in the page
 */
export function useKeptScroll(list: string, scroller: () => HTMLElement | null): number {
  const router = useRouter();
  const [initial] = useState(() => offsetBefore(router, list));
  // The same list stands in another entry where a filter, or what is opened of it, stands in the address.
  const entry = useLocation({ select: ({ state }) => state.__TSR_key });
  useEffect(() => {
    const scrolled = scroller();
    const keep = (): void => void offsets.set(keyOf(router, list), scrolled?.scrollTop ?? 0);
    keep();
    scrolled?.addEventListener('scroll', keep, { passive: true });
    return () => scrolled?.removeEventListener('scroll', keep);
  }, [router, list, entry, scroller]);
  return initial;
}

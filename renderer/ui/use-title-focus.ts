import { useMatch, useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { isField } from './keyboard.ts';

interface OpenedPage {
  path: string;
  title: HTMLElement | null;
  hadFocus: boolean;
}

/** The last page that was opened. */
let last: OpenedPage | undefined;
/** The element that had the focus when the navigation started. */
let focusBefore: Element | null = null;

/**
 * Moves the focus to the title of a page after navigation, so that screen readers read it, unless a field of the page or
 * something that was opened in the meantime has the focus.
 */
export function useTitleFocus(title: RefObject<HTMLElement | null>, isPage = true): void {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', () => void (focusBefore = document.activeElement)), [router]);
  useEffect(() => {
    if (!isPage) return;
    const before = last;
    const hasFocus = before !== undefined && (before.path !== path || isLost(before)) && isFree();
    last = { path, title: title.current, hadFocus: hasFocus };
    if (hasFocus) title.current?.focus({ preventScroll: true });
  }, [path, title, isPage]);
}

/** True if the focused title was removed, for example when a loading page was replaced. */
function isLost({ title, hadFocus }: OpenedPage): boolean {
  return hadFocus && title?.isConnected !== true && document.activeElement === document.body;
}

function isFree(): boolean {
  const { activeElement: at, body } = document;
  if (at === null || at === body) return true;
  return at === focusBefore && !(at instanceof HTMLElement && isField(at) && at.closest('main') !== null);
}

import { useMatch, useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { isField } from './keyboard.ts';

interface Reached {
  path: string;
  title: HTMLElement | null;
  hadFocus: boolean;
}

/** The page that was gone to last. */
let last: Reached | undefined;
/** What had the focus when the way to the page began. */
let left: Element | null = null;

/**
 * The title of a page takes the focus when the page is gone to, so that it is read out; unless a field of it has it, or
 * something that was opened on the way.
 */
export function useTitleFocus(title: RefObject<HTMLElement | null>, isPage = true): void {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', () => void (left = document.activeElement)), [router]);
  useEffect(() => {
    if (!isPage) return;
    const before = last;
    const hasFocus = before !== undefined && (before.path !== path || isLost(before)) && isFree();
    last = { path, title: title.current, hadFocus: hasFocus };
    if (hasFocus) title.current?.focus({ preventScroll: true });
  }, [path, title, isPage]);
}

/** Whether a title stood there while the page was read, and is gone with the focus. */
function isLost({ title, hadFocus }: Reached): boolean {
  return hadFocus && title?.isConnected !== true && document.activeElement === document.body;
}

function isFree(): boolean {
  const { activeElement: at, body } = document;
  if (at === null || at === body) return true;
  return at === left && !(at instanceof HTMLElement && isField(at) && at.closest('main') !== null);
}

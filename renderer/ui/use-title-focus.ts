import { useMatch } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

interface Reached {
  path: string;
  title: HTMLElement | null;
  hadFocus: boolean;
}

/** The page that was gone to last. */
let last: Reached | undefined;

/** The title of a page takes the focus when the page is gone to, so that it is read out; unless a field of it has it. */
export function useTitleFocus(title: RefObject<HTMLElement | null>, isPage = true): void {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    if (!isPage) return;
    const before = last;
    const hasFocus = before !== undefined && (before.path !== path || isLost(before)) && !isWriting();
    last = { path, title: title.current, hadFocus: hasFocus };
    if (hasFocus) title.current?.focus({ preventScroll: true });
  }, [path, title, isPage]);
}

/** Whether a title stood there while the page was read, and is gone with the focus. */
function isLost({ title, hadFocus }: Reached): boolean {
  return hadFocus && title?.isConnected !== true && document.activeElement === document.body;
}

function isWriting(): boolean {
  return document.activeElement?.matches('main :is(input, textarea, select, [contenteditable])') === true;
}

// The icon that stays while the window is closed.
import type { MenuItemConstructorOptions } from 'electron';
import { assertNever } from '../../shared/assert-never.ts';
import type { ServerState } from '../server/server-lifetime.ts';

/** What is used of Electron's `Tray`. */
export interface OneTray {
  setToolTip(text: string): void;
  /** Beside the icon, on macOS. */
  setTitle(text: string): void;
  setContextMenu(menu: never): void;
  on(event: 'click', listener: () => void): unknown;
}

export interface TrayOptions {
  tray: OneTray;
  buildMenu: (items: MenuItemConstructorOptions[]) => unknown;
  open: () => void;
  openInbox: () => void;
  startServer: () => void;
  quit: () => void;
}

export interface TrayView {
  show(state: ServerState, inbox: InboxCount): void;
}

/** How many requests are open; `isMore`: at least so many. Undefined while nobody knows. */
export type InboxCount = { open: number; isMore: boolean } | undefined;

export function createTrayView({ tray, buildMenu, open, openInbox, startServer, quit }: TrayOptions): TrayView {
  tray.on('click', open);
  return {
    show(state, inbox) {
      const words = wordsOf(state);
      const waiting = inboxWords(inbox);
      tray.setToolTip(`Cuebook: ${waiting ?? words}`);
      tray.setTitle(inbox === undefined || inbox.open === 0 ? '' : numberOf(inbox));
      const canStart = state.is === 'gave_up' || state.is === 'waiting';
      const items: MenuItemConstructorOptions[] = [
        { label: words, enabled: false },
        { label: 'Open Cuebook', click: open },
        { label: waiting ?? 'Inbox', click: openInbox, enabled: state.is === 'up' },
        ...(canStart ? [{ label: 'Start the server now', click: startServer }] : []),
        { type: 'separator' },
        { label: 'Quit Cuebook', click: quit },
      ];
      tray.setContextMenu(buildMenu(items) as never);
    },
  };
}

function numberOf({ open, isMore }: NonNullable<InboxCount>): string {
  return isMore ? `${open}+` : String(open);
}

function inboxWords(inbox: InboxCount): string | undefined {
  if (inbox === undefined) return undefined;
  if (inbox.open === 0) return 'Nothing waits for an answer';
  return inbox.open === 1 ? '1 request waits for an answer' : `${numberOf(inbox)} requests wait for an answer`;
}

function wordsOf(state: ServerState): string {
  switch (state.is) {
    case 'starting':
      return 'The server starts';
    case 'up':
      return state.isOwn ? 'The server runs' : 'Another program runs the server';
    case 'waiting':
      return `The server ended; it starts again in ${state.milliseconds / 1000} s`;
    case 'gave_up':
      return 'The server does not start';
    case 'stopped':
      return 'The server has stopped';
    default:
      return assertNever(state);
  }
}

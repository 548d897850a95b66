// The tray icon, which stays while the window is closed.
import type { MenuItemConstructorOptions } from 'electron';
import { assertNever } from '../../shared/assert-never.ts';
import type { ServerState } from '../server/server-lifetime.ts';

/** The parts of Electron's `Tray` that are used. */
export interface TrayIcon {
  setToolTip(text: string): void;
  /** The text beside the icon, on macOS. */
  setTitle(text: string): void;
  setContextMenu(menu: never): void;
  on(event: 'click', listener: () => void): unknown;
}

export interface TrayOptions {
  tray: TrayIcon;
  buildMenu: (items: MenuItemConstructorOptions[]) => unknown;
  open: () => void;
  openInbox: () => void;
  startServer: () => void;
  quit: () => void;
}

export interface TrayView {
  show(state: ServerState, inbox: InboxCount): void;
}

/** The number of open requests; with `isMore`, there are more. Undefined if it is not known. */
export type InboxCount = { open: number; isMore: boolean } | undefined;

export function createTrayView({ tray, buildMenu, open, openInbox, startServer, quit }: TrayOptions): TrayView {
  tray.on('click', open);
  return {
    show(state, inbox) {
      const status = statusText(state);
      const requests = inboxText(inbox);
      tray.setToolTip(`Cuebook: ${requests ?? status}`);
      tray.setTitle(inbox === undefined || inbox.open === 0 ? '' : countText(inbox));
      const canStart = state.is === 'gave_up' || state.is === 'waiting';
      const items: MenuItemConstructorOptions[] = [
        { label: status, enabled: false },
        { label: 'Open Cuebook', click: open },
        { label: requests ?? 'Inbox', click: openInbox, enabled: state.is === 'up' },
        ...(canStart ? [{ label: 'Start Server Now', click: startServer }] : []),
        { type: 'separator' },
        { label: 'Quit Cuebook', click: quit },
      ];
      tray.setContextMenu(buildMenu(items) as never);
    },
  };
}

function countText({ open, isMore }: NonNullable<InboxCount>): string {
  return isMore ? `${open}+` : String(open);
}

function inboxText(inbox: InboxCount): string | undefined {
  if (inbox === undefined) return undefined;
  if (inbox.open === 0) return 'No open requests';
  return inbox.open === 1 ? '1 open request' : `${countText(inbox)} open requests`;
}

function statusText(state: ServerState): string {
  switch (state.is) {
    case 'starting':
      return 'Server starting…';
    case 'up':
      return state.isOwn ? 'Server running' : 'Server running, started by another program';
    case 'waiting':
      return `Server stopped; restarting in ${state.milliseconds / 1000} s`;
    case 'gave_up':
      return 'Server could not be started';
    case 'stopped':
      return 'Server stopped';
    default:
      return assertNever(state);
  }
}

import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import type { ServerState } from '../server/server-lifetime.ts';
import { createTrayView, type InboxCount } from './tray.ts';

function given(state: ServerState, inbox: InboxCount) {
  const shown = { toolTip: '', title: '', items: [] as MenuItemConstructorOptions[], did: [] as string[] };
  const view = createTrayView({
    tray: {
      setToolTip: (text) => void (shown.toolTip = text),
      setTitle: (text) => void (shown.title = text),
      setContextMenu: (menu) => void (shown.items = menu),
      on: () => {},
    },
    buildMenu: (items) => items,
    open: () => void shown.did.push('open'),
    openInbox: () => void shown.did.push('inbox'),
    startServer: () => void shown.did.push('start'),
    quit: () => void shown.did.push('quit'),
  });
  view.show(state, inbox);
  return {
    ...shown,
    click: (label: string) =>
      shown.items.find((item) => item.label === label)?.click?.call({} as never, {} as never, undefined, {} as never),
    did: shown.did,
  };
}

const UP: ServerState = { is: 'up', address: 'http://127.0.0.1:4747', isOwn: true };

test.each<[InboxCount, string, string]>([
  [undefined, '', 'Cuebook: Server running'],
  [{ open: 0, isMore: false }, '', 'Cuebook: No open requests'],
  [{ open: 1, isMore: false }, '1', 'Cuebook: 1 open request'],
  [{ open: 12, isMore: false }, '12', 'Cuebook: 12 open requests'],
  [{ open: 100, isMore: true }, '100+', 'Cuebook: 100+ open requests'],
])('%j is shown as %j, %j', (inbox, title, toolTip) => {
  expect(given(UP, inbox)).toMatchObject({ title, toolTip });
});

test.each<[ServerState, string]>([
  [{ is: 'starting' }, 'Server starting…'],
  [{ is: 'up', address: 'x', isOwn: false }, 'Server running, started by another program'],
  [{ is: 'waiting', milliseconds: 4_000, detail: '' }, 'Server stopped; restarting in 4 s'],
  [{ is: 'gave_up', detail: '' }, 'Server could not be started'],
  [{ is: 'stopped' }, 'Server stopped'],
])('%j is shown as text', (state, words) => {
  const { items } = given(state, undefined);
  expect(items[0]).toEqual({ label: words, enabled: false });
});

test('the menu opens the window and the inbox, restarts the server, and quits', () => {
  const up = given(UP, { open: 2, isMore: false });
  for (const label of ['Open Cuebook', '2 open requests', 'Start Server Now', 'Quit Cuebook']) up.click(label);
  expect(up.did).toEqual(['open', 'inbox', 'quit']);
  const gone = given({ is: 'gave_up', detail: 'x' }, undefined);
  gone.click('Start Server Now');
  expect(gone.did).toEqual(['start']);
});

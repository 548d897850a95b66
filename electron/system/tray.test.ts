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
  [undefined, '', 'Cuebook: The server runs'],
  [{ open: 0, isMore: false }, '', 'Cuebook: Nothing waits for an answer'],
  [{ open: 1, isMore: false }, '1', 'Cuebook: 1 request waits for an answer'],
  [{ open: 12, isMore: false }, '12', 'Cuebook: 12 requests wait for an answer'],
  [{ open: 100, isMore: true }, '100+', 'Cuebook: 100+ requests wait for an answer'],
])('%j is told as %j, %j', (inbox, title, toolTip) => {
  expect(given(UP, inbox)).toMatchObject({ title, toolTip });
});

test.each<[ServerState, string]>([
  [{ is: 'starting' }, 'The server starts'],
  [{ is: 'up', address: 'x', isOwn: false }, 'Another program runs the server'],
  [{ is: 'waiting', milliseconds: 4_000, detail: '' }, 'The server ended; it starts again in 4 s'],
  [{ is: 'gave_up', detail: '' }, 'The server does not start'],
  [{ is: 'stopped' }, 'The server has stopped'],
])('%j is told in words', (state, words) => {
  const { items } = given(state, undefined);
  expect(items[0]).toEqual({ label: words, enabled: false });
});

test('the menu opens, starts what has ended, and quits', () => {
  const up = given(UP, { open: 2, isMore: false });
  for (const label of ['Open Cuebook', '2 requests wait for an answer', 'Start the server now', 'Quit Cuebook'])
    up.click(label);
  expect(up.did).toEqual(['open', 'inbox', 'quit']);
  const gone = given({ is: 'gave_up', detail: 'x' }, undefined);
  gone.click('Start the server now');
  expect(gone.did).toEqual(['start']);
});

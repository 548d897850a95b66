import { expect, test, vi } from 'vitest';
import { StandInWindow } from './stand-ins.testing.ts';
import { watchPage } from './watch-page.ts';

function given(button = 1) {
  const window = new StandInWindow();
  const world = { time: 0, asked: [] as string[], logged: [] as string[] };
  watchPage(window, {
    now: () => world.time,
    log: (sentence) => void world.logged.push(sentence),
    async ask({ message }) {
      world.asked.push(message);
      return button;
    },
  });
  const die = (reason = 'crashed') => void window.webContents.emit('render-process-gone', {}, { reason });
  return { window, world, die };
}

test('a page that crashed is reloaded; after several crashes the person is asked', () => {
  const { window, world, die } = given();
  for (let times = 0; times < 4; times += 1) die();
  expect([window.webContents.reloads, world.asked.length]).toEqual([3, 1]);
  world.time = 61_000;
  die();
  expect(window.webContents.reloads).toBe(4);
  expect(world.logged[0]).toContain('crashed');
});

test('a page that exited normally is not reloaded', () => {
  const { window, die } = given();
  die('clean-exit');
  expect(window.webContents.reloads).toBe(0);
});

test('given a page that hangs, then the person is asked once, and it is reloaded if they agree', async () => {
  const { window, world } = given(0);
  window.emit('unresponsive');
  window.emit('unresponsive');
  await vi.waitFor(() => expect(window.webContents.reloads).toBe(1));
  expect(world.asked).toEqual(['The studio is not responding']);
});

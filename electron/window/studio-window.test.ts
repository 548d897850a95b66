import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserWindowConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StandInWindow } from './stand-ins.testing.ts';
import { createStudioWindow } from './studio-window.ts';
import { readWindowState, type Rectangle, visibleBounds } from './window-state.ts';

const SERVER = 'http://127.0.0.1:4747';
const DISPLAY: Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-window-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function given() {
  const world = { server: SERVER as string | undefined, isQuitting: false };
  const made: { window: StandInWindow; options: BrowserWindowConstructorOptions }[] = [];
  const file = path.join(folder, 'window.json');
  const studio = createStudioWindow({
    create(options) {
      const window = new StandInWindow();
      made.push({ window, options });
      return window;
    },
    preload: '/preload.cjs',
    file,
    workAreas: () => [DISPLAY],
    isQuitting: () => world.isQuitting,
    watch: () => {},
    server: () => world.server,
    openExternal: () => {},
  });
  return { world, made, studio, file };
}

describe('the window', () => {
  test('shows the studio in a sandbox, and no other page', () => {
    const { studio, made } = given();
    studio.show('#/playbooks/desk');
    expect(made[0]?.window.loaded).toEqual([`${SERVER}/#/playbooks/desk`]);
    expect(made[0]?.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(made[0]?.window.isShown).toBe(true);
  });

  test('that is requested before the server has started opens with the server, on the requested page', () => {
    const { studio, made, world } = given();
    world.server = undefined;
    studio.show('#/playbooks/desk/inbox');
    expect(made).toEqual([]);
    world.server = SERVER;
    studio.serverMoved();
    expect(made[0]?.window.loaded).toEqual([`${SERVER}/#/playbooks/desk/inbox`]);
  });

  test('remembers the requested page until the server has started, even if it is shown again in between', () => {
    const { studio, made, world } = given();
    world.server = undefined;
    studio.show('#/playbooks/desk/inbox');
    studio.show();
    world.server = SERVER;
    studio.serverMoved();
    expect(made[0]?.window.loaded).toEqual([`${SERVER}/#/playbooks/desk/inbox`]);
  });

  test('that is shown again while the server is down stays on its page', () => {
    const { studio, made, world } = given();
    studio.show('#/playbooks/desk/runs');
    world.server = undefined;
    studio.serverMoved();
    studio.show();
    expect(studio.address()).toBe(SERVER);
    world.server = SERVER;
    studio.serverMoved();
    expect(made[0]?.window.loaded).toEqual([`${SERVER}/#/playbooks/desk/runs`]);
  });

  test('does not reload when the server comes back, and follows it to another address on the same page', () => {
    const { studio, made, world } = given();
    studio.show('#/playbooks/desk/runs');
    studio.serverMoved();
    expect(made[0]?.window.loaded).toHaveLength(1);
    world.server = 'http://127.0.0.1:4748';
    studio.serverMoved();
    expect(made[0]?.window.loaded.at(-1)).toBe('http://127.0.0.1:4748/#/playbooks/desk/runs');
    expect(made).toHaveLength(1);
  });

  test('is hidden when it is closed, and is closed when the app quits', () => {
    const { studio, made, world } = given();
    studio.show();
    const window = made[0]?.window;
    window?.close();
    expect([window?.isClosed, window?.isShown]).toEqual([false, false]);
    studio.show();
    expect([window?.isShown, made.length, window?.loaded.length]).toEqual([true, 1, 1]);
    world.isQuitting = true;
    window?.close();
    expect(window?.isClosed).toBe(true);
    expect(studio.current()).toBe(undefined);
  });

  test('reopens where it was', () => {
    const first = given();
    first.studio.show();
    const window = first.made[0]?.window;
    Object.assign(window ?? {}, { bounds: { x: 300, y: 200, width: 900, height: 600 }, isMaximised: true });
    window?.close();
    const second = given();
    second.studio.show();
    expect(second.made[0]?.options).toMatchObject({ x: 300, y: 200, width: 900, height: 600 });
    expect(second.made[0]?.window.isMaximised).toBe(true);
  });

  test.each(['', '{', '[]', 'null', '{"bounds":{"x":"1"}}', '{"bounds":{"x":1e99,"y":0,"width":1,"height":1}}'])(
    'with the stored state %j opens at the default position',
    (text) => {
      const { file } = given();
      writeFileSync(file, text);
      expect(readWindowState(file)).toEqual({ bounds: undefined, isMaximized: false });
    },
  );
});

describe('stored bounds', () => {
  const SECOND: Rectangle = { x: 1920, y: 0, width: 1280, height: 1000 };

  test.each<[string, Rectangle, Rectangle | undefined]>([
    ['on a display stay', { x: 100, y: 100, width: 900, height: 600 }, { x: 100, y: 100, width: 900, height: 600 }],
    [
      'on the second display stay',
      { x: 2000, y: 50, width: 900, height: 600 },
      { x: 2000, y: 50, width: 900, height: 600 },
    ],
    ['on a display that is gone are ignored', { x: 5000, y: 100, width: 900, height: 600 }, undefined],
    ['with only a corner visible are ignored', { x: -850, y: 0, width: 900, height: 600 }, undefined],
    [
      'above the display move down',
      { x: 100, y: -40, width: 900, height: 600 },
      { x: 100, y: 0, width: 900, height: 600 },
    ],
    [
      'larger than the display shrink to fit',
      { x: 0, y: 0, width: 9000, height: 9000 },
      { x: 0, y: 0, width: 1920, height: 1040 },
    ],
    ['too small grow', { x: 0, y: 0, width: 300, height: 200 }, { x: 0, y: 0, width: 800, height: 560 }],
  ])('%s', (_what, bounds, visible) => expect(visibleBounds(bounds, [DISPLAY, SECOND])).toEqual(visible));
});

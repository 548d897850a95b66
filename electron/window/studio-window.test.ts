import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserWindowConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StandInWindow } from './stand-ins.testing.ts';
import { createStudioWindow } from './studio-window.ts';
import { readWindowPlace, type Rectangle, visibleBounds } from './window-place.ts';

const SERVER = 'http://127.0.0.1:4747';
const DISPLAY: Rectangle = { x: 0, y: 0, width: 1920, height: 1040 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-window-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function given() {
  const world = { server: SERVER as string | undefined, isEnding: false };
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
    isEnding: () => world.isEnding,
    watch: () => {},
    server: () => world.server,
    openOutside: () => {},
  });
  return { world, made, studio, file };
}

describe('the window', () => {
  test('shows the studio in a sandbox of its own, and no other page', () => {
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

  test('asked for before the server is up comes with it, at the place asked for', () => {
    const { studio, made, world } = given();
    world.server = undefined;
    studio.show('#/playbooks/desk/inbox');
    expect(made).toEqual([]);
    world.server = SERVER;
    studio.serverMoved();
    expect(made[0]?.window.loaded).toEqual([`${SERVER}/#/playbooks/desk/inbox`]);
  });

  test('keeps the place asked for until the server is up, however often it is shown in between', () => {
    const { studio, made, world } = given();
    world.server = undefined;
    studio.show('#/playbooks/desk/inbox');
    studio.show();
    world.server = SERVER;
    studio.serverMoved();
    expect(made[0]?.window.loaded).toEqual([`${SERVER}/#/playbooks/desk/inbox`]);
  });

  test('shown again while the server is away, stays where it is', () => {
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

  test('stays as it is when the server comes back, and follows it to another address with its place', () => {
    const { studio, made, world } = given();
    studio.show('#/playbooks/desk/runs');
    studio.serverMoved();
    expect(made[0]?.window.loaded).toHaveLength(1);
    world.server = 'http://127.0.0.1:4748';
    studio.serverMoved();
    expect(made[0]?.window.loaded.at(-1)).toBe('http://127.0.0.1:4748/#/playbooks/desk/runs');
    expect(made).toHaveLength(1);
  });

  test('closed, is hidden with what it showed; when the app ends it is closed', () => {
    const { studio, made, world } = given();
    studio.show();
    const window = made[0]?.window;
    window?.close();
    expect([window?.isClosed, window?.isShown]).toEqual([false, false]);
    studio.show();
    expect([window?.isShown, made.length, window?.loaded.length]).toEqual([true, 1, 1]);
    world.isEnding = true;
    window?.close();
    expect(window?.isClosed).toBe(true);
    expect(studio.current()).toBe(undefined);
  });

  test('comes back where it stood', () => {
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
    'kept as %j comes where the system puts it',
    (text) => {
      const { file } = given();
      writeFileSync(file, text);
      expect(readWindowPlace(file)).toEqual({ bounds: undefined, isMaximized: false });
    },
  );
});

describe('kept bounds', () => {
  const SECOND: Rectangle = { x: 1920, y: 0, width: 1280, height: 1000 };

  test.each<[string, Rectangle, Rectangle | undefined]>([
    ['on a display stay', { x: 100, y: 100, width: 900, height: 600 }, { x: 100, y: 100, width: 900, height: 600 }],
    [
      'on the second display stay',
      { x: 2000, y: 50, width: 900, height: 600 },
      { x: 2000, y: 50, width: 900, height: 600 },
    ],
    ['on a display that is gone are forgotten', { x: 5000, y: 100, width: 900, height: 600 }, undefined],
    ['with a corner in sight are forgotten', { x: -850, y: 0, width: 900, height: 600 }, undefined],
    [
      'above the display come down',
      { x: 100, y: -40, width: 900, height: 600 },
      { x: 100, y: 0, width: 900, height: 600 },
    ],
    [
      'larger than the display fit it',
      { x: 0, y: 0, width: 9000, height: 9000 },
      { x: 0, y: 0, width: 1920, height: 1040 },
    ],
    ['too small grow', { x: 0, y: 0, width: 300, height: 200 }, { x: 0, y: 0, width: 800, height: 560 }],
  ])('%s', (_what, bounds, visible) => expect(visibleBounds(bounds, [DISPLAY, SECOND])).toEqual(visible));
});

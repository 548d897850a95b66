// The whole app, with stand-ins for Electron and the real server.
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, assert, beforeEach, describe, expect, test, vi } from 'vitest';
import { BRIDGE_CHANNELS } from '../shared/desktop.ts';
import { type DesktopApp, type Question, runApp } from './run-app.ts';
import { createForks, MAIN, type RealForks } from './server/real-server.testing.ts';
import { isAlive } from './server/server-lifetime.ts';
import { startUtilityServer } from './server/utility-server.ts';
import type { Asking } from './window/answer-bridge.ts';
import { StandInWindow } from './window/stand-ins.testing.ts';

class StandInApp extends EventEmitter implements DesktopApp {
  readonly isPackaged = true;
  isFirst = true;
  hasQuit = false;
  readonly folder: string;
  constructor(folder: string) {
    super();
    this.folder = folder;
  }
  requestSingleInstanceLock(): boolean {
    return this.isFirst;
  }
  setAsDefaultProtocolClient(): boolean {
    return true;
  }
  getPath(): string {
    return this.folder;
  }
  async whenReady(): Promise<void> {}
  /** As Electron does: whoever listens may keep it from ending. */
  quit(): void {
    let isKept = false;
    this.emit('before-quit', { preventDefault: () => void (isKept = true) });
    this.hasQuit = !isKept;
  }
}

const REQUEST = 'ask: { to: desk, message: Ready?, answer: { type: boolean }, expires: P1D }';

let forks: RealForks;
let folder: string;
let app: StandInApp;
let windows: StandInWindow[];
let tray: { toolTip: string; items: MenuItemConstructorOptions[] };
let bar: MenuItemConstructorOptions[];
let questions: Question[];
let answers: number[];
let shownFiles: string[];
/** Asks as the page in the first window. */
let askAsPage: (channel: string) => void;
beforeEach(() => {
  forks = createForks();
  folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-app-'));
  app = new StandInApp(folder);
  [windows, questions, answers, bar, shownFiles] = [[], [], [], [], []];
  tray = { toolTip: '', items: [] };
});
afterEach(async () => {
  app.quit();
  await until(() => assert(app.hasQuit));
  forks.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Milliseconds are a hundredth of themselves. */
async function start(args: readonly string[] = []): Promise<void> {
  const handlers = new Map<string, (event: Asking, given: unknown) => unknown>();
  askAsPage = (channel) => {
    const { id, url } = windows[0]?.webContents ?? new StandInWindow().webContents;
    handlers.get(channel)?.({ sender: { id }, senderFrame: { url, parent: null } }, undefined);
  };
  await runApp({
    app,
    args,
    platform: 'linux',
    preload: '/preload.cjs',
    ipc: { handle: (channel, listener) => void handlers.set(channel, listener) },
    storage: {
      isAsyncEncryptionAvailable: async () => true,
      encryptStringAsync: async (text) => Buffer.from(Buffer.from(text).toReversed()),
      decryptStringAsync: async (bytes) => ({
        result: Buffer.from(bytes.toReversed()).toString(),
        shouldReEncrypt: false,
      }),
    },
    session: () => ({
      setPermissionRequestHandler: () => {},
      setPermissionCheckHandler: () => {},
      setDevicePermissionHandler: () => {},
      webRequest: { onBeforeRequest: () => {}, onHeadersReceived: () => {} },
    }),
    createWindow() {
      const window = new StandInWindow();
      windows.push(window);
      return window;
    },
    createTray: () => ({
      setToolTip: (text) => void (tray.toolTip = text),
      setTitle: () => {},
      setContextMenu: (menu) => void (tray.items = menu),
      on: () => {},
    }),
    buildMenu: (items) => items,
    setMenu: (menu) => void (bar = menu),
    workAreas: () => [{ x: 0, y: 0, width: 1920, height: 1040 }],
    async ask(question) {
      questions.push(question);
      return answers.shift() ?? question.buttons.length - 1;
    },
    openOutside: () => {},
    showFile: (file) => void shownFiles.push(file),
    copy: () => {},
    startServer: (log) => startUtilityServer(forks, MAIN, log),
    updater: undefined,
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds / 100);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
  });
}

const until = <T>(holds: () => T): Promise<T> => vi.waitFor(holds, { timeout: 15_000, interval: 20 });

const shown = (): Promise<string> =>
  until(() => {
    const url = windows[0]?.loaded.at(-1);
    if (url === undefined) throw new Error('Nothing is shown yet.');
    return url;
  });

function click(items: readonly MenuItemConstructorOptions[], label: string): void {
  const all = items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])]);
  const found = all.find((item) => item.label === label);
  if (found?.click === undefined) throw new Error(`There is no ${label}.`);
  found.click({} as never, undefined, {});
}

const put = async (url: string, body: object): Promise<void> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
};

describe('the app', { timeout: 60_000 }, () => {
  test('starts the server, shows the studio, counts the inbox, follows links, and takes the server along', async () => {
    app.whenReady = async () => {
      app.emit('open-url', { preventDefault: () => {} }, 'cuebook://playbooks/desk/runs');
      app.emit('activate');
      app.emit('second-instance', {}, ['/opt/cuebook']);
    };
    await start();
    app.emit('activate');
    const first = await shown();
    const { origin, hash } = new URL(first);
    expect(hash).toBe('#/playbooks/desk/runs');
    await until(() => expect(tray.toolTip).toBe('Cuebook: Nothing waits for an answer'));

    const org = `${origin}/v1/orgs/local/playbooks`;
    await put(org, { playbook: 'desk', name: 'Desk' });
    await put(`${org}/desk/definitions/interaction`, { name: 'ready', source: REQUEST });
    await put(`${org}/desk/definitions/interaction/ready/run`, { input: {} });
    await until(() => expect(tray.toolTip).toBe('Cuebook: 1 request waits for an answer'));
    click(tray.items, '1 request waits for an answer');
    expect(windows[0]?.loaded.at(-1)).toBe(`${origin}/#/playbooks/desk/inbox`);
    const { interactions } = (await (await fetch(`${org}/desk/interactions`)).json()) as {
      interactions: { run_id: string }[];
    };
    await put(`${org}/desk/runs/${interactions[0]?.run_id}/answer`, { answer: true });
    await until(() => expect(tray.toolTip).toBe('Cuebook: Nothing waits for an answer'));

    app.emit('second-instance', {}, ['/opt/cuebook', 'cuebook://playbooks/other/events']);
    expect(windows[0]?.loaded.at(-1)).toBe(`${origin}/#/playbooks/other/events`);
    app.emit('open-url', { preventDefault: () => {} }, 'cuebook://playbooks/desk?x=1');
    expect(windows[0]?.loaded.at(-1)).toBe(`${origin}/#/playbooks/other/events`);

    click(tray.items, 'Quit Cuebook');
    await until(() => expect(app.hasQuit).toBe(true));
    expect(await isAlive(origin)).toBe(false);
  });

  test('lets the system keep the key, which a server started again still has, and keeps it in its file again', async () => {
    await start(['/opt/cuebook', 'cuebook://playbooks/desk/events']);
    const { origin, hash } = new URL(await shown());
    expect(hash).toBe('#/playbooks/desk/events');
    const file = path.join(forks.dataDir, 'secrets.key');
    const move = async (told: string): Promise<void> => {
      answers.push(0);
      questions.length = 0;
      click(bar, 'Secret Store Key...');
      await until(() => expect(questions.at(-1)?.message).toBe(told));
    };
    await move('Done');
    expect([existsSync(file), existsSync(`${file}.wrapped`)]).toEqual([false, true]);
    process.kill(forks.pids[0] ?? 0, 'SIGKILL');
    await until(() => expect(tray.items[0]?.label).not.toBe('The server runs'));
    askAsPage(BRIDGE_CHANNELS.startServer);
    askAsPage(BRIDGE_CHANNELS.showLog);
    expect(shownFiles).toEqual([path.join(folder, 'cuebook.log')]);
    await until(() => expect(forks.pids).toHaveLength(2));
    await until(() => expect(tray.items[0]?.label).toBe('The server runs'));
    expect(await isAlive(origin)).toBe(true);
    await move('Done');
    expect([existsSync(file), existsSync(`${file}.wrapped`)]).toEqual([true, false]);
    expect(readFileSync(path.join(folder, 'cuebook.log'), 'utf8')).not.toContain(readFileSync(file, 'utf8').trim());
  });

  test('started a second time hands over and ends', async () => {
    app.isFirst = false;
    await start();
    expect([app.hasQuit, windows.length, forks.pids.length]).toEqual([true, 0, 0]);
  });
});

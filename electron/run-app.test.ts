// The whole app with the real server; only Electron is replaced by stand-ins.
import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, assert, beforeEach, describe, expect, test, vi } from 'vitest';
import { SERVER_PROGRAM } from '../server/test/index.ts';
import { BRIDGE_CHANNELS } from '../shared/desktop.ts';
import { type DesktopApp, type Question, runApp } from './run-app.ts';
import { createForks, type RealForks } from './server/real-server.testing.ts';
import { isAlive } from './server/server-lifetime.ts';
import { startUtilityServer } from './server/utility-server.ts';
import type { IpcEvent } from './window/handle-bridge.ts';
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
  /** As in Electron, a listener may prevent it. */
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
/** Calls a bridge function as the page in the first window. */
let callAsPage: (channel: string) => void;
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

/** Starts the app with timers that run a hundred times as fast. */
async function start(args: readonly string[] = []): Promise<void> {
  const handlers = new Map<string, (event: IpcEvent, given: unknown) => unknown>();
  callAsPage = (channel) => {
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
    openExternal: () => {},
    showFile: (file) => void shownFiles.push(file),
    copy: () => {},
    startServer: (log) => startUtilityServer(forks, SERVER_PROGRAM, log),
    updater: undefined,
    onResume: (listener) => void app.on('resume', listener),
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
    if (url === undefined) throw new Error('No page has been loaded yet.');
    return url;
  });

function click(items: readonly MenuItemConstructorOptions[], label: string): void {
  const all = items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])]);
  const found = all.find((item) => item.label === label);
  if (found?.click === undefined) throw new Error(`There is no menu item ${label}.`);
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
  test('starts the server, shows the studio, counts the inbox, follows links, and stops the server when it quits', async () => {
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
    await until(() => expect(tray.toolTip).toBe('Cuebook: No open requests'));

    const org = `${origin}/v1/orgs/local/playbooks`;
    await put(org, { playbook: 'desk', name: 'Desk' });
    await put(`${org}/desk/definitions/interaction`, { name: 'ready', source: REQUEST });
    await put(`${org}/desk/definitions/interaction/ready/run`, { input: {} });
    await until(() => expect(tray.toolTip).toBe('Cuebook: 1 open request'));
    click(tray.items, '1 open request');
    expect(windows[0]?.loaded.at(-1)).toBe(`${origin}/#/playbooks/desk/inbox`);
    const { interactions } = (await (await fetch(`${org}/desk/interactions`)).json()) as {
      interactions: { run_id: string }[];
    };
    await put(`${org}/desk/runs/${interactions[0]?.run_id}/answer`, { answer: true });
    await until(() => expect(tray.toolTip).toBe('Cuebook: No open requests'));

    app.emit('second-instance', {}, ['/opt/cuebook', 'cuebook://playbooks/other/events']);
    expect(windows[0]?.loaded.at(-1)).toBe(`${origin}/#/playbooks/other/events`);
    app.emit('open-url', { preventDefault: () => {} }, 'cuebook://playbooks/desk?x=1');
    expect(windows[0]?.loaded.at(-1)).toBe(`${origin}/#/playbooks/other/events`);

    click(tray.items, 'Quit Cuebook');
    await until(() => expect(app.hasQuit).toBe(true));
    expect(await isAlive(origin)).toBe(false);
  });

  test('moves the key to the system, where a restarted server finds it, and back to its file', async () => {
    await start(['/opt/cuebook', 'cuebook://playbooks/desk/events']);
    const { origin, hash } = new URL(await shown());
    expect(hash).toBe('#/playbooks/desk/events');
    const file = path.join(forks.dataDir, 'secrets.key');
    const move = async (message: string): Promise<void> => {
      answers.push(0);
      questions.length = 0;
      click(bar, 'Secret Store Key...');
      await until(() => expect(questions.at(-1)?.message).toBe(message));
    };
    await move('The key was moved');
    expect([existsSync(file), existsSync(`${file}.wrapped`)]).toEqual([false, true]);
    process.kill(forks.pids[0] ?? 0, 'SIGKILL');
    await until(() => expect(tray.items[0]?.label).not.toBe('Server running'));
    callAsPage(BRIDGE_CHANNELS.startServer);
    callAsPage(BRIDGE_CHANNELS.showLog);
    expect(shownFiles).toEqual([path.join(folder, 'cuebook.log')]);
    await until(() => expect(forks.pids).toHaveLength(2));
    await until(() => expect(tray.items[0]?.label).toBe('Server running'));
    expect(await isAlive(origin)).toBe(true);
    await move('The key was moved');
    expect([existsSync(file), existsSync(`${file}.wrapped`)]).toEqual([true, false]);
    expect(readFileSync(path.join(folder, 'cuebook.log'), 'utf8')).not.toContain(readFileSync(file, 'utf8').trim());
  });

  test('as a second instance passes its link on and quits', async () => {
    app.isFirst = false;
    await start();
    expect([app.hasQuit, windows.length, forks.pids.length]).toEqual([true, 0, 0]);
  });
});

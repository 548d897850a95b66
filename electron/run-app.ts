// Puts the app together. It knows Electron by what is handed to it.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';
import { createServerLifetime, isAlive, type ServerProcess, type ServerState } from './server/server-lifetime.ts';
import { countInbox } from './system/inbox-count.ts';
import { menuItems } from './system/menu.ts';
import { moveKey } from './system/move-key.ts';
import { createSystemKey, type SystemStorage } from './system/system-key.ts';
import { createTrayView, type InboxCount, type OneTray } from './system/tray.ts';
import { followUpdates, type Updater } from './system/updates.ts';
import { linkAmong, placeOfLink } from './window/addresses.ts';
import { answerBridge, type Handling } from './window/answer-bridge.ts';
import { guardSession, type GuardedSession } from './window/guards.ts';
import { createStudioWindow, type OneWindow, WEB_PREFERENCES } from './window/studio-window.ts';
import { watchPage } from './window/watch-page.ts';
import type { Rectangle } from './window/window-place.ts';

/** What is used of Electron's `app`. */
export interface DesktopApp {
  readonly isPackaged: boolean;
  requestSingleInstanceLock(): boolean;
  setAsDefaultProtocolClient(scheme: string): boolean;
  getPath(name: 'userData' | 'logs'): string;
  whenReady(): Promise<void>;
  quit(): void;
  on(event: 'second-instance', listener: (event: unknown, args: string[]) => void): unknown;
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
  on(event: 'activate' | 'window-all-closed', listener: () => void): unknown;
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  on(
    event: 'child-process-gone',
    listener: (event: unknown, details: { type: string; reason: string }) => void,
  ): unknown;
}

export interface Question {
  message: string;
  detail: string;
  buttons: string[];
}

/** Everything of the system that the app uses. */
export interface Desktop {
  app: DesktopApp;
  ipc: Handling;
  storage: SystemStorage;
  session: (partition: string) => GuardedSession;
  createWindow: (options: BrowserWindowConstructorOptions) => OneWindow;
  createTray: () => OneTray;
  buildMenu: (items: MenuItemConstructorOptions[]) => unknown;
  setMenu: (menu: never) => void;
  workAreas: () => readonly Rectangle[];
  /** A box with buttons; answers the index of the one chosen. */
  ask: (question: Question) => Promise<number>;
  openOutside: (url: string) => void;
  showFile: (file: string) => void;
  copy: (text: string) => void;
  startServer: (log: (text: string) => void) => ServerProcess;
  updater: Updater | undefined;
  after: (milliseconds: number, work: () => void) => () => void;
  now: () => number;
  platform: NodeJS.Platform;
  args: readonly string[];
  preload: string;
}

/** Runs until the person quits. A second start hands its link to the first one and ends. */
export async function runApp(desktop: Desktop): Promise<void> {
  const { app, after, now, ask } = desktop;
  if (!app.requestSingleInstanceLock()) return app.quit();
  app.setAsDefaultProtocolClient('cuebook');

  const logFile = path.join(app.getPath('logs'), 'cuebook.log');
  const log = createLogFile(logFile);
  let isEnding = false;
  let hasServerEnded = false;
  let inbox: InboxCount;
  let inboxPlaybook: string | undefined;
  let counted: string | undefined;
  let stopCounting = (): void => {};
  /** The place of the last link that came before the window could be. */
  let early: string | undefined;
  let isReady = false;

  const server = createServerLifetime({
    start: () => desktop.startServer(log),
    wrapper: createSystemKey(desktop.storage, desktop.platform),
    isAlive,
    after,
    now,
    onState: (state) => serverChanged(state),
  });
  const address = (): string | undefined => {
    const state = server.state();
    return state.is === 'up' ? state.address : undefined;
  };
  const showLog = (): void => desktop.showFile(logFile);
  const follow = (link: string | undefined): void => {
    const place = link === undefined ? undefined : placeOfLink(link);
    if (!isReady) early = place ?? early;
    else window.show(place);
  };

  // macOS hands links over before the app is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    follow(url);
  });
  app.on('second-instance', (_event, args) => follow(linkAmong(args)));
  app.on('activate', () => follow(undefined));
  // The server goes on without a window; the tray ends it.
  app.on('window-all-closed', () => {});
  app.on('child-process-gone', (_event, { type, reason }) => log(`A process of the app is gone: ${type}, ${reason}.`));
  app.on('before-quit', (event) => {
    isEnding = true;
    if (hasServerEnded) return;
    event.preventDefault();
    void afterServer(() => app.quit());
  });

  async function afterServer(work: () => void): Promise<void> {
    isEnding = true;
    stopCounting();
    await server.stop();
    hasServerEnded = true;
    work();
  }

  const window = createStudioWindow({
    create: desktop.createWindow,
    preload: desktop.preload,
    file: path.join(app.getPath('userData'), 'window.json'),
    workAreas: desktop.workAreas,
    isEnding: () => isEnding,
    server: address,
    openOutside: desktop.openOutside,
    watch: (made) => watchPage(made, { now, log, ask }),
  });

  await app.whenReady();
  isReady = true;
  guardSession(desktop.session(WEB_PREFERENCES.partition), address);
  answerBridge(desktop.ipc, {
    studio: () => window.address(),
    contents: () => window.current()?.webContents.id,
    copy: desktop.copy,
    startServer: () => server.start(),
    showLog,
  });
  const ownMenu = {
    platform: desktop.platform,
    isPackaged: app.isPackaged,
    moveKey: () => void moveKey({ server, ask }),
    showLog,
  };
  desktop.setMenu(desktop.buildMenu(menuItems(ownMenu)) as never);
  const tray = createTrayView({
    tray: desktop.createTray(),
    buildMenu: desktop.buildMenu,
    open: () => window.show(),
    openInbox: () => window.show(inboxPlaybook === undefined ? undefined : `#/playbooks/${inboxPlaybook}/inbox`),
    startServer: () => server.start(),
    quit: () => app.quit(),
  });
  followUpdates({ updater: desktop.updater, after, log, ask, afterServer });

  function serverChanged(state: ServerState): void {
    const now = address();
    if (now !== counted) {
      counted = now;
      stopCounting();
      inbox = undefined;
      if (now !== undefined) stopCounting = countInbox({ address: now, onCount: inboxChanged, after });
    }
    tray.show(state, inbox);
    window.serverMoved();
    if (state.is === 'waiting') log(`${state.detail} It is started again in ${state.milliseconds} ms.`);
    if (state.is === 'gave_up') void askToTryAgain(state.detail);
  }

  function inboxChanged(count: InboxCount, playbook: string | undefined): void {
    inbox = count;
    inboxPlaybook = playbook;
    tray.show(server.state(), inbox);
  }

  async function askToTryAgain(detail: string): Promise<void> {
    log(`The server does not start. ${detail}`);
    const buttons = ['Try again', 'Show the log', 'Quit', 'Close'];
    const chosen = await ask({ message: 'The server of Cuebook does not start', detail, buttons });
    if (chosen === 0) server.start();
    if (chosen === 1) showLog();
    if (chosen === 2) app.quit();
  }

  window.show(early ?? placeOfArguments(desktop.args));
  server.start();
}

function placeOfArguments(args: readonly string[]): string | undefined {
  const link = linkAmong(args);
  return link === undefined ? undefined : placeOfLink(link);
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** Appends to a file. A file that has grown too large is renamed to `FILE.1`. Errors are ignored: logging must not stop the app. */
function createLogFile(file: string): (text: string) => void {
  return (text) => {
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (bytes > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
      appendFileSync(file, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 });
    } catch {}
  };
}

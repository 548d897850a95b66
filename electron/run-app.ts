// Assembles the app. Electron is passed in as an argument.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';
import { createServerLifetime, isAlive, type ServerProcess, type ServerState } from './server/server-lifetime.ts';
import { createInbox } from './system/inbox-count.ts';
import { menuItems } from './system/menu.ts';
import { moveKey } from './system/move-key.ts';
import { createSystemKey, type SystemStorage } from './system/system-key.ts';
import { createTrayView, type TrayIcon } from './system/tray.ts';
import { followUpdates, type Updater } from './system/updates.ts';
import { findLink, pageOfLink } from './window/urls.ts';
import { handleBridge, type IpcMain } from './window/handle-bridge.ts';
import { guardSession, type GuardedSession } from './window/guards.ts';
import { createStudioWindow, type AppWindow, WEB_PREFERENCES } from './window/studio-window.ts';
import { watchPage } from './window/watch-page.ts';
import type { Rectangle } from './window/window-state.ts';

/** The parts of Electron's `app` that are used. */
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

/** Everything that the app uses of Electron and the system. */
export interface Desktop {
  app: DesktopApp;
  ipc: IpcMain;
  storage: SystemStorage;
  session: (partition: string) => GuardedSession;
  createWindow: (options: BrowserWindowConstructorOptions) => AppWindow;
  createTray: () => TrayIcon;
  buildMenu: (items: MenuItemConstructorOptions[]) => unknown;
  setMenu: (menu: never) => void;
  workAreas: () => readonly Rectangle[];
  /** Shows a dialog with buttons. @returns the index of the chosen button */
  ask: (question: Question) => Promise<number>;
  openExternal: (url: string) => void;
  showFile: (file: string) => void;
  copy: (text: string) => void;
  startServer: (log: (text: string) => void) => ServerProcess;
  updater: Updater | undefined;
  /** Calls a listener whenever the machine has woken up; called once the app is ready. */
  onResume: (listener: () => void) => void;
  after: (milliseconds: number, work: () => void) => () => void;
  now: () => number;
  platform: NodeJS.Platform;
  args: readonly string[];
  preload: string;
}

/** Runs until the person quits. A second instance passes its link to the first one and quits. */
export async function runApp(desktop: Desktop): Promise<void> {
  const { app, after, now, ask } = desktop;
  if (!app.requestSingleInstanceLock()) return app.quit();
  app.setAsDefaultProtocolClient('cuebook');

  const logFile = path.join(app.getPath('logs'), 'cuebook.log');
  const log = createLogFile(logFile);
  let isQuitting = false;
  let hasServerEnded = false;
  /** The page of the last link that arrived before the app was ready. */
  let pendingPage: string | undefined;
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
  const inbox = createInbox(after, () => tray.show(server.state(), inbox.count));
  const showLog = (): void => desktop.showFile(logFile);
  const follow = (link: string | undefined): void => {
    const page = link === undefined ? undefined : pageOfLink(link);
    if (!isReady) pendingPage = page ?? pendingPage;
    else window.show(page);
  };

  listenToApp(app, follow, log);
  app.on('before-quit', (event) => {
    isQuitting = true;
    if (hasServerEnded) return;
    event.preventDefault();
    void afterServerStopped(() => app.quit());
  });

  async function afterServerStopped(work: () => void): Promise<void> {
    isQuitting = true;
    inbox.follow(undefined);
    await server.stop();
    hasServerEnded = true;
    work();
  }

  const window = createStudioWindow({
    create: desktop.createWindow,
    preload: desktop.preload,
    file: path.join(app.getPath('userData'), 'window.json'),
    workAreas: desktop.workAreas,
    isQuitting: () => isQuitting,
    server: address,
    openExternal: desktop.openExternal,
    watch: (made) => watchPage(made, { now, log, ask }),
  });

  await app.whenReady();
  isReady = true;
  desktop.onResume(() => server.machineResumed());
  guardSession(desktop.session(WEB_PREFERENCES.partition), address);
  handleBridge(desktop.ipc, {
    studio: () => window.address(),
    contents: () => window.current()?.webContents.id,
    copy: desktop.copy,
    startServer: () => server.start(),
    showLog,
  });
  const menuOptions = {
    platform: desktop.platform,
    isPackaged: app.isPackaged,
    moveKey: () => void moveKey({ server, ask }),
    showLog,
  };
  desktop.setMenu(desktop.buildMenu(menuItems(menuOptions)) as never);
  const tray = createTrayView({
    tray: desktop.createTray(),
    buildMenu: desktop.buildMenu,
    open: () => window.show(),
    openInbox: () => window.show(inbox.page),
    startServer: () => server.start(),
    quit: () => app.quit(),
  });
  followUpdates({ updater: desktop.updater, after, log, ask, afterServerStopped });

  function serverChanged(state: ServerState): void {
    inbox.follow(address());
    tray.show(state, inbox.count);
    window.serverMoved();
    if (state.is === 'waiting') log(`${state.detail} Restarting it in ${state.milliseconds} ms.`);
    if (state.is === 'gave_up')
      void askToTryAgain(desktop, state.detail, { log, showLog, start: () => server.start() });
  }

  window.show(pendingPage ?? pageOfArguments(desktop.args));
  server.start();
}

function listenToApp(app: DesktopApp, follow: (link: string | undefined) => void, log: (text: string) => void): void {
  // macOS may deliver links before the app is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    follow(url);
  });
  app.on('second-instance', (_event, args) => follow(findLink(args)));
  app.on('activate', () => follow(undefined));
  // The server keeps running without a window; it is stopped from the tray.
  app.on('window-all-closed', () => {});
  app.on('child-process-gone', (_event, { type, reason }) =>
    log(`A process of the app has ended: ${type}, ${reason}.`),
  );
}

interface TryAgain {
  log: (text: string) => void;
  showLog: () => void;
  start: () => void;
}

async function askToTryAgain({ app, ask }: Desktop, detail: string, { log, showLog, start }: TryAgain): Promise<void> {
  log(`The server could not be started. ${detail}`);
  const buttons = ['Try Again', 'Show Log', 'Quit', 'Close'];
  const chosen = await ask({ message: 'The Cuebook server could not be started', detail, buttons });
  if (chosen === 0) start();
  if (chosen === 1) showLog();
  if (chosen === 2) app.quit();
}

function pageOfArguments(args: readonly string[]): string | undefined {
  const link = findLink(args);
  return link === undefined ? undefined : pageOfLink(link);
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;

/**
 * Appends to a file. A file that has grown too large is renamed to `FILE.1`. Errors are ignored: logging must not stop
 * the app.
 */
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

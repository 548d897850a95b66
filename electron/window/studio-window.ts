// The only window. It shows the studio and no other page. Closing hides it, and the server keeps running.
import type { BrowserWindowConstructorOptions } from 'electron';
import { guardContents, type GuardedContents, type GuardOptions } from './guards.ts';
import { readWindowState, type Rectangle, MIN_SIZE, visibleBounds, writeWindowState } from './window-state.ts';

/** The parts of Electron's `BrowserWindow` that are used. */
export interface AppWindow {
  readonly webContents: GuardedContents & {
    readonly id: number;
    getURL(): string;
    reload(): void;
    on(event: 'render-process-gone', listener: (event: unknown, details: { reason: string }) => void): unknown;
  };
  loadURL(url: string): Promise<void>;
  show(): void;
  hide(): void;
  focus(): void;
  restore(): void;
  maximize(): void;
  isMinimized(): boolean;
  isMaximized(): boolean;
  isDestroyed(): boolean;
  getNormalBounds(): Rectangle;
  once(event: 'ready-to-show', listener: () => void): unknown;
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  on(event: 'unresponsive' | 'responsive', listener: () => void): unknown;
}

export interface StudioWindowOptions extends GuardOptions {
  create: (options: BrowserWindowConstructorOptions) => AppWindow;
  preload: string;
  /** The file that stores the position and size of the window. */
  file: string;
  workAreas: () => readonly Rectangle[];
  /** True while the app is quitting: then a closed window is not hidden. */
  isQuitting: () => boolean;
  /** Handles a page that crashed or hangs. */
  watch: (window: AppWindow) => void;
}

export interface StudioWindow {
  /** Shows the window, and creates it first if needed. With a fragment, opens that page. */
  show(fragment?: string): void;
  /** Call it when the server has started or has another address. */
  serverMoved(): void;
  current(): AppWindow | undefined;
  /** The address that the page was last loaded from. The server may have stopped since. */
  address(): string | undefined;
}

export const WEB_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  navigateOnDragDrop: false,
  partition: 'persist:studio',
} as const;

const FIRST_SIZE = { width: 1280, height: 840 };

export function createStudioWindow(options: StudioWindowOptions): StudioWindow {
  const { server, file } = options;
  let window: AppWindow | undefined;
  /** The fragment to open when the server has started. */
  let pendingFragment: string | undefined;
  let loadedFrom: string | undefined;

  function make(): AppWindow {
    const state = readWindowState(file);
    const made = options.create({
      ...FIRST_SIZE,
      ...visibleBounds(state.bounds, options.workAreas()),
      minWidth: MIN_SIZE.width,
      minHeight: MIN_SIZE.height,
      title: 'Cuebook',
      show: false,
      webPreferences: { ...WEB_PREFERENCES, preload: options.preload },
    });
    guardContents(made.webContents, options);
    options.watch(made);
    made.once('ready-to-show', () => {
      if (state.isMaximized) made.maximize();
      made.show();
    });
    made.on('close', (event) => {
      writeWindowState(file, { bounds: made.getNormalBounds(), isMaximized: made.isMaximized() });
      if (options.isQuitting()) return;
      event.preventDefault();
      made.hide();
    });
    return made;
  }

  function load(address: string, fragment: string): void {
    window ??= make();
    loadedFrom = address;
    // A failed load is visible in the page, or the server has stopped, which is handled elsewhere.
    window.loadURL(`${address}/${fragment}`).catch(() => {});
  }

  function present(shown: AppWindow): void {
    if (shown.isMinimized()) shown.restore();
    shown.show();
    shown.focus();
  }

  return {
    current: () => (window?.isDestroyed() === true ? undefined : window),
    address: () => loadedFrom,
    show(fragment) {
      const address = server();
      if (window?.isDestroyed() === true) window = undefined;
      if (address === undefined) {
        pendingFragment = fragment ?? pendingFragment;
        if (window === undefined) pendingFragment ??= '';
        else present(window);
        return;
      }
      if (window === undefined) return load(address, fragment ?? '');
      if (fragment !== undefined) load(address, fragment);
      present(window);
    },
    serverMoved() {
      const address = server();
      if (address === undefined) return;
      const shown = window?.isDestroyed() === true ? undefined : window;
      if (pendingFragment !== undefined) load(address, pendingFragment);
      else if (shown !== undefined && originOf(shown.webContents.getURL()) !== address) {
        load(address, fragmentOf(shown.webContents.getURL()));
      }
      pendingFragment = undefined;
    },
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function fragmentOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hash : '';
}

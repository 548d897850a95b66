// The one window. It shows the studio at the server's address and nothing else; closed, it is hidden, and the server goes on.
import type { BrowserWindowConstructorOptions } from 'electron';
import { guardContents, type GuardedContents, type GuardOptions } from './guards.ts';
import { readWindowPlace, type Rectangle, SMALLEST, visibleBounds, writeWindowPlace } from './window-place.ts';

/** What is used of Electron's `BrowserWindow`. */
export interface OneWindow {
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
  create: (options: BrowserWindowConstructorOptions) => OneWindow;
  preload: string;
  /** Where the window's place is kept. */
  file: string;
  workAreas: () => readonly Rectangle[];
  /** Whether the app ends: then a closed window is closed. */
  isEnding: () => boolean;
  /** The page is gone or does not answer. */
  watch: (window: OneWindow) => void;
}

export interface StudioWindow {
  /** Shows the window, at a fragment where one is given; makes it where it is absent. */
  show(fragment?: string): void;
  /** The server is at another address, or is up for the first time. */
  serverMoved(): void;
  current(): OneWindow | undefined;
  /** Where its page was last loaded from: the server may be away by now. */
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
  let window: OneWindow | undefined;
  /** The fragment asked for while there was no server. */
  let wanted: string | undefined;
  let loadedFrom: string | undefined;

  function make(): OneWindow {
    const kept = readWindowPlace(file);
    const made = options.create({
      ...FIRST_SIZE,
      ...visibleBounds(kept.bounds, options.workAreas()),
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      title: 'Cuebook',
      show: false,
      webPreferences: { ...WEB_PREFERENCES, preload: options.preload },
    });
    guardContents(made.webContents, options);
    options.watch(made);
    made.once('ready-to-show', () => {
      if (kept.isMaximized) made.maximize();
      made.show();
    });
    made.on('close', (event) => {
      writeWindowPlace(file, { bounds: made.getNormalBounds(), isMaximized: made.isMaximized() });
      if (options.isEnding()) return;
      event.preventDefault();
      made.hide();
    });
    return made;
  }

  function load(address: string, fragment: string): void {
    window ??= make();
    loadedFrom = address;
    // A load that fails is shown by the page, or by the server's own end.
    window.loadURL(`${address}/${fragment}`).catch(() => {});
  }

  function present(shown: OneWindow): void {
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
        wanted = fragment ?? wanted;
        if (window === undefined) wanted ??= '';
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
      if (wanted !== undefined) load(address, wanted);
      else if (shown !== undefined && originOf(shown.webContents.getURL()) !== address) {
        load(address, fragmentOf(shown.webContents.getURL()));
      }
      wanted = undefined;
    },
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function fragmentOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hash : '';
}

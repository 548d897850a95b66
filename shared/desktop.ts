// The interfaces between the desktop app, the server that it starts, and the studio in its window.

/**
 * Where the data key of the secret store is kept: not created yet, in a file, in the system's key store, or in
 * SECRETS_KEY.
 */
export type KeyPlace = 'nowhere' | 'file' | 'system' | 'given';

/** What the server can call in the app. Wrapped keys are Base64. */
export type AppHandlers = {
  /** The server is listening, or another server already uses the data directory and this one does not serve. */
  isUp: (up: { address: string; isOwn: boolean }) => void;
  /** Encrypts a text with a key that the system keeps for this app and this user. */
  wrap: (text: string) => Promise<string>;
  /** `isStale`: the text should be wrapped again. */
  unwrap: (wrapped: string) => Promise<{ text: string; isStale: boolean }>;
};

/** What the app can call in the server. */
export type ServerHandlers = {
  keyPlace: (nothing: null) => Promise<KeyPlace>;
  /** Moves the data key to the system's key store. */
  keepKeyInSystem: (nothing: null) => Promise<KeyPlace>;
  /** Moves the data key back to its file. */
  keepKeyInFile: (nothing: null) => Promise<KeyPlace>;
  /** The machine has woken up: what became due while it slept is to be found at once. */
  machineResumed: (nothing: null) => void;
  /** Shuts down as on SIGTERM, also on systems without signals. */
  stop: (nothing: null) => void;
};

/** What the studio can call in the desktop app's window, under `cuebookDesktop`. */
export interface DesktopBridge {
  /** Copies a text: the window itself has no access to the clipboard. */
  copyText(text: string): Promise<void>;
  /** Restarts the server immediately if it has stopped. */
  startServer(): Promise<void>;
  /** Shows the log of the app and the server in the system's file manager. */
  showLog(): Promise<void>;
}

/** The name of the bridge in the page. */
export const BRIDGE_NAME = 'cuebookDesktop';

/** The IPC channel of each function of the bridge. */
export const BRIDGE_CHANNELS = {
  copyText: 'cuebook:copy-text',
  startServer: 'cuebook:start-server',
  showLog: 'cuebook:show-log',
} as const satisfies Record<keyof DesktopBridge, string>;

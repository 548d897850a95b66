// What the desktop app, the server that it starts, and the studio in its window say to each other.

/** Where the data key of the secret store is kept: nobody made one yet, in a file, by the system, or by SECRETS_KEY. */
export type KeyPlace = 'nowhere' | 'file' | 'system' | 'given';

/** What the server asks of the app. Base64 where it is wrapped. */
export type AppHandlers = {
  /** The server listens, or another one lives in the data directory already and this one serves nothing. */
  isUp: (up: { address: string; isOwn: boolean }) => void;
  /** Wraps a text under a key that the system keeps for this app and this user. */
  wrap: (text: string) => Promise<string>;
  /** `isStale`: it should be wrapped anew. */
  unwrap: (wrapped: string) => Promise<{ text: string; isStale: boolean }>;
};

/** What the app asks of the server. */
export type ServerHandlers = {
  keyPlace: (nothing: null) => Promise<KeyPlace>;
  /** Keeps the data key where the system keeps its own. */
  keepKeyInSystem: (nothing: null) => Promise<KeyPlace>;
  /** Keeps the data key in its file again. */
  keepKeyInFile: (nothing: null) => Promise<KeyPlace>;
  /** Ends as SIGTERM does, where there are no signals too. */
  stop: (nothing: null) => void;
};

/** What the studio finds in the desktop app's window, under `cuebookDesktop`. */
export interface DesktopBridge {
  /** The window has no right to the clipboard of its own. */
  copyText(text: string): Promise<void>;
  /** Starts the server again at once, where it ended. */
  startServer(): Promise<void>;
  /** Shows the log of app and server in the system's file manager. */
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

// The app's side of what the page may ask. Whoever asks must be the page of the window, at the studio's address; it asks
// most where the server is away.
import { BRIDGE_CHANNELS, type DesktopBridge } from '../../shared/desktop.ts';
import { isStudio } from './addresses.ts';

/** What is used of `ipcMain`. */
export interface Handling {
  handle(channel: string, listener: (event: Asking, given: unknown) => unknown): void;
}

export interface Asking {
  sender: { id: number };
  senderFrame: { url: string; parent: unknown } | null;
}

export interface BridgeOptions {
  /** Where the window's page was last loaded from. */
  studio: () => string | undefined;
  /** The id of the window's contents. */
  contents: () => number | undefined;
  copy: (text: string) => void;
  startServer: () => void;
  showLog: () => void;
}

const MOST_CHARACTERS = 8 * 1024 * 1024;

export function answerBridge(ipc: Handling, options: BridgeOptions): void {
  const handlers: Record<keyof DesktopBridge, (given: unknown) => void> = {
    copyText(text) {
      if (typeof text !== 'string' || text.length > MOST_CHARACTERS) throw new Error('This is no text to copy.');
      options.copy(text);
    },
    startServer: () => options.startServer(),
    showLog: () => options.showLog(),
  };
  for (const [name, handler] of Object.entries(handlers)) {
    ipc.handle(BRIDGE_CHANNELS[name as keyof DesktopBridge], (event, given) => {
      if (!isOwnPage(event, options)) throw new Error('Only the studio may ask this.');
      return handler(given);
    });
  }
}

function isOwnPage({ sender, senderFrame }: Asking, { studio, contents }: BridgeOptions): boolean {
  if (senderFrame === null || senderFrame.parent !== null) return false;
  return sender.id === contents() && isStudio(senderFrame.url, studio());
}

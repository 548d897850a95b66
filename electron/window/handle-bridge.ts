// The app's side of the bridge. Only the studio's page in the window may call it. Its URL is compared with the address that
// the page was loaded from, since the page needs the bridge most when the server is down.
import { BRIDGE_CHANNELS, type DesktopBridge } from '../../shared/desktop.ts';
import { isStudio } from './urls.ts';

/** The parts of Electron's `ipcMain` that are used. */
export interface IpcMain {
  handle(channel: string, listener: (event: IpcEvent, given: unknown) => unknown): void;
}

export interface IpcEvent {
  sender: { id: number };
  senderFrame: { url: string; parent: unknown } | null;
}

export interface BridgeOptions {
  /** The address that the window's page was last loaded from. */
  studio: () => string | undefined;
  /** The id of the window's `webContents`. */
  contents: () => number | undefined;
  copy: (text: string) => void;
  startServer: () => void;
  showLog: () => void;
}

const MAX_CHARACTERS = 8 * 1024 * 1024;

export function handleBridge(ipc: IpcMain, options: BridgeOptions): void {
  const handlers: Record<keyof DesktopBridge, (given: unknown) => void> = {
    copyText(text) {
      if (typeof text !== 'string' || text.length > MAX_CHARACTERS)
        throw new Error('The text to copy must be a string of at most 8 MiB.');
      options.copy(text);
    },
    startServer: () => options.startServer(),
    showLog: () => options.showLog(),
  };
  for (const [name, handler] of Object.entries(handlers)) {
    ipc.handle(BRIDGE_CHANNELS[name as keyof DesktopBridge], (event, given) => {
      if (!isOwnPage(event, options)) throw new Error('Only the studio may call this.');
      return handler(given);
    });
  }
}

function isOwnPage({ sender, senderFrame }: IpcEvent, { studio, contents }: BridgeOptions): boolean {
  if (senderFrame === null || senderFrame.parent !== null) return false;
  return sender.id === contents() && isStudio(senderFrame.url, studio());
}

// Takes Electron's place where its program is not: `node --import` this file, and `electron` is what stands here. The
// app's windows are lines on standard output, and a line `quit` on standard input is the person who quits.
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PARENT_PORT } from '../electron/server/real-server.testing.ts';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

const folder = process.env['STAND_IN_FOLDER'] ?? '';
Object.assign(process, { resourcesPath: folder });
const say = (words: string): void => void process.stdout.write(`${words}\n`);
const nothing = (): void => {};

class App extends EventEmitter {
  isPackaged = true;
  requestSingleInstanceLock = (): boolean => true;
  setAsDefaultProtocolClient = (): boolean => true;
  getPath = (name: string): string => path.join(folder, name);
  whenReady = async (): Promise<void> => {};
  quit(): void {
    let isKept = false;
    this.emit('before-quit', { preventDefault: () => void (isKept = true) });
    if (!isKept) process.exit(0);
  }
}
export const app = new App();
createInterface({ input: process.stdin }).on('line', (line) => void (line === 'quit' && app.quit()));

export class BrowserWindow extends EventEmitter {
  webContents = Object.assign(new EventEmitter(), { id: 1, setWindowOpenHandler: nothing, getURL: () => '' });
  constructor({ webPreferences }: { webPreferences: { preload: string; sandbox: boolean } }) {
    super();
    say(`window with ${webPreferences.preload} in a sandbox: ${webPreferences.sandbox}`);
  }
  async loadURL(url: string): Promise<void> {
    say(`shows ${url}`);
  }
  isDestroyed = (): boolean => false;
}

export const powerMonitor = new EventEmitter();

export const utilityProcess = {
  fork(modulePath: string, args: string[]) {
    const child = fork(modulePath, args, { silent: true, execArgv: ['--import', PARENT_PORT] });
    return Object.assign(child, {
      postMessage: (message: object) => void (child.connected && child.send(message, nothing)),
    });
  },
};

export class Tray extends EventEmitter {
  setToolTip = say;
  setTitle = nothing;
  setContextMenu = nothing;
}
export const Menu = { buildFromTemplate: (items: unknown) => items, setApplicationMenu: nothing };
export const nativeImage = { createFromPath: (file: string) => file };
export const screen = { getAllDisplays: () => [] };
export const dialog = { showMessageBox: async () => ({ response: 0 }) };
export const ipcMain = { handle: nothing };
export const session = {
  fromPartition: () => ({
    setPermissionRequestHandler: nothing,
    setPermissionCheckHandler: nothing,
    setDevicePermissionHandler: nothing,
    webRequest: { onBeforeRequest: nothing, onHeadersReceived: nothing },
  }),
};
export const [clipboard, safeStorage, shell] = [{}, {}, {}];

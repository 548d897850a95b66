// The entry of the app's main process: passes Electron's modules to `runApp`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  powerMonitor,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} from 'electron';
import electronUpdater from 'electron-updater';
import { runApp } from './run-app.ts';
import { startUtilityServer } from './server/utility-server.ts';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const TRAY_ICON = beside(process.platform === 'darwin' ? './icons/trayTemplate.png' : './icons/tray.png');

// Not awaited: the app becomes ready only after this module has been evaluated.
void runApp({
  app,
  ipc: ipcMain,
  storage: safeStorage,
  session: (partition) => session.fromPartition(partition),
  createWindow: (options) => new BrowserWindow(options),
  createTray: () => new Tray(nativeImage.createFromPath(TRAY_ICON)),
  buildMenu: (items) => Menu.buildFromTemplate(items),
  setMenu: (menu) => Menu.setApplicationMenu(menu),
  workAreas: () => screen.getAllDisplays().map(({ workArea }) => workArea),
  async ask({ message, detail, buttons }) {
    const chosen = await dialog.showMessageBox({
      message,
      detail,
      buttons,
      cancelId: buttons.length - 1,
      noLink: true,
    });
    return chosen.response;
  },
  openExternal: (url) => void shell.openExternal(url),
  showFile: (file) => shell.showItemInFolder(file),
  copy: (text) => clipboard.writeText(text),
  startServer: (log) => startUtilityServer(utilityProcess, beside('../dist/server/server.main.js'), log),
  // The file exists if the app was packaged with an update address.
  updater: existsSync(path.join(process.resourcesPath, 'app-update.yml')) ? electronUpdater.autoUpdater : undefined,
  onResume: (listener) => void powerMonitor.on('resume', listener),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
  platform: process.platform,
  args: process.argv.slice(1),
  preload: beside('./preload.cjs'),
});

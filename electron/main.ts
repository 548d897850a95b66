// The app's process: hands Electron to what knows what to do with it.
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

// Not awaited here: the app is ready only once this module has been read.
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
  openOutside: (url) => void shell.openExternal(url),
  showFile: (file) => shell.showItemInFolder(file),
  copy: (text) => clipboard.writeText(text),
  startServer: (log) => startUtilityServer(utilityProcess, beside('../server/main.js'), log),
  // Written beside the app when it was packaged with a place to look for new versions.
  updater: existsSync(path.join(process.resourcesPath, 'app-update.yml')) ? electronUpdater.autoUpdater : undefined,
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
  platform: process.platform,
  args: process.argv.slice(1),
  preload: beside('./preload.cjs'),
});

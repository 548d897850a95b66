// Runs in the page's sandbox before the page: hands it a few named functions and nothing else.
import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from '../shared/desktop.ts';
import { BRIDGE, CHANNELS } from './window/bridge-channels.ts';

const bridge: DesktopBridge = {
  copyText: (text) => ipcRenderer.invoke(CHANNELS.copyText, text),
  startServer: () => ipcRenderer.invoke(CHANNELS.startServer),
  showLog: () => ipcRenderer.invoke(CHANNELS.showLog),
};

contextBridge.exposeInMainWorld(BRIDGE, bridge);

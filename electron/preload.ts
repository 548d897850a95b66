// Runs in the sandbox of the page before the page itself, and gives it a few named functions and nothing else.
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CHANNELS, BRIDGE_NAME, type DesktopBridge } from '../shared/desktop.ts';

const bridge: DesktopBridge = {
  copyText: (text) => ipcRenderer.invoke(BRIDGE_CHANNELS.copyText, text),
  startServer: () => ipcRenderer.invoke(BRIDGE_CHANNELS.startServer),
  showLog: () => ipcRenderer.invoke(BRIDGE_CHANNELS.showLog),
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);

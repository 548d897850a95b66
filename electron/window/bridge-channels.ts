import type { DesktopBridge } from '../../shared/desktop.ts';

/** The name in the page, and the channel of each function. */
export const BRIDGE = 'cuebookDesktop';
export const CHANNELS = {
  copyText: 'cuebook:copy-text',
  startServer: 'cuebook:start-server',
  showLog: 'cuebook:show-log',
} as const satisfies Record<keyof DesktopBridge, string>;

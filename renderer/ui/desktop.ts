import type { DesktopBridge } from '../../shared/desktop.ts';

/** What the window of the desktop app can do beyond a browser's; undefined in a browser. */
export const desktop = (globalThis as { cuebookDesktop?: DesktopBridge }).cuebookDesktop;

/** Puts a text on the clipboard, to which the desktop app's window has no right of its own. */
export async function copyText(text: string): Promise<void> {
  await (desktop === undefined ? navigator.clipboard.writeText(text) : desktop.copyText(text));
}

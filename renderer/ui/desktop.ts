import { notifications } from '@mantine/notifications';
import type { DesktopBridge } from '../../shared/desktop.ts';

/** What the window of the desktop app can do beyond a browser; undefined in a browser. */
export const desktop = (globalThis as { cuebookDesktop?: DesktopBridge }).cuebookDesktop;

/** Copies a text and shows a notification. The window of the desktop app may not use the clipboard by itself. */
export async function copyToClipboard(name: string, text: string): Promise<void> {
  try {
    await (desktop === undefined ? navigator.clipboard.writeText(text) : desktop.copyText(text));
    notifications.show({ message: `Copied: ${name}` });
  } catch {
    notifications.show({
      color: 'red',
      message: 'The browser denied access to the clipboard. Allow it for this site, then copy again.',
    });
  }
}

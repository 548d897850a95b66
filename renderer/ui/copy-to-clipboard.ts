import { notifications } from '@mantine/notifications';
import { copyText } from './desktop.ts';

/** Puts a text on the clipboard and says so, or that the browser did not let it. */
export async function copyToClipboard(name: string, text: string): Promise<void> {
  try {
    await copyText(text);
    notifications.show({ message: `Copied: ${name}` });
  } catch {
    notifications.show({ color: 'red', message: 'The browser did not let the studio write to the clipboard.' });
  }
}

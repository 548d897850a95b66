// What journeys share that give files to the studio or to its tools.
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

/** The program of a tool server whose tools read and write the files of a folder. */
export const FILES_SERVER = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
);

export interface NamedFile {
  name: string;
  bytes: Uint8Array | string;
}

/** Chooses files with a button that opens the dialog of the browser. */
export async function chooseFiles(page: Page, button: string, files: string | string[] | NamedFile): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  const given =
    typeof files === 'string' || Array.isArray(files)
      ? files
      : { name: files.name, mimeType: 'application/octet-stream', buffer: Buffer.from(files.bytes) };
  await (await chooser).setFiles(given);
}

/** Drops files on the area with this hint. */
export async function dropFiles(page: Page, hint: string, files: readonly NamedFile[]): Promise<void> {
  const encoded = files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString('base64') }));
  // The types of the browser are unknown here.
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const { name, text } of ${JSON.stringify(encoded)}) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    }
    return transfer;
  })()`);
  await page.getByText(hint).dispatchEvent('drop', { dataTransfer });
}

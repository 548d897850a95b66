// The Chromium of this machine: finding it, starting it, waiting for a page in it, and looking into its memory.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** The headless shell comes first: it takes a fifth less CPU time than the whole browser. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The Chromium of this machine: what CUEBOOK_CHROMIUM names, or the first of these names that is in PATH. */
export function findChromium(): string | undefined {
  const given = process.env['CUEBOOK_CHROMIUM'];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error if this machine has no Chromium */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error('Chromium is not in PATH. Install it, or set CUEBOOK_CHROMIUM to its path.');
  }
  // Imported only here: the journeys look for Chromium before they need Playwright.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    // As root, as in most containers, Chromium starts only without its own sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** Waits until no request finished during so many frames; a request for an event stream does not count. */
export async function pageIdle(page: Page, frames = 20): Promise<void> {
  await page.evaluate(`(async () => {
    const requests = () => performance.getEntriesByType('resource').length;
    let seen = requests();
    for (let quiet = 0; quiet < ${frames}; quiet += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (requests() !== seen) quiet = 0;
      seen = requests();
    }
  })()`);
}

/** Every text in the memory of a page, after a garbage collection. */
export async function textsInMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

// Pictures of pages, only where CUEBOOK_PICTURES names a folder for them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Page, test } from '@playwright/test';
import { pageIdle } from '../scripts/chromium.ts';

const FOLDER = process.env['CUEBOOK_PICTURES'];

export const arePicturesWanted = FOLDER !== undefined;

/** Writes `NAME-SCHEME-WIDTH.webp`, of what is in sight. */
export async function takePicture(page: Page, name: string, scheme: 'light' | 'dark'): Promise<void> {
  if (FOLDER === undefined) return;
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await settled(page);
  const session = await page.context().newCDPSession(page);
  // Playwright itself writes no WebP.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  mkdirSync(FOLDER, { recursive: true });
  const file = `${name}-${scheme}-${page.viewportSize()?.width}.webp`;
  writeFileSync(path.join(FOLDER, file), Buffer.from(data, 'base64'));
}

/** Waits until the responses have arrived and no placeholder is left. */
export async function settled(page: Page): Promise<void> {
  await pageIdle(page, 8);
  const unfinished = page.locator('.mantine-Skeleton-root, [aria-busy="true"]');
  while ((await unfinished.count()) > 0) await unfinished.first().waitFor({ state: 'detached' });
  await pageIdle(page, 4);
}

const counts = new Map<string, number>();

/** A name for the next state that the running test checks: its file, its title and a number. */
export function nameOfState(): string {
  const title = test.info().titlePath.join(' ').replaceAll(/\W+/g, '-').slice(0, 120);
  const count = (counts.get(title) ?? 0) + 1;
  counts.set(title, count);
  return `${title}-${count}`;
}

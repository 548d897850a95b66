// Opens each picture at each size, all sizes at the same time, does what a person does first, and takes it light and dark.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pageIdle } from '../chromium.ts';
import { PLAYBOOK } from './make-history.ts';
import type { Picture } from './states/picture.ts';

const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 390, height: 844 },
];
/** Milliseconds. A busy machine takes long for the first page. */
const PATIENCE = { page: 60_000, act: 20_000 };

type Format = 'png' | 'webp';

export interface TakeOptions {
  folders: readonly string[];
  format: Format;
  isWanted: (picture: { file: string; width: number }) => boolean;
}

/** @returns how many were taken, and the names of those that did not come */
export async function takePictures(
  browser: Browser,
  pictures: readonly Picture[],
  { folders, format, isWanted }: TakeOptions,
): Promise<{ taken: number; failed: string[] }> {
  const failed: string[] = [];
  const takeAt = async (viewport: (typeof SIZES)[number]): Promise<number> => {
    const { width } = viewport;
    const context = await newContext(browser, viewport);
    let page = await context.newPage();
    let taken = 0;
    for (const picture of pictures) {
      const wanted = SCHEMES.map((scheme) => ({ scheme, file: `${picture.name}-${scheme}-${width}.${format}` })).filter(
        ({ file }) => isWanted({ file, width }),
      );
      if (wanted.length === 0) continue;
      try {
        await open(page, picture);
      } catch (error) {
        // The others are taken all the same.
        console.error(`${picture.name}, ${width}: ${error instanceof Error ? error.message : String(error)}`);
        failed.push(`${picture.name}-${width}`);
      }
      for (const { scheme, file } of wanted) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await pageIdle(page, 4);
        await finished(page);
        const image = await shoot(page, format);
        for (const folder of folders) writeFileSync(path.join(folder, file), image);
        taken += 1;
      }
      if (picture.act !== undefined) {
        // What was opened or written would stand in the next picture.
        await page.evaluate('localStorage.clear()');
        await page.close();
        page = await context.newPage();
      }
    }
    await context.close();
    return taken;
  };
  const counts = await Promise.all(SIZES.map(takeAt));
  return { taken: counts.reduce((sum, count) => sum + count, 0), failed };
}

async function newContext(browser: Browser, viewport: { width: number; height: number }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ignoreHTTPSErrors: true });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // The first steps are put away, as by someone who has used it for a month.
  await context.addInitScript(`localStorage.setItem('cuebook first steps ${PLAYBOOK}', 'true')`);
  context.setDefaultTimeout(PATIENCE.act);
  context.setDefaultNavigationTimeout(PATIENCE.page);
  return context;
}

/** @throws Error where a page does not settle */
async function open(page: Page, { address, path: at, act }: Picture): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${address}/#${at}`);
  await settled(page);
  if (act === undefined) return;
  await act(page);
  await settled(page);
}

/** Until what was asked for has come and nothing is a placeholder any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1:visible').first().waitFor();
  await pageIdle(page, 8);
  await finished(page);
  await pageIdle(page, 8);
}

async function finished(page: Page): Promise<void> {
  const unfinished = page.locator('.mantine-Skeleton-root, [aria-busy="true"]');
  while ((await unfinished.count()) > 0) await unfinished.first().waitFor({ state: 'detached' });
}

async function shoot(page: Page, format: Format): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const quality = format === 'webp' ? { quality: 80 } : {};
  const { data } = await session.send('Page.captureScreenshot', { format, ...quality });
  await session.detach();
  return Buffer.from(data, 'base64');
}

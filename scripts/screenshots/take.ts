// Takes screenshots of every place of the studio, light and dark, large and small, with a month of work on the sample.
// Usage: npm run screenshots [-- FOLDER] [--docs]; --docs takes only those in the documentation and writes them to docs/images.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PLACES } from '../../renderer/app/places.ts';
import { startServerProcess } from '../../server/test/server-process.ts';
import { buildStudio } from '../builds.ts';
import { launchChromium, pageIdle } from '../chromium.ts';
import { makeHistory, PLAYBOOK, shiftNotesIn, writeSettings } from './make-history.ts';
import { serveModel } from './serve-model.ts';
import { latest, type Picture, states } from './states.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 390, height: 844 },
];

const [folder = path.join(ROOT, 'dist/screenshots')] = process.argv.slice(2).filter((word) => word !== '--docs');
const isForDocs = process.argv.includes('--docs');

const shown = shownInDocs();

await buildStudio();
mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cuebook-screenshots-'));
const model = await serveModel();
const browser = await launchChromium();
try {
  const environment = writeSettings(dataDir, model);
  await makeHistory(environment, model);
  const server = await startServerProcess(dataDir, { environment });
  const bare = await startServerProcess(path.join(dataDir, 'bare'), { environment: { LOG_LEVEL: 'fatal' } });
  try {
    const pictures = [
      ...(await picturesOf(server.address)),
      ...(await states(server.address, shiftNotesIn(dataDir))),
    ].map((picture) => ({ ...picture, address: server.address }));
    pictures.push({ name: 'first-run', path: '/', address: bare.address });
    for (const colorScheme of SCHEMES) {
      for (const viewport of SIZES) await takeAll(pictures, colorScheme, viewport);
    }
    const count = isForDocs ? shown.size : pictures.length * SCHEMES.length * SIZES.length;
    console.log(`${count} pictures in ${folder}`);
  } finally {
    await Promise.all([server.end('SIGTERM'), bare.end('SIGTERM')]);
  }
} finally {
  await browser.close();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** @throws Error where a page does not settle */
async function takeAll(
  pictures: readonly (Picture & { address: string })[],
  colorScheme: (typeof SCHEMES)[number],
  viewport: (typeof SIZES)[number],
): Promise<void> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  // The first steps are put away, as by someone who has used it for a month.
  await context.addInitScript(`localStorage.setItem('cuebook first steps ${PLAYBOOK}', 'true')`);
  // A busy machine takes long for the first page.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  for (const { name, address, path: at, act } of pictures) {
    const file = `${name}-${colorScheme}-${viewport.width}.webp`;
    if (isForDocs && !shown.has(file)) continue;
    await page.goto(`${address}/#${at}`);
    await settled(page);
    if (act !== undefined) {
      try {
        await act(page);
      } catch (error) {
        // The others are taken all the same.
        console.error(`${name} did not come: ${error instanceof Error ? error.message : String(error)}`);
        process.exitCode = 1;
      }
      await settled(page);
    }
    const image = await shoot(page);
    writeFileSync(path.join(folder, file), image);
    if (isForDocs) writeFileSync(path.join(ROOT, 'docs/images', file), image);
    if (act !== undefined) {
      // What was opened or written would stand in the next picture.
      await page.evaluate('sessionStorage.clear(); localStorage.clear()');
      await page.goto('about:blank');
    }
  }
  await context.close();
}

/** Each place, and pages that no place of the navigation leads to at once. */
async function picturesOf(address: string): Promise<Picture[]> {
  const at = `/playbooks/${PLAYBOOK}`;
  const latestRun = async (query: string): Promise<string> => `${at}/runs/${await latest(address, query)}`;
  const briefed = await latestRun('name=brief-shift&status=succeeded');
  return [
    { name: 'playbooks', path: '/' },
    ...PLACES.map(({ title, to }) => ({
      name: title.toLowerCase().replaceAll(' ', '-'),
      path: to.replace('$playbook', PLAYBOOK),
    })),
    { name: 'home-tokens', path: `${at}?show=tokens&days=30` },
    { name: 'home-duration', path: `${at}?show=duration&days=30` },
    { name: 'runs-failed', path: `${at}/runs?status=failed` },
    { name: 'run-that-waits', path: await latestRun('name=handle-report&status=started') },
    { name: 'run-of-a-workflow', path: await latestRun('name=handle-report&status=succeeded') },
    {
      name: 'run-of-a-workflow-history',
      path: `${await latestRun('name=handle-report&status=succeeded')}?tab=history`,
    },
    { name: 'run-that-was-rejected', path: await latestRun('status=rejected') },
    { name: 'run-with-turns', path: `${briefed}?tab=timeline` },
    { name: 'run-with-turns-data', path: briefed },
    { name: 'workflow', path: `${at}/definitions/workflow/handle-report` },
    { name: 'computation', path: `${at}/definitions/computation/triage-score` },
    { name: 'run-panel', path: `${at}/definitions/computation/triage-score?tab=run` },
    { name: 'versions', path: `${at}/definitions/computation/triage-score?tab=versions` },
  ];
}

/** Until what was asked for has come and nothing is a placeholder any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1:visible').first().waitFor();
  await pageIdle(page);
  const unfinished = page.locator('.mantine-Skeleton-root, [aria-busy="true"]');
  while ((await unfinished.count()) > 0) await unfinished.first().waitFor({ state: 'detached' });
  await pageIdle(page);
}

/** The files of the pictures that the README and the page about the studio show. */
function shownInDocs(): ReadonlySet<string> {
  const text = ['README.md', 'docs/studio.md'].map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
  return new Set([...text.matchAll(/images\/([\w-]+\.webp)/g)].map(([, file]) => file ?? ''));
}

async function shoot(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  return Buffer.from(data, 'base64');
}

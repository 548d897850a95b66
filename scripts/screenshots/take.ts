// Takes pictures of every place of the studio, light and dark, large and small, over a month of the sample at work.
// Usage: npm run screenshots [-- FOLDER] [--docs]; with --docs those that the README shows are written to docs/images.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PLACES } from '../../renderer/app/places.ts';
import { startServerProcess } from '../../server/testing/server-process.ts';
import { buildStudio } from '../build-studio.ts';
import { launchChromium } from '../launch-chromium.ts';
import { pageIdle } from '../page-idle.ts';
import { makeHistory, writeSettings } from './make-history.ts';
import { serveModel } from './serve-model.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];
const PLAYBOOK = 'support-desk';
/** What the README shows, by the name of its picture there: always large and light. */
const SHOWN: Readonly<Record<string, string>> = { home: 'home', 'run-of-a-workflow': 'run', workflow: 'workflow' };

interface Picture {
  name: string;
  path: string;
}

const [folder = path.join(ROOT, 'dist/screenshots')] = process.argv.slice(2).filter((word) => word !== '--docs');
const isForDocs = process.argv.includes('--docs');

await buildStudio();
mkdirSync(folder, { recursive: true });
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cuebook-screenshots-'));
const model = await serveModel();
const browser = await launchChromium();
try {
  const environment = writeSettings(dataDir, model);
  await makeHistory(environment, model);
  const server = await startServerProcess(dataDir, { environment });
  try {
    const pictures = await picturesOf(server.address);
    for (const colorScheme of SCHEMES) {
      for (const viewport of SIZES) {
        const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
        // The first steps are put away, as by someone who has used it for a month.
        await page.addInitScript(`localStorage.setItem('cuebook first steps ${PLAYBOOK}', 'true')`);
        for (const { name, path: at } of pictures) {
          await page.goto(`${server.address}/#${at}`);
          await settled(page);
          const image = await shoot(page);
          writeFileSync(path.join(folder, `${name}-${colorScheme}-${viewport.width}.webp`), image);
          const shown = SHOWN[name];
          if (isForDocs && shown !== undefined && colorScheme === 'light' && viewport === SIZES[0]) {
            writeFileSync(path.join(ROOT, 'docs/images', `${shown}.webp`), image);
          }
        }
        await page.close();
      }
    }
    console.log(`${pictures.length * SCHEMES.length * SIZES.length} pictures in ${folder}`);
  } finally {
    await server.end('SIGTERM');
  }
} finally {
  await browser.close();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Each place, and pages that no place of the navigation leads to at once. */
async function picturesOf(address: string): Promise<Picture[]> {
  const at = `/playbooks/${PLAYBOOK}`;
  const latestRun = async (query: string): Promise<string> => {
    const response = await fetch(`${address}/v1/orgs/local${at}/runs?limit=1&${query}`);
    const { runs } = (await response.json()) as { runs: { run_id: string }[] };
    const [run] = runs;
    if (run === undefined) throw new Error(`No run is like ${query}.`);
    return `${at}/runs/${run.run_id}`;
  };
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
  await page.locator('main h1').first().waitFor();
  await pageIdle(page);
  const unfinished = page.locator('.mantine-Skeleton-root, [aria-busy="true"]');
  while ((await unfinished.count()) > 0) await unfinished.first().waitFor({ state: 'detached' });
  await pageIdle(page);
}

async function shoot(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 88 });
  await session.detach();
  return Buffer.from(data, 'base64');
}

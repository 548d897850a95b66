// Shared by the journeys: a real server with its own data directory, and a page of its studio.
import { cpSync } from 'node:fs';
import axe from 'axe-core';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { nameOfState, takePicture } from './pictures.ts';
import { type ServerProcess, startServerProcess, temporaryFolder } from '../server/test/index.ts';

interface Studio {
  /** The server; each test has its own. */
  server: ServerProcess & { dataDir: string };
  /** Additional environment variables of the server. */
  environment: Record<string, string>;
  /** Whether its data directory contains the sample playbook from the start. */
  hasSample: boolean;
  /** Errors that the page wrote to its console, including requests that its policy refused. */
  complaints: string[];
}

interface Shared {
  /** A data directory with the sample playbook, created once and copied. */
  sampleDir: string;
}

export const test = base.extend<Studio, Shared>({
  environment: [{}, { option: true }],
  hasSample: [false, { option: true }],
  sampleDir: [
    async ({}, use) => {
      const folder = temporaryFolder();
      const server = await startServerProcess(folder.path, { args: ['--sample'] });
      await server.end('SIGTERM');
      await use(folder.path);
      folder.remove();
    },
    { scope: 'worker' },
  ],
  server: async ({ environment, hasSample, sampleDir }, use) => {
    const folder = temporaryFolder();
    if (hasSample) cpSync(sampleDir, folder.path, { recursive: true });
    const server = await startServerProcess(folder.path, { environment });
    await use({ ...server, dataDir: folder.path });
    await server.end('SIGTERM');
    folder.remove();
  },
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // The browser logs every response with status 400 or higher; the studio shows those.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        complaints.push(message.text());
      }
    });
    await use(complaints);
  },
});

export { expect };

type Answer = Record<string, unknown>;

/** Sends a command that the service accepts; returns the response. */
export async function send(address: string, path: string, body: unknown): Promise<Answer> {
  const { isAccepted, answer } = await post(address, path, body);
  if (!isAccepted) throw new Error(`The service refused ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Sends a command that the service refuses; returns the problem. */
export async function sendRefused(address: string, path: string, body: unknown): Promise<Answer> {
  const { isAccepted, answer } = await post(address, path, body);
  if (isAccepted) throw new Error(`The service accepted ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function post(address: string, path: string, body: unknown): Promise<{ isAccepted: boolean; answer: Answer }> {
  const response = await fetch(`${address}/v1/orgs/local${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { isAccepted: response.ok, answer: (await response.json()) as Answer };
}

/** The playbook of the journeys that write their own definitions. */
export const DESK = '/playbooks/desk';

/** Creates it. @param definitions sources, by references such as `computation/double`, in their order */
export async function makeDesk(address: string, definitions: Readonly<Record<string, string>> = {}): Promise<void> {
  await send(address, '/playbooks', { playbook: 'desk', name: 'Desk' });
  for (const [reference, source] of Object.entries(definitions)) {
    const [type, name] = reference.split('/');
    await send(address, `${DESK}/definitions/${type}`, { name, source });
  }
}

/** Opens a page by its key. Both keys are sent together, because on a busy machine the pause between them would be too long. */
export async function goTo(page: Page, key: string): Promise<void> {
  await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
}

/** Opens a row by clicking its edge, as a person may. */
export async function openRow(row: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
  const { height = 0 } = (await row.boundingBox()) ?? {};
  await row.click({ position: { x: 4, y: height - 4 }, ...options });
}

/** The editor of a document. */
export function editorOf(page: Page): Locator {
  return page.locator('.monaco-editor[role="code"]');
}

/** Creates the sample playbook with the studio's button. */
export async function makeSample(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/`);
  await page.getByRole('button', { name: 'Try the sample' }).click();
  await expect(page.getByRole('heading', { name: 'Wildlife strikes' })).toBeVisible();
}

export const expectSignInPage = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();

/** Opens the sample playbook, which the data directory must contain. */
export async function openSample(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/#/playbooks/wildlife-strikes`);
  await expect(page.getByRole('heading', { name: 'Wildlife strikes' })).toBeVisible();
}

const RULES: axe.RuleObject = {
  // Speech users speak the visible label of a control (WCAG 2.5.3); axe classifies this rule as experimental.
  'label-content-name-mismatch': { enabled: true },
  // The studio has no skip links, but axe takes links to its `#/` addresses for such when they are scrolled out of sight.
  'skip-link': { enabled: false },
};

/** Rules of axe that depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks WCAG 2.2 AA and best practices, again while a page still loads. The dark scheme shows the same elements in other
 * colors, so only the rules about colors are checked again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const name = nameOfState();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const options: axe.RunOptions = colorScheme === 'light' ? { rules: RULES } : { runOnly: COLOR_RULES };
    await expect(async () => {
      const found = (await violationsIn(page, options)).flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
      expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
    }).toPass({ timeout: 10_000 });
    await takePicture(page, name, colorScheme);
  }
}

/** Loads axe into the page once: compiling it takes as long as half a check. The pages have no frames. */
export async function violationsIn(page: Page, options: axe.RunOptions): Promise<axe.Result[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const given = JSON.stringify({ ...options, resultTypes: ['violations'] });
  return page.evaluate<axe.Result[]>(`axe.run(document, ${given}).then(({ violations }) => violations)`);
}

/** The events that the sample's workflow uses. */
export const REPORT = {
  source: '/tower',
  type: 'report.received',
  data: { id: 'WS-1', received_at: '2026-03-02T09:00:00Z', phase: 'Climb', size: 'Large', damage: 'Substantial' },
};
export const ANSWER = { source: '/desk', type: 'report.answered', data: { report: 'WS-1', by: 'Ada' } };

// The studio behind a load balancer, in front of three servers on one PostgreSQL that are killed, stopped and started. Skipped
// where there is no PostgreSQL.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { createKey } from '../server/domain/access/index.ts';
import { randomHex } from '../server/lib/random.ts';
import { findPostgres } from '../server/test/postgres/programs.ts';
import { type PostgresServer, startPostgres } from '../server/test/postgres/start-postgres.ts';
import { type ThreeServers, startThreeServers } from '../server/test/three-servers.ts';
import { ALL_PERMISSIONS } from '../shared/permissions.ts';
import { expect, expectAccessible, test as base } from './studio.ts';
import { typeInto, write } from './writing.ts';

const DESK = '/playbooks/night-desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: x, version: '1.0.0' }\n";
const DOUBLE = 'export default ({ n }: { n: number }) => ({ n: n * 2 });\n';
const APPROVE = `ask:
  to: ada
  message: May the night begin?
  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }
`;
const NIGHT = `${HEAD}do:
  - first: { call: computation/double, with: { n: 21 } }
  - approve: { call: interaction/approve }
  - nap: { wait: PT2S }
  - last: { call: computation/double, with: { n: 4 } }
`;
const ROUNDS = `${HEAD}do:
  - rounds:
      for: { each: hour, in: '\${ [1, 2, 3, 4, 5] }' }
      do:
        - nap: { wait: PT1S }
        - note: { call: computation/double, with: { n: '\${ $hour }' } }
`;

const { key: KEY, sha256 } = createKey();
const ADA = { name: 'ada', sha256, org: 'acme', permissions: ALL_PERMISSIONS };
const AT = '/v1/orgs/acme';

const test = base.extend<{ servers: ThreeServers }, { postgres: PostgresServer | string }>({
  postgres: [
    async ({}, use) => {
      const programs = await findPostgres().catch((error: Error) => error.message);
      if (!path.isAbsolute(programs)) return use(programs);
      const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-postgres-'));
      chmodSync(folder, 0o755);
      const server = await startPostgres(programs, folder, ['max_connections=200', 'fsync=off']);
      await use(server);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  servers: async ({ postgres }, use, testInfo) => {
    if (typeof postgres === 'string') return testInfo.skip(true, postgres);
    const servers = await startThreeServers({
      url: postgres.url,
      schema: `journey_${randomHex(8)}`,
      environment: (address) => ({ PUBLIC_URL: address, API_KEYS: JSON.stringify([ADA]) }),
    });
    await use(servers);
    await servers.close();
  },
});

const lost = (page: Page): Locator => page.getByText('Connection lost. Reconnecting…');

/** After servers came and went, the page shows no error, and is connected again. */
async function expectCalm(page: Page): Promise<void> {
  await expect(lost(page)).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('alert').filter({ visible: true })).toHaveCount(0);
}

/** Opens the studio at a path, and signs in with the key, which the tab keeps. */
async function signIn(page: Page, address: string, at = '/'): Promise<void> {
  await page.goto(`${address}/#${at}`);
  await typeInto(page.getByRole('textbox', { name: 'API key' }), KEY);
  await page.getByRole('checkbox', { name: 'Keep the key until this tab is closed' }).check();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}

async function saveNew(page: Page, type: string, name: string, source: string): Promise<void> {
  await page.getByRole('link', { name: 'Definitions' }).click();
  await page.getByRole('link', { name: 'New definition' }).click();
  const types = page.getByRole('region', { name: 'Start with a type' });
  await types.getByRole('link', { name: new RegExp(`^${type}`, 'i') }).click();
  await expect(page.getByRole('status').filter({ hasText: /issue|warning/ })).toBeVisible();
  await write(page, source);
  await typeInto(page.getByRole('textbox', { name: 'Name' }), name);
  await expect(page.getByText('No issues')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
}

test('a playbook is written, run, answered and read while servers are killed, stopped and started', async ({
  page,
  context,
  servers,
  complaints,
}) => {
  await signIn(page, servers.address);
  await page.getByRole('button', { name: 'New playbook' }).click();
  await typeInto(page.getByRole('textbox', { name: 'Name' }), 'Night desk');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Night desk' })).toBeVisible();

  await servers.end(0, 'SIGKILL');
  await saveNew(page, 'computation', 'double', DOUBLE);
  await saveNew(page, 'interaction', 'approve', APPROVE);
  await Promise.all([servers.start(0), servers.end(1, 'SIGTERM')]);
  await saveNew(page, 'workflow', 'night', NIGHT);
  await expectCalm(page);

  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('link', { name: 'Open the run' }).click();
  await expect(page.getByRole('row', { name: /^approve.*waiting/ })).toBeVisible();

  // Another person answers, in a page that no server which is left has served before.
  await Promise.all([servers.start(1), servers.end(2, 'SIGKILL')]);
  const inbox = await context.newPage();
  await signIn(inbox, servers.address, `${DESK}/inbox`);
  await inbox.getByRole('table', { name: 'Open requests' }).getByRole('link').first().click();
  const answer = inbox.getByRole('region', { name: 'Answer', exact: true });
  await answer.getByRole('button', { name: 'Yes' }).click();
  await servers.end(0, 'SIGKILL');
  await inbox.keyboard.press('ControlOrMeta+Enter');
  await expect(inbox.getByRole('status').filter({ hasText: 'Answered' })).toBeVisible();
  await expectCalm(inbox);
  await inbox.close();

  // Only one server is left, and the page follows the run there to its end.
  await page.bringToFront();
  await expect(page.getByRole('row', { name: /^approve.*finished/ })).toBeVisible();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /^last.*finished/ })).toBeVisible();
  await expectCalm(page);
  await expectAccessible(page);
  await Promise.all([servers.start(0), servers.start(2)]);
  await servers.end(1, 'SIGTERM');
  await page.getByRole('tab', { name: 'History' }).click();
  const history = page.getByRole('table', { name: 'History' });
  await expect(history).toContainText('run_succeeded');
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  const events = await recorded(servers.address, '');
  await expect(page.getByRole('table', { name: 'Events' })).toHaveAttribute('aria-rowcount', String(events.length + 1));
  await page.reload();
  await expect(page.getByRole('table', { name: 'Events' })).toHaveAttribute('aria-rowcount', String(events.length + 1));
  await expectCalm(page);
  expect(complaints).toEqual([]);
});

test('a run and the events of its playbook are shown live while each server is replaced', async ({
  page,
  context,
  servers,
  complaints,
}) => {
  await send(servers.address, '/playbooks', { playbook: 'night-desk', name: 'Night desk' });
  await send(servers.address, `${DESK}/definitions/computation`, { name: 'double', source: DOUBLE });
  await send(servers.address, `${DESK}/definitions/workflow`, { name: 'rounds', source: ROUNDS });
  const list = await context.newPage();
  await signIn(list, servers.address, `${DESK}/events?type=event_published`);
  await expect(list.getByRole('heading', { name: 'No matching events' })).toBeVisible();
  await signIn(page, servers.address, `${DESK}/definitions/workflow/rounds?tab=run`);
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('link', { name: 'Open the run' }).click();
  await expect(page.getByRole('heading', { name: 'rounds' })).toBeVisible();

  const ids = new Set<string>();
  const over = new AbortController();
  const publishing = publishUntil(over.signal, servers.address, ids);
  await servers.replace(3);
  over.abort();
  await publishing;
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible({ timeout: 45_000 });
  await expectCalm(page);
  const runId = /runs\/(?<id>[-0-9a-f]{36})/.exec(page.url())?.groups?.['id'] ?? '';
  const notes = await recorded(servers.address, `&type=run_succeeded&run_id=${runId}`);
  // The run, and the five calls of its loop.
  expect(notes).toHaveLength(6);

  await list.bringToFront();
  await expect(list.getByRole('table', { name: 'Events' })).toHaveAttribute('aria-rowcount', String(ids.size + 1));
  expect((await recorded(servers.address, '&type=event_published')).length).toBe(ids.size);
  await expectCalm(list);
  expect(ids.size).toBeGreaterThan(5);
  expect(complaints).toEqual([]);
});

async function request(address: string, route: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const response = await fetch(`${address}${AT}${route}`, { ...init, headers });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
const send = (address: string, route: string, body: unknown): Promise<unknown> =>
  request(address, route, { method: 'POST', body: JSON.stringify(body) });

async function recorded(address: string, query: string): Promise<unknown[]> {
  return ((await request(address, `${DESK}/events?limit=100${query}`)) as { events: unknown[] }).events;
}

/** An event without a response is sent again with the same id. */
async function publishUntil(signal: AbortSignal, address: string, ids: Set<string>): Promise<void> {
  while (!signal.aborted) {
    const id = `e${ids.size}`;
    const event = { id, source: '/night', type: 'bell.rung', data: { id } };
    const isPublished = (): Promise<boolean> =>
      send(address, `${DESK}/events`, { event }).then(
        () => true,
        () => false,
      );
    await expect.poll(isPublished).toBe(true);
    ids.add(id);
    await wait(250);
  }
}

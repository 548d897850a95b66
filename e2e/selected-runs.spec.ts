// Many runs at once: selected by mouse and keyboard, cancelled and run again.
import type { Page } from '@playwright/test';
import { createKey } from '../server/domain/access/index.ts';
import { ALL_PERMISSIONS } from '../shared/permissions.ts';
import { DESK, expect, expectAccessible, makeDesk, send, sendRefused, test } from './studio.ts';

const SOURCE = `export default (input: { n: number }) => {
  if (input.n < 0) throw new Error('No negative numbers.');
  return { doubled: input.n * 2 };
};
`;
const WAITING = `document: { dsl: '1.0.3', namespace: desk, name: waiting, version: '1.0.0' }
do: [ { hear: { listen: { to: { one: { with: { type: bell.rung } } } } } } ]
`;

async function fill(address: string): Promise<void> {
  await makeDesk(address, { 'computation/double': SOURCE, 'workflow/waiting': WAITING });
}

async function runsOf(address: string, query: string): Promise<{ run_id: string; status: string; reason?: string }[]> {
  const response = await fetch(`${address}/v1/orgs/local${DESK}/runs?limit=100&${query}`);
  return ((await response.json()) as { runs: [] }).runs;
}

const runsList = (page: Page) => page.getByRole('table', { name: 'Runs' });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected runs' });

test('runs are selected one by one, as a range and all, with the mouse and the keyboard', async ({
  page,
  server,
  complaints,
}) => {
  await fill(server.address);
  for (let n = 0; n < 6; n += 1)
    await send(server.address, `${DESK}/definitions/computation/double/run`, { input: { n } });
  await page.goto(`${server.address}/#${DESK}/runs`);
  const boxes = runsList(page).getByRole('checkbox', { name: 'Select double' });
  await expect(boxes).toHaveCount(6);
  await boxes.nth(1).click();
  await expect(bar(page)).toContainText('1 run selected');
  await boxes.nth(4).click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('4 runs selected');
  await boxes.nth(2).click();
  await expect(bar(page)).toContainText('3 runs selected');
  const all = runsList(page).getByRole('checkbox', { name: 'Select all' });
  await expect(all).toHaveJSProperty('indeterminate', true);
  await expectAccessible(page);
  // The list stays as it is while runs are selected.
  await send(server.address, `${DESK}/definitions/computation/double/run`, { input: { n: 7 } });
  await expect(page.getByRole('button', { name: '1 new' })).toBeVisible();
  await expect(boxes).toHaveCount(6);
  await bar(page).getByRole('button', { name: 'Clear' }).click();
  await expect(bar(page)).toBeHidden();
  await expect(boxes).toHaveCount(7);

  await all.click();
  await expect(bar(page)).toContainText('7 runs selected');
  await all.click();
  await expect(bar(page)).toBeHidden();
  await boxes.first().focus();
  await page.keyboard.press('Space');
  await expect(boxes.first()).toBeChecked();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(bar(page)).toContainText('3 runs selected');
  await page.keyboard.press('x');
  await expect(bar(page)).toContainText('2 runs selected');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(all).toBeHidden();
  await bar(page).getByRole('button', { name: 'Select all' }).click();
  await expect(bar(page)).toContainText('7 runs selected');
  await expectAccessible(page);
  // Other filters show another list.
  await page.goto(`${server.address}/#${DESK}/runs?type=computation`);
  await expect(boxes.first()).toBeVisible();
  await expect(bar(page)).toBeHidden();
  expect(complaints).toEqual([]);
});

test('selected runs are cancelled after a confirmation that counts them, and one that ended meanwhile says so', async ({
  page,
  server,
  complaints,
}) => {
  await fill(server.address);
  await send(server.address, `${DESK}/definitions/computation/double/run`, { input: { n: 1 } });
  const started: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    started.push((await send(server.address, `${DESK}/definitions/workflow/waiting/run`, { input: {} }))['run_id']);
  }
  await page.goto(`${server.address}/#${DESK}/runs`);
  await runsList(page).getByRole('checkbox', { name: 'Select all' }).click();
  await bar(page).getByRole('button', { name: 'Cancel (3)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 3 runs' });
  await expect(dialog).toContainText('Cancels 3 runs of waiting');
  await expect(dialog).toContainText('1 run of the selection cannot be cancelled');
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('Not needed');
  // One of them ends while the person is reading.
  await send(server.address, `${DESK}/runs/${String(started[0])}/cancel`, {});
  await expect.poll(async () => (await runsOf(server.address, 'status=rejected')).length).toBe(1);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('2 of 3 runs cancelled.');
  await expect(dialog.getByRole('list', { name: 'Failed' })).toContainText(
    'has ended (rejected) and cannot be cancelled',
  );
  await expect(dialog.getByRole('button', { name: /Try again/ })).toHaveCount(0);
  await expectAccessible(page);
  await expect(dialog.getByRole('button', { name: 'Close' }).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await runsOf(server.address, 'status=started')).length).toBe(0);
  const { detail } = (await (
    await fetch(`${server.address}/v1/orgs/local${DESK}/runs/${String(started[1])}`)
  ).json()) as { detail?: string };
  expect(detail).toContain('Not needed');
  // What was cancelled is no longer selected.
  await expect(bar(page)).toContainText('2 runs selected');
  expect(complaints).toEqual([]);
});

test('runs that ended are run again with their inputs, once each, and those that fail say why', async ({
  page,
  server,
  complaints,
}) => {
  await fill(server.address);
  const double = `${DESK}/definitions/computation/double/run`;
  for (let n = 1; n < 6; n += 1) await send(server.address, double, { input: { n } });
  await sendRefused(server.address, double, { input: { n: -1 } });
  await page.goto(`${server.address}/#${DESK}/runs?type=computation&name=double`);
  await runsList(page).getByRole('checkbox', { name: 'Select all' }).click();
  // The response to one request is lost after the service has started the run.
  const sent: string[] = [];
  await page.route('**/double/run', async (route) => {
    const { run_id: id, input } = route.request().postDataJSON() as { run_id: string; input: { n: number } };
    const isLost = input.n === 3 && !sent.includes(id);
    sent.push(id);
    const response = await route.fetch();
    await (isLost ? route.abort() : route.fulfill({ response }));
  });
  await bar(page).getByRole('button', { name: 'Run again (6)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run 6 runs again' });
  await expect(dialog).toContainText('Starts 6 new runs of the current versions');
  await dialog.getByRole('button', { name: 'Run 6 runs again' }).dblclick();
  await expect(dialog.getByRole('status')).toHaveText('5 of 6 runs started again; 1 did not succeed.');
  const failed = dialog.getByRole('list', { name: 'Failed' });
  await expect(failed).toContainText('No negative numbers.');
  await expect(failed.getByRole('link', { name: /^the new run/ })).toHaveCount(1);
  await expect(failed).toContainText('The service is not responding.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Try again (1)' }).click();
  await expect(dialog.getByRole('status')).toHaveText('6 of 6 runs started again; 1 did not succeed.');
  // Sent seven times under six ids: nothing was started twice.
  expect(sent).toHaveLength(7);
  expect(new Set(sent).size).toBe(6);
  expect(await runsOf(server.address, 'type=computation&name=double')).toHaveLength(12);
  await failed.getByRole('link', { name: /^the new run/ }).click();
  await expect(page.getByText('No negative numbers.').first()).toBeVisible();
  await expect(page.getByText('Rerun of')).toBeVisible();
  expect(complaints).toEqual([]);
});

const admin = createKey();
const reader = createKey();

test.describe('with an API key that may only read', () => {
  test.use({
    environment: {
      API_KEYS: JSON.stringify([
        { name: 'admin', sha256: admin.sha256, org: 'acme', permissions: ALL_PERMISSIONS },
        { name: 'reader', sha256: reader.sha256, org: 'acme', permissions: ['playbook:read'] },
      ]),
    },
  });

  test('nothing can be selected', async ({ page, server, complaints }) => {
    const post = async (path: string, body: unknown): Promise<void> => {
      const response = await fetch(`${server.address}/v1/orgs/acme${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
    };
    await post('/playbooks', { playbook: 'desk', name: 'Desk' });
    await post(`${DESK}/definitions/computation`, { name: 'double', source: SOURCE });
    await post(`${DESK}/definitions/computation/double/run`, { input: { n: 1 } });
    await page.goto(`${server.address}/#${DESK}/runs`);
    await page.getByRole('textbox', { name: 'API key' }).fill(reader.key);
    await page.keyboard.press('Enter');
    await expect(runsList(page).getByRole('link', { name: 'double' })).toBeVisible();
    await expect(runsList(page).getByRole('checkbox')).toHaveCount(0);
    expect(complaints).toEqual([]);
  });
});

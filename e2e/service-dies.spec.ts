import type { Locator, Page } from '@playwright/test';
import { startServerProcess } from '../server/test/index.ts';
import { editorOf, expect, makeDesk, makeSample, send, test } from './studio.ts';
import { typeInto } from './writing.ts';

/** Above every page while the service cannot be reached. */
const lostBanner = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: 'Connection lost. Reconnecting…' });

test('given the service crashes, then the studio says so, keeps drafts, and reconnects by itself', async ({
  page,
  server,
}) => {
  await makeSample(page, server.address);
  await page.goto(`${server.address}/#/playbooks/wildlife-strikes/definitions/computation/triage-score`);
  await expect(page.getByText('No issues')).toBeVisible();
  await server.end('SIGKILL');
  await expect(lostBanner(page)).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// Written meanwhile.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(editorOf(page)).toContainText('// Written meanwhile.');

  const again = await startServerProcess(server.dataDir, {
    args: ['--port', new URL(server.address).port],
  });
  try {
    await expect(lostBanner(page)).toBeHidden({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
    // What is recorded from now on is followed again.
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await expect(page.getByText('No runs yet')).toBeVisible();
    const input = { phase: 'Climb', size: 'Large', damage: 'None' };
    await send(again.address, '/playbooks/wildlife-strikes/definitions/computation/triage-score/run', { input });
    await expect(page.getByRole('link', { name: 'triage-score' })).toBeVisible();
  } finally {
    await again.end('SIGTERM');
  }
});

test('given the service crashes while events are read, then the list continues without gaps or duplicates, and a form is kept', async ({
  page,
  server,
}) => {
  await makeDesk(server.address);
  const publish = (address: string, type: string): Promise<unknown> =>
    send(address, '/playbooks/desk/events', { event: { source: '/test', type } });
  await page.goto(`${server.address}/#/playbooks/desk/events`);
  await expect(page.getByText('No events yet')).toBeVisible();
  await publish(server.address, 'desk.first');
  await publish(server.address, 'desk.second');
  const events = page.getByRole('table', { name: 'Events' });
  await expect(events).toHaveAttribute('aria-rowcount', '3');
  await page.getByRole('button', { name: 'Publish an event' }).click();
  await typeInto(page.getByRole('textbox', { name: 'Type' }), 'desk.typed');

  await server.end('SIGKILL');
  await expect(lostBanner(page)).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('alert', { name: 'Connection lost. Reconnecting…' })).toBeVisible();

  const again = await startServerProcess(server.dataDir, { args: ['--port', new URL(server.address).port] });
  try {
    // What is recorded before the studio is back is not lost to it.
    await publish(again.address, 'desk.third');
    await expect(lostBanner(page)).toBeHidden({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByText('Recorded as')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(events).toHaveAttribute('aria-rowcount', '5');
    for (const type of ['desk.first', 'desk.second', 'desk.third', 'desk.typed']) {
      await expect(events.getByRole('row').filter({ hasText: type })).toHaveCount(1);
    }
  } finally {
    await again.end('SIGTERM');
  }
});

test('given a lost response, then sending again finds the run or the saved version', async ({ page, server }) => {
  await makeSample(page, server.address);
  await page.goto(`${server.address}/#/playbooks/wildlife-strikes/definitions/computation/triage-score?tab=run`);
  const sent: unknown[] = [];
  await page.route('**/triage-score/run', async (route) => {
    sent.push(route.request().postDataJSON());
    if (sent.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: /^Run/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText(/[Ss]end it again/);
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(result).toContainText('Succeeded');
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Runs' })).toHaveAttribute('aria-rowcount', '2');

  // What was saved without an answer is no draft any more, and nobody else's version.
  await page.route('**/definitions/computation/triage-score', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.goto(`${server.address}/#/playbooks/wildlife-strikes/definitions/computation/triage-score`);
  await expect(page.getByText('No issues')).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// Saved once.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await expect(page.getByText('while you were editing')).toBeHidden();
  await expect(page.getByText(/[Ss]end it again/)).toBeHidden();
});

test('given a lost response, then publishing again finds the recorded event', async ({ page, server }) => {
  await makeSample(page, server.address);
  await page.goto(`${server.address}/#/playbooks/wildlife-strikes/events`);
  const sent: unknown[] = [];
  await page.route('**/wildlife-strikes/events', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(route.request().postDataJSON());
    if (sent.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Publish an event' }).click();
  const form = page.getByRole('dialog', { name: 'Publish an event' });
  await typeInto(form.getByRole('textbox', { name: 'Type' }), 'gull.seen');
  const publish = form.getByRole('button', { name: 'Publish' });
  await publish.click();
  await expect(form).toContainText(/[Ss]end it again/);
  await publish.click();
  await expect(form.getByRole('status')).toContainText('Recorded as');
  expect(sent[1]).toEqual(sent[0]);
  // Publishing once more is another event.
  const recorded = await form.getByRole('status').textContent();
  await publish.click();
  await expect(form.getByRole('status')).not.toHaveText(recorded ?? '');
  expect(sent[2]).not.toEqual(sent[1]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: 'Events' }).getByRole('link', { name: 'gull.seen' })).toHaveCount(2);
});

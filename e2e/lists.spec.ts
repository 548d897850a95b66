// What a person expects of lists: that they are where they were left, and of messages that they are in no one's way.
import { expect, expectAccessible, openRow, openSample, send, test } from './studio.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';
const SCORE = `${DESK}/definitions/computation/triage-score/run`;
const INPUT = { phase: 'Climb', size: 'Large', damage: 'None' };

test('going back restores the scroll position of a list with its loaded pages', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await Promise.all(Array.from({ length: 150 }, () => send(server.address, SCORE, { input: INPUT })));
  await page.goto(`${server.address}/#${DESK}/runs?type=computation`);
  const list = page.getByRole('table', { name: 'Runs' });
  await expect(list).toHaveAttribute('aria-rowcount', '-1');
  await list.hover();
  await page.mouse.wheel(0, 4_000);
  await expect(list).toHaveAttribute('aria-rowcount', '151');
  await page.mouse.wheel(0, 1_000);
  const row = list.locator('[aria-rowindex="120"]');
  await expect(row).toBeVisible();
  const href = await row.getByRole('link').getAttribute('href');
  const before = await row.boundingBox();
  await openRow(row);
  await expect(page.getByRole('link', { name: 'Run again…' })).toBeVisible();
  // What is recorded meanwhile comes in above, and moves nothing that was seen.
  await send(server.address, SCORE, { input: INPUT });
  await page.goBack();
  await expect(list).toHaveAttribute('aria-rowcount', '152');
  const same = list.locator(`.row:has([href="${href}"])`);
  await expect(same).toHaveAttribute('aria-rowindex', '121');
  await expect.poll(async () => Math.abs(((await same.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);

  // On any other way the list begins at its top.
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(list.locator('[aria-rowindex="2"]')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('the history of a run scrolls with its page, counts its events and opens one in place', async ({
  page,
  server,
  complaints,
}) => {
  await page.setViewportSize({ width: 1440, height: 500 });
  await openSample(page, server.address);
  const { run_id: runId } = await send(server.address, `${DESK}/definitions/workflow/inspect-aircraft/run`, {
    input: { id: 'WS-1', phase: 'Climb', size: 'Large', damage: 'Substantial' },
  });
  await page.goto(`${server.address}/#${DESK}/runs/${String(runId)}?tab=history`);
  const history = page.getByRole('table', { name: 'History' });
  await expect(history).toContainText('interaction_requested');
  const count = Number(await history.getAttribute('aria-rowcount')) - 1;
  await expect(page.getByText(`${count} events`)).toBeVisible();
  await history.hover();
  await page.mouse.wheel(0, 5_000);
  await expect(history.locator(`[aria-rowindex="${count + 1}"]`)).toBeInViewport();
  await expect.poll(() => page.evaluate(`document.querySelector('.page').scrollTop`)).toBeGreaterThan(0);
  await page.mouse.wheel(0, -5_000);

  const started = history.getByRole('row').filter({ hasText: 'run_started' }).first();
  await openRow(started);
  const data = history.getByLabel('Data', { exact: true });
  await expect(data).toContainText('"size": "Large"');
  await expect(page).toHaveURL(/event=/);
  await expectAccessible(page);
  await page.reload();
  await expect(data).toBeVisible();
  await openRow(started);
  await expect(data).toBeHidden();
  expect(complaints).toEqual([]);
});

for (const { width, height } of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`at ${width} by ${height} a notification disappears after 8 seconds and covers nothing`, async ({
    page,
    server,
    complaints,
  }) => {
    await page.setViewportSize({ width, height });
    await openSample(page, server.address);
    const { run_id: runId } = await send(server.address, SCORE, { input: INPUT });
    await page.goto(`${server.address}/#${DESK}/runs/${String(runId)}`);
    await expect(page.getByRole('link', { name: 'Run again…' })).toBeVisible();
    await page.clock.install();
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('menuitem', { name: 'Run ID' }).click();
    const message = page.getByRole('alert').filter({ hasText: 'Copied: Run id' });
    await expect(message).toBeVisible();
    expect(await page.evaluate<string[]>(COVERED)).toEqual([]);
    await page.clock.runFor(8_000);
    await expect(message).toBeHidden();
    expect(complaints).toEqual([]);
  });
}

/** Whatever can be pressed, is in sight and lies under a message. */
const COVERED = `[...document.querySelectorAll('a, button, input, [role="tab"]')]
  .filter((one) => one.closest('[role="alert"]') === null && one.checkVisibility())
  .filter((one) => {
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return width > 0 && document.elementFromPoint(x, y)?.closest('[role="alert"]') != null;
  })
  .map((one) => one.outerHTML.slice(0, 120))`;

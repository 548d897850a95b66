import { ANSWER, expect, expectAccessible, openRow, openSample, REPORT, send, sendRefused, test } from './studio.ts';
import { typeInto } from './writing.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';

test('the steps, the graph and the end of a workflow are shown live', async ({ page, server, complaints }) => {
  await openSample(page, server.address);
  await page.getByRole('link', { name: 'Runs' }).click();
  await expect(page.getByText('No runs yet')).toBeVisible();
  await expectAccessible(page);

  await send(server.address, `${DESK}/events`, { event: REPORT });
  const row = page.getByRole('row').filter({ hasText: /^handle-report/ });
  await expect(row).toContainText('Waiting for an event');
  await expectAccessible(page);
  // The whole row is a link, in a tab of its own too.
  for (const way of [{ button: 'middle' as const }, { modifiers: ['ControlOrMeta' as const] }]) {
    const opened = page.context().waitForEvent('page');
    await openRow(row, way);
    const other = await opened;
    // A browser may load a tab in the background later, so only its address counts.
    await expect.poll(() => other.url()).toMatch(/\/runs\/[-0-9a-f]{36}/);
    await other.close();
  }
  await openRow(row);
  await expect(page.getByRole('row', { name: /answer.*waiting/ })).toBeVisible();
  await expect(page.getByRole('group', { name: 'answer, listen, waiting' })).toBeVisible();
  await expectAccessible(page);

  // A step of the graph shows its details, which lead to its line, and back.
  await page.getByRole('group', { name: 'answer, listen, waiting' }).focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('complementary', { name: 'Details of answer' })
    .getByRole('link', { name: /^Go to line/ })
    .click();
  await expect(page).toHaveURL(/handle-report\?line=\d+$/);
  await expect(page.locator('.view-line').filter({ hasText: /^\s*-\sanswer:/ })).toBeVisible();
  await page.goBack();

  await send(server.address, `${DESK}/events`, { event: ANSWER });
  await expect(page.getByRole('row', { name: /conclude.*finished/ })).toBeVisible();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'triage-score', exact: true }).click();
  await expect(page.getByRole('link', { name: 'a run of workflow/handle-report' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('"priority"');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a waiting run is cancelled with a reason', async ({ page, server, complaints }) => {
  await openSample(page, server.address);
  await send(server.address, `${DESK}/events`, { event: REPORT });
  await page.goto(`${server.address}/#${DESK}/runs?status=waiting`);
  await openRow(page.getByRole('row').filter({ hasText: /^handle-report/ }));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await typeInto(page.getByRole('textbox', { name: 'Reason' }), 'Reported twice.');
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Reported twice.', { exact: true })).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a failed run is run again from the step that failed, with the results before it', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const source = (program: string) => ({ name: 'charge', source: `export default (input) => ${program};\n` });
  await send(
    server.address,
    `${DESK}/definitions/computation`,
    source('{ throw new Error("The card was refused."); }'),
  );
  await send(server.address, `${DESK}/definitions/workflow`, {
    name: 'order',
    source: `document: { dsl: '1.0.3', namespace: shop, name: order, version: '1.0.0' }
do:
  - price: { set: { sum: 42 } }
  - charge: { call: computation/charge, with: '\${ . }' }
`,
  });
  const { run_id: runId } = await send(server.address, `${DESK}/definitions/workflow/order/run`, {});
  await page.goto(`${server.address}/#${DESK}/runs/${String(runId)}`);
  await expect(page.getByRole('row', { name: /charge.*failed/ })).toBeVisible();

  await fetch(`${server.address}/v1/orgs/local${DESK}/definitions/computation/charge`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: source('({ charged: input.sum })').source }),
  });
  await page.getByRole('row', { name: /charge.*failed/ }).hover();
  await page.getByRole('button', { name: 'Run again from charge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run again from charge' });
  await expect(dialog).toContainText('with the recorded results of the steps before charge');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Run again' }).click();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(String(runId)));
  await expect(page.getByText('step charge', { exact: false }).first()).toBeVisible();
  const tree = page.getByRole('treegrid', { name: 'Timeline' });
  await expect(tree.getByRole('row', { name: /charge.*finished/ })).toBeVisible();
  await expect(tree.getByRole('row', { name: /^price/ })).toHaveCount(0);
  await page.getByRole('link', { name: `run ${String(runId).slice(0, 8)}` }).click();
  await expect(page.getByRole('row', { name: /charge.*failed/ })).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a rejected run is found from the charts and run again with another input', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const score = `${DESK}/definitions/computation/triage-score/run`;
  await send(server.address, score, { input: { phase: 'Climb', size: 'Large', damage: 'None' } });
  await sendRefused(server.address, score, { input: { phase: 'Flying', size: 'Large', damage: 'None' } });
  await page.getByRole('button', { name: 'Dismiss the first steps' }).click();
  // The newest day's bar of runs with invalid input, by its place in the chart.
  await page.locator('.day-chart-bar[data-series="invalid_input"]').last().click();
  await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/);
  await expect(page).toHaveURL(/status=rejected/);
  await openRow(page.getByRole('row').filter({ hasText: /^triage-score/ }));
  await expect(page.getByText('must be one of')).toBeVisible();
  await page.getByRole('link', { name: 'Run again…' }).click();
  await page.getByRole('combobox', { name: 'phase' }).click();
  await page.getByRole('option', { name: 'Taxi' }).click();
  await expectAccessible(page);
  // What is half written is not run, and an example takes its place.
  await page.getByText('JSON', { exact: true }).click();
  const input = page.getByRole('textbox', { name: 'Input as JSON' });
  const written = await input.inputValue();
  await typeInto(input, '{ "phase": ');
  await expect(page.getByText('This is not valid JSON')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Run/ })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Example' }).click();
  await page.getByRole('option').first().click();
  await expect(page.getByText('This is not valid JSON')).toBeHidden();
  await typeInto(input, written);
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Succeeded');
  await page.getByRole('link', { name: 'Open the run' }).click();
  await expect(page.getByText('Rerun of')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a scrolled list stays in place and shows how many entries are new', async ({ page, server, complaints }) => {
  await openSample(page, server.address);
  const score = `${DESK}/definitions/computation/triage-score/run`;
  const input = { phase: 'Climb', size: 'Large', damage: 'None' };
  await Promise.all(Array.from({ length: 130 }, () => send(server.address, score, { input })));
  await page.goto(`${server.address}/#${DESK}/runs`);
  const list = page.getByRole('table', { name: 'Runs' });
  // More follow than are loaded.
  await expect(list).toHaveAttribute('aria-rowcount', '-1');
  await list.hover();
  await page.mouse.wheel(0, 6_000);
  await expect(list).toHaveAttribute('aria-rowcount', '131');
  await send(server.address, score, { input });
  await send(server.address, score, { input });
  await page.getByRole('button', { name: '2 new' }).click();
  await expect(page.getByRole('button', { name: '2 new' })).toBeHidden();
  await page.keyboard.press('j');
  await expect(page.getByRole('row').nth(1).getByRole('link')).toBeFocused();
  await expect(page.getByRole('row').nth(1)).toHaveAttribute('aria-rowindex', '2');

  // Another list begins at its top, however far down the last one was: what comes in stands in it at once.
  await list.hover();
  await page.mouse.wheel(0, 3_000);
  await expect(list.locator('[aria-rowindex="75"]')).toBeVisible();
  await page.getByText('Rejected', { exact: true }).click();
  await expect(page.getByText('No matching runs')).toBeVisible();
  await sendRefused(server.address, score, { input: { ...input, phase: 'Flying' } });
  await expect(list.getByRole('link')).toHaveCount(1);
  await page.getByText('All', { exact: true }).click();
  await expect(list).toHaveAttribute('aria-rowcount', '-1');

  // What is recorded while another page is open stands there on coming back.
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Events' })).toBeVisible();
  await send(server.address, `${DESK}/definitions/workflow/weekly-digest/run`, {});
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(list).toContainText('weekly-digest');
  expect(complaints).toEqual([]);
});

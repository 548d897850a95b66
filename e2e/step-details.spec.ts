// The details of a step in a run: chosen in the timeline and in the graph, by mouse, by keyboard and by a link.
import type { Page } from '@playwright/test';
import { DESK, editorOf, expect, expectAccessible, makeDesk, openRow, send, test } from './studio.ts';

const CHARGE = `export default ({ sum }) => {
  if (sum > 40) throw new Error('The card was refused.');
  return { charged: sum };
};
`;
const ORDER = `document: { dsl: '1.0.3', namespace: desk, name: order, version: '1.0.0' }
do:
  - price: { set: { sum: 42 } }
  - size:
      switch:
        - large: { when: '\${ .sum > 10 }', then: each }
        - small: { then: end }
  - never: { set: { reached: false } }
  - each:
      for: { in: '\${ [7, 8, 9] }' }
      do:
        - weigh: { set: { weight: '\${ $item }' } }
  - watch:
      try:
        - charge: { call: computation/charge, with: { sum: 42 } }
      catch:
        errors: {}
        retry: { delay: PT0S, limit: { attempt: { count: 1 } } }
`;

async function failedOrder(address: string): Promise<string> {
  await makeDesk(address, { 'computation/charge': CHARGE, 'workflow/order': ORDER });
  const { run_id: runId } = await send(address, `${DESK}/definitions/workflow/order/run`, { input: { id: 'A-7' } });
  return `${address}/#${DESK}/runs/${String(runId)}`;
}

const panelOf = (page: Page, step: string) => page.getByRole('complementary', { name: `Details of ${step}` });

test('a step of the timeline shows its data, its visits and its calls beside it', async ({
  page,
  server,
  complaints,
}) => {
  await page.goto(await failedOrder(server.address));
  const tree = page.getByRole('treegrid', { name: 'Timeline' });
  const row = (name: RegExp) => tree.getByRole('row', { name });
  await expect(page.getByText('Failed', { exact: true }).first()).toBeVisible();

  // The summary leaves room for the timeline until all of its lines are wanted.
  const lines = page.getByRole('region', { name: 'Summary' }).getByRole('listitem');
  await expect(lines).toHaveCount(6);
  await page.getByRole('button', { name: /^Show all \d+ lines$/ }).click();
  await expect(lines.filter({ hasText: /^charge/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Show less' }).click();
  await expect(lines).toHaveCount(6);

  await openRow(row(/^size/));
  const size = panelOf(page, 'size');
  await expect(size).toContainText('Caselarge');
  await expect(size.getByRole('tree', { name: 'Input' })).toContainText('"sum": 42');
  await expect(size).toContainText('Output of price, before the step’s own input.from');
  await expect(size.getByRole('link', { name: 'step_finished' })).toBeVisible();
  await expect(size.getByRole('group', { name: /^Line 4 of order/ })).toContainText('size:');
  await expectAccessible(page);

  // The arrow keys move along the rows, and the details follow.
  await page.keyboard.press('ArrowUp');
  await expect(panelOf(page, 'price').getByRole('tree', { name: 'Input' })).toContainText('"id": "A-7"');
  for (const _row of ['size', 'each or weigh', 'weigh']) await page.keyboard.press('ArrowDown');
  await openRow(row(/^weigh/).nth(1));
  const weigh = panelOf(page, 'weigh');
  await expect(weigh).toContainText('Iteration1');
  await expect(weigh.getByRole('tree', { name: 'Output' })).toContainText('"weight": 8');
  await expect(page).toHaveURL(/visit=2/);
  await weigh.getByRole('button', { name: 'Next visit' }).click();
  await expect(weigh.getByRole('tree', { name: 'Output' })).toContainText('"weight": 9');
  await weigh.getByRole('combobox', { name: 'Visit' }).selectOption('iteration 0: finished');
  await expect(weigh.getByRole('tree', { name: 'Output' })).toContainText('"weight": 7');

  // A link keeps the step.
  await page.reload();
  await expect(weigh.getByRole('tree', { name: 'Output' })).toContainText('"weight": 7');
  await expect(row(/^weigh/).first()).toHaveAttribute('aria-selected', 'true');

  // The retry of a call, with its error, and the run that was called.
  await openRow(row(/^watch/));
  await expect(panelOf(page, 'watch')).toContainText('Attempts2');
  await openRow(row(/^charge call/).last());
  const charge = panelOf(page, 'charge');
  await expect(charge).toContainText('2 of 2');
  await expect(charge.getByRole('alert')).toContainText('The card was refused.');
  await expect(charge).toContainText('Passed to computation/charge');
  await expectAccessible(page);
  await charge.getByRole('button', { name: 'Run again from here' }).click();
  await expect(page.getByRole('dialog', { name: 'Run again from charge' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Run again from charge' })).toBeHidden();
  await expect(charge).toBeVisible();
  await charge.getByRole('link', { name: /^Go to line 15/ }).click();
  await expect(editorOf(page).locator('.line-numbers.active-line-number')).toHaveText('15');
  await page.goBack();
  await charge.getByRole('link', { name: 'computation/charge' }).click();
  await expect(page.getByRole('heading', { name: 'charge', level: 1 })).toBeVisible();
  await page.goBack();
  await charge.getByRole('link', { name: 'step_failed' }).click();
  await expect(page.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tree', { name: 'Data', exact: true })).toContainText('The card was refused.');
  expect(complaints).toEqual([]);
});

test('steps are chosen by keyboard alone, in the graph and in the timeline', async ({ page, server, complaints }) => {
  await page.goto(await failedOrder(server.address));
  const node = (name: RegExp) => page.getByRole('group', { name });
  await node(/^price, set/).focus();
  await page.keyboard.press('ArrowRight');
  await expect(node(/^size, switch/)).toBeFocused();
  await page.keyboard.press('Enter');
  const size = panelOf(page, 'size');
  await expect(size.getByRole('heading', { name: /^size/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(size).toBeHidden();
  await expect(node(/^size, switch/)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(size).toBeVisible();
  // From the heading, the arrow keys show the next rows.
  await page.keyboard.press('ArrowUp');
  await expect(panelOf(page, 'price')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/step=/);

  const tree = page.getByRole('treegrid', { name: 'Timeline' });
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const order = panelOf(page, 'order');
  await expect(order.getByRole('heading', { name: /^order/ })).toBeFocused();
  await expect(order.getByRole('tree', { name: 'Input' })).toContainText('"id": "A-7"');
  await page.keyboard.press('Escape');
  await expect(tree).toBeFocused();

  // A step that the run did not reach has a link to its line.
  await node(/^never, set/).click();
  const never = panelOf(page, 'never');
  await expect(never).toContainText('The run did not reach this step.');
  await expect(never.getByRole('link', { name: 'Go to line 8' })).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('on a phone the details are a sheet', async ({ page, server, complaints }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(await failedOrder(server.address));
  await openRow(page.getByRole('row', { name: /^size/ }));
  const sheet = page.getByRole('dialog', { name: 'Details of size' });
  await expect(sheet.getByRole('heading', { name: /^size/ })).toBeFocused();
  await expect(sheet).toContainText('Caselarge');
  await expectAccessible(page);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('dialog', { name: 'Details of price' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('treegrid', { name: 'Timeline' })).toBeFocused();
  await expect(page).not.toHaveURL(/step=/);
  expect(complaints).toEqual([]);
});

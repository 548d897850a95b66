// Reading JSON: parts of a value are closed, found, reached by keyboard and copied.
import { expect, expectAccessible, openRow, openSample, send, test } from './studio.ts';
import { typeInto } from './writing.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';

test('the data of an event is searched, folded by keyboard, and copied', async ({ page, server, complaints }) => {
  const parts = Array.from({ length: 300 }, (_none, place) => ({ sku: `part-${place}`, price: place / 4 }));
  const event = { source: '/test', type: 'order.placed', data: { customer: { name: 'Ada' }, lines: parts } };
  await send(server.address, `${DESK}/events`, { event });
  await openSample(page, server.address);
  await page.goto(`${server.address}/#${DESK}/events?type=event_published`);
  await openRow(page.getByRole('table', { name: 'Events' }).getByRole('row').nth(1));
  const tree = page.getByRole('tree', { name: 'Data', exact: true });
  await expect(tree.getByRole('treeitem', { name: '"customer":' })).toBeVisible();
  await expect(tree).toContainText('Show 100 more of 200');
  await expectAccessible(page);

  // A match in a part that is not rendered yet is shown.
  await typeInto(page.getByRole('textbox', { name: 'Search in data' }), 'part-271');
  await expect(page.getByRole('status').filter({ hasText: '1 of 1' })).toBeVisible();
  const found = tree.locator('[data-found="here"]');
  await expect(found).toHaveText(/"sku": "part-271"/);
  await expect(found).toBeInViewport();

  await found.hover();
  await found.getByRole('button', { name: 'Copy path of .data.lines[271].sku' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('.data.lines[271].sku');
  await found.getByRole('button', { name: 'Copy value' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('part-271');

  await page.mouse.move(0, 0);

  // ArrowLeft leads to the parent, and closes it.
  const lines = tree.getByRole('treeitem', { name: '"lines":' });
  await found.focus();
  for (const _step of ['to the item', 'close it', 'to the list', 'close it']) await page.keyboard.press('ArrowLeft');
  await expect(lines).toHaveText(/300 items/);
  await expect(lines).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(tree.getByRole('treeitem', { name: '"customer":' })).toHaveText(/\{ name: "Ada" \}/);
  await expect(tree.getByRole('treeitem', { name: '"Ada"' })).toHaveCount(1);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a list of records is a table, and JSON on request', async ({ page, server }) => {
  const source = 'export default () => [{ city: "Oslo", people: 700000 }, { city: "Bergen", people: 290000 }];\n';
  await send(server.address, `${DESK}/definitions/computation`, { name: 'cities', source });
  const run = await send(server.address, `${DESK}/definitions/computation/cities/run`, {});
  await page.goto(`${server.address}/#${DESK}/runs/${String(run['run_id'])}`);
  await expect(page.getByRole('cell', { name: 'Bergen' })).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Show the output as' }).getByText('JSON').click();
  await expect(page.getByRole('tree', { name: 'Output' })).toContainText('"people": 290000');
});

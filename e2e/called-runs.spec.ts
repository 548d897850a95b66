// Runs in the list, and below them the runs that they called.
import { DESK, expect, expectAccessible, makeDesk, send, test } from './studio.ts';

const HEAD = (name: string): string => `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }`;
const CALLS = `${HEAD('count')}
do:
  - each:
      for: { each: n, in: '[range(23)]' }
      do: [ { one: { call: computation/double, with: '\${ { n: $n } }' } } ]
`;
const OUTER = `${HEAD('outer')}
do: [ { inner: { call: workflow/count, with: {} } } ]
`;
const LATER = `${HEAD('later')}
do:
  - hear: { listen: { to: { one: { with: { type: bell.rung } } } } }
  - one: { call: computation/double, with: { n: 1 } }
`;

test.beforeEach(async ({ server: { address } }) => {
  await makeDesk(address);
  const source = 'export default (input) => ({ doubled: input.n * 2 });';
  await send(address, `${DESK}/definitions/computation`, { name: 'double', source });
  for (const [name, document] of Object.entries({ count: CALLS, outer: OUTER, later: LATER })) {
    await send(address, `${DESK}/definitions/workflow`, { name, source: document });
  }
});

test('a run opens to show the runs that it called, page by page, and these link to it', async ({
  page,
  server,
  complaints,
}) => {
  const { run_id: outer } = await send(server.address, `${DESK}/definitions/workflow/outer/run`, { input: {} });
  await page.goto(`${server.address}/#${DESK}/runs?type=workflow&name=outer`);
  const list = page.getByRole('table', { name: 'Runs' });
  await expect(list.getByRole('row').nth(1)).toContainText('Succeeded');
  await expect(list).toHaveAttribute('aria-rowcount', '2');

  await list.getByRole('button', { name: 'Runs called by outer' }).click();
  await expect(list).toHaveAttribute('aria-rowcount', '3');
  const count = list.getByRole('button', { name: 'Runs called by count' });
  await expect(count).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(list.getByRole('link', { name: 'count', exact: true })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(count).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list).toHaveAttribute('aria-rowcount', '24');
  await expect(list.getByRole('row').nth(3)).toContainText('Called run, level 2');
  await expectAccessible(page);
  const more = list.getByRole('button', { name: 'Show more runs called by count' });
  await more.scrollIntoViewIfNeeded();
  await expect(list.getByRole('link', { name: 'double' })).toHaveCount(20);
  await more.click();
  // All are listed: 23 of them below two others, and the header.
  await expect(list).toHaveAttribute('aria-rowcount', '26');
  await expect(more).toBeHidden();

  await page.setViewportSize({ width: 390, height: 844 });
  const called = list.getByRole('row').filter({ hasText: 'Called run, level 1' });
  await list.hover();
  await page.mouse.wheel(0, -9_000);
  await expect(called).toBeInViewport();
  const inset = async (row: typeof called): Promise<number> => (await row.boundingBox())?.x ?? 0;
  expect(await inset(called)).toBeGreaterThan(await inset(list.getByRole('row').filter({ hasText: /^outer/ })));
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await called.getByRole('link', { name: 'run of outer' }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${String(outer)}`));
  await page.goBack();
  await expect(list).toHaveAttribute('aria-rowcount', '26');
  await list.getByRole('button', { name: 'Runs called by outer' }).click();
  await expect(list).toHaveAttribute('aria-rowcount', '2');
  expect(complaints).toEqual([]);
});

test('a run that is called while its caller is open appears below it', async ({ page, server, complaints }) => {
  await send(server.address, `${DESK}/definitions/workflow/later/run`, { input: {} });
  await page.goto(`${server.address}/#${DESK}/runs?type=workflow`);
  const list = page.getByRole('table', { name: 'Runs' });
  await list.getByRole('button', { name: 'Runs called by later' }).click();
  await expect(list.getByText('No called runs yet.')).toBeVisible();
  await send(server.address, `${DESK}/events`, { event: { source: '/door', type: 'bell.rung' } });
  await expect(list.getByRole('row').filter({ hasText: 'Called run' })).toContainText('Succeeded');
  await expect(list.getByText('No called runs yet.')).toBeHidden();
  expect(complaints).toEqual([]);
});

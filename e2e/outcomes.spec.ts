// What people read of how a run ended: its status, the cause, and a link to the line.
import { DESK, editorOf, expect, expectAccessible, makeDesk, send, test } from './studio.ts';

const TAX = `export const input = {
  type: 'object',
  required: ['price'],
  properties: { price: { type: 'number', description: 'The net price.' } },
};
export default ({ price }: { price: number }) => {
  if (price < 0) throw new Error('There is no tax on a gift.');
  return { tax: price * 0.19 };
};
`;
const workflow = (name: string, steps: string) =>
  `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }\ndo:\n${steps}`;

test('a run shows its status, and the reason down to the line or the field', async ({ page, server, complaints }) => {
  const save = (type: string, name: string, source: string) =>
    send(server.address, `${DESK}/definitions/${type}`, { name, source });
  await makeDesk(server.address);
  await save('computation', 'tax', TAX);
  await save('workflow', 'bill', workflow('bill', '  - tax: { call: computation/tax, with: { price: -1 } }\n'));
  await save('workflow', 'misfit', workflow('misfit', '  - tax: { call: computation/tax, with: { price: ten } }\n'));
  await save('workflow', 'hold', workflow('hold', '  - hold: { wait: PT1H }\n'));

  // A program's own message comes first; its line is shown, and opens in the editor.
  await page.goto(`${server.address}/#${DESK}/definitions/computation/tax?tab=run`);
  const result = page.getByRole('region', { name: 'Result' });
  await page.getByRole('textbox', { name: 'price' }).click();
  await page.keyboard.type('-1');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result.getByRole('alert')).toContainText(
    /^Rejected: program error\s*Error: There is no tax on a gift\./,
  );
  await expect(result.getByRole('group', { name: 'Line 7 of tax' })).toContainText('if (price < 0)');
  await expectAccessible(page);
  await result.getByRole('link', { name: 'Go to line 7' }).click();
  await expect(page).toHaveURL(/\/tax\?line=7$/);
  await expect(editorOf(page).locator('.line-numbers.active-line-number')).toHaveText('7');

  // In the caller the same error is a failure, with the step and the run that it called.
  await page.goto(`${server.address}/#${DESK}/definitions/workflow/bill?tab=run`);
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(result.getByRole('alert')).toContainText(/^Failed\s*Step tax: Error: There is no tax on a gift\./);
  await expect(result.getByRole('group', { name: 'Line 7 of tax' })).toBeVisible();
  await result.getByRole('link', { name: 'computation/tax' }).click();
  await expect(page.getByRole('heading', { name: 'tax' })).toBeVisible();
  await expect(page.getByRole('alert', { name: 'Rejected: program error' })).toBeVisible();

  await page.goto(`${server.address}/#${DESK}/definitions/workflow/misfit?tab=run`);
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(result.getByRole('alert')).toContainText(
    /^Rejected: invalid input\s*Step tax: price \(The net price\) must be/,
  );

  // A cancelled run is no failure: it counts in no rate.
  const { run_id: held } = await send(server.address, `${DESK}/definitions/workflow/hold/run`, {});
  await page.goto(`${server.address}/#${DESK}/runs`);
  await expect(page.getByRole('row').filter({ hasText: /^hold/ })).toContainText('Waiting for a timer');
  await send(server.address, `${DESK}/runs/${String(held)}/cancel`, {});
  await expect(page.getByRole('row').filter({ hasText: /^hold/ })).toContainText('Cancelled');
  await send(server.address, `${DESK}/definitions/computation/tax/run`, { input: { price: 1 } });
  await page.goto(`${server.address}/#${DESK}`);
  await expect(page.getByText('1 of 4')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Failed and rejected' }).getByRole('link', { name: /^bill/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Failed and rejected' }).getByText('Cancelled')).toBeHidden();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

// What is wrong is visible where a person looks: refused runs and stalled views on Home, the field that caused an ending,
// events by their own type; and the editor keeps what is typed.
import { editorOf, expect, expectAccessible, send, test } from './studio.ts';
import { textOf, write } from './writing.ts';

const VIEW = `export const reads = [{ events: {} }];
export const initial = { total: 0 };
export function evolve(state, event) { if (event.event.type === 'broken') throw new Error('No amount.'); return state; }
export const answer = (state) => state.total;
`;
const CHECKED = `export const input = { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } };
export default (input) => input.amount;
`;
const CALLING = `document: { dsl: '1.0.3', namespace: desk, name: calling, version: '1.0.0' }
do: [ { pay: { call: computation/checked, with: { amount: much } } } ]
`;

test('refused runs, stalled views and own types of events are shown', async ({ page, server, complaints }) => {
  const desk = '/playbooks/desk';
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
  await send(server.address, `${desk}/definitions/recall`, { name: 'totals', source: VIEW });
  await send(server.address, `${desk}/definitions/computation`, { name: 'checked', source: CHECKED });
  await send(server.address, `${desk}/definitions/workflow`, { name: 'calling', source: CALLING });
  const { run_id: run } = await send(server.address, `${desk}/definitions/workflow/calling/run`, {});
  for (const type of ['loan.asked', 'broken', 'loan.returned']) {
    await send(server.address, `${desk}/events`, { event: { source: '/desk', type } });
  }

  await page.goto(`${server.address}/#${desk}`);
  await expect(page.getByText(/^0 of 0; not counted: 2 cancelled, unanswered or with invalid input$/)).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Failed and rejected' }).getByRole('link', { name: /^calling/ }),
  ).toBeVisible();
  await page.getByRole('region', { name: 'Failed and rejected' }).hover();
  await page.mouse.wheel(0, 2_000);
  const stalled = page.getByRole('region', { name: 'Stalled views' });
  await expect(stalled.getByRole('link', { name: /^totals.*No amount\./ })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await stalled.getByRole('link').click();
  const alert = page.getByRole('alert', { name: 'View stalled' });
  await expect(alert).toContainText('No amount.');
  await expect(page.getByRole('link', { name: 'totals view stalled' })).toBeVisible();
  await expectAccessible(page);
  await alert.getByRole('link', { name: 'this event' }).click();
  await expect(page.getByRole('dialog')).toContainText('broken');

  await page.goto(`${server.address}/#${desk}/events`);
  const type = page.getByRole('combobox', { name: 'Type' });
  await type.click();
  await page.keyboard.type('loan.as');
  await page.getByRole('option', { name: 'loan.asked' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'loan.asked' })).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: 'loan.returned' })).toHaveCount(0);
  await type.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('loan.none');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No matching events')).toBeVisible();

  await page.goto(`${server.address}/#${desk}/runs/${String(run)}?step=${encodeURIComponent('/do/0/pay')}`);
  await expect(page.getByRole('region', { name: 'Error' })).toContainText('amount');
  expect(complaints).toEqual([]);
});

test('the editor keeps Enter and what is typed after Escape, and front matter is typed without errors', async ({
  page,
  server,
  complaints,
}) => {
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
  await page.goto(`${server.address}/#/playbooks/desk/definitions/new?type=reasoning`);
  await write(page, '');
  await editorOf(page).click();
  await page.keyboard.type('---\nmodel: local/m\nconfig:\n  max_output_tokens: 10\nmax', { delay: 5 });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'Editor shortcuts' })).toBeFocused();
  const theme = await page.locator('html').getAttribute('data-mantine-color-scheme');
  await page.keyboard.type('t g r');
  await expect(editorOf(page)).toContainText('maxt g r');
  await expect(page).toHaveURL(/definitions\/new/);
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(theme);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.keyboard.type('no');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  expect(await textOf(page)).toMatch(/maxt g r\n *n(?!o)/);

  await page.goto(`${server.address}/#/playbooks/desk/definitions/new?type=interaction`);
  await write(page, 'ask:\n  to: ann\n  message: Ready?\n  answer: { type: object }\n  expires: P3D\ndescription');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Space');
  await page.keyboard.press('Escape');
  await page.keyboard.type(': Asks.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('# end');
  await expect(editorOf(page)).toContainText('description: Asks.');
  await expect(editorOf(page)).toContainText('# end');

  await write(page, 'ask:\n  to: ann\n  message: Ready?\n  answer:\n    type: object');
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Space');
  await expect(page.getByRole('option', { name: 'object' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('ti');
  await page.keyboard.press('ControlOrMeta+Space');
  await expect(page.getByRole('option', { name: 'title' })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Two');
  await expect.poll(() => textOf(page)).toMatch(/type: object\n {4}title: Two$/);
  expect(complaints).toEqual([]);
});

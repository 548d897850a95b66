// How texts are shown: panes that are resized, wrapped lines, texts that fill the window, and two runs compared.
import { DESK, editorOf, expect, expectAccessible, makeDesk, send, test } from './studio.ts';

const LONG = `a line that is ${'long '.repeat(80)}`;
const program = (name: string) => `// ${name}: ${LONG}
export default ({ price }) => ({ price, note: 'as asked', total: { net: price, tax: price * 0.19 } });
`;

test('panes are resized by mouse and keyboard, lines wrap, and a source fills the window', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address, { 'computation/bill': program('first') });
  await page.goto(`${server.address}/#${DESK}/definitions/computation/bill`);
  const editor = editorOf(page);
  await expect(editor).toBeVisible();
  const width = async (): Promise<number> => (await editor.boundingBox())?.width ?? 0;
  const height = async (): Promise<number> => (await editor.boundingBox())?.height ?? 0;
  const before = await width();

  const divider = page.getByRole('separator', { name: 'Width of the source' });
  await divider.focus();
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('ArrowRight');
  await expect(divider).toHaveAttribute('aria-valuenow', '65');
  await expect.poll(width).toBeGreaterThan(before + 50);
  const box = (await divider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width / 2, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x - 250, box.y + 300, { steps: 5 });
  await page.mouse.up();
  await expect.poll(width).toBeLessThan(before);
  const dragged = await divider.getAttribute('aria-valuenow');
  await expectAccessible(page);

  const lines = page.locator('.monaco-editor .view-line');
  const count = await lines.count();
  await page.getByRole('button', { name: 'Wrap' }).click();
  await expect.poll(() => lines.count()).toBeGreaterThan(count + 2);
  await page.getByRole('button', { name: 'Full height' }).click();
  await expect.poll(height).toBeGreaterThan(800);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Full height' }).click();
  await expect.poll(height).toBeLessThan(800);

  // The browser keeps both.
  await page.reload();
  await expect(divider).toHaveAttribute('aria-valuenow', String(dragged));
  await expect(page.getByRole('button', { name: 'Wrap' })).toHaveAttribute('aria-pressed', 'true');
  await divider.focus();
  await page.keyboard.press('Enter');
  await expect(divider).toHaveAttribute('aria-valuenow', '55');
  expect(complaints).toEqual([]);
});

test('the inputs and outputs of two runs are compared by path and side by side', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address, { 'computation/bill': program('first') });
  const run = async (price: number): Promise<string> =>
    String((await send(server.address, `${DESK}/definitions/computation/bill/run`, { input: { price } }))['run_id']);
  const first = await run(100);
  await run(200);
  const last = await run(300);
  await page.goto(`${server.address}/#${DESK}/runs/${last}`);
  await page.getByRole('tab', { name: 'Compare' }).click();
  const input = page.getByRole('region', { name: 'Compared input' });
  const output = page.getByRole('region', { name: 'Compared output' });
  // The run before it is the first choice.
  await expect(input.getByRole('row', { name: '/price 200 300' })).toBeVisible();
  await expect(output.getByRole('row')).toHaveCount(4);
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option').last().click();
  await expect(page).toHaveURL(new RegExp(`against=${first}`));
  await expect(output.getByRole('row', { name: '/total/net 100 300' })).toBeVisible();
  await page.reload();
  await expect(output.getByRole('row', { name: '/total/net 100 300' })).toBeVisible();

  await page.getByText('Side by side').click();
  await expect(output.locator('.monaco-diff-editor')).toContainText('"net": 300');
  await expect(output.locator('.monaco-diff-editor')).toContainText('"net": 100');
  await output.getByRole('button', { name: 'Wrap' }).click();
  await expect(output.getByRole('button', { name: 'Wrap' })).toHaveAttribute('aria-pressed', 'true');
  await expect(input.getByRole('button', { name: 'Wrap' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Open the other run' }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${first}`));
  expect(complaints).toEqual([]);
});

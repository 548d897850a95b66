// One history for the graph, the form of a step and the text of a workflow, by keys and by buttons.
import type { Page } from '@playwright/test';
import { DESK, editorOf, expect, makeDesk, test } from './studio.ts';
import { sourceOf, stepOf, toolOf, typeInto } from './writing.ts';

const ORDER = `document: { dsl: '1.0.3', namespace: desk, name: order, version: '1.0.0' }
do:
  - price:
      set: { sum: 42 } # in EUR
  - pause:
      wait: PT0S
  - part:
      set: { done: true }
`;

const tabOf = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

async function openOrder(page: Page, address: string): Promise<void> {
  await makeDesk(address, { 'workflow/order': ORDER });
  await page.goto(`${address}/#${DESK}/definitions/workflow/order`);
  await expect(stepOf(page, 'price')).toBeVisible();
  await expect(editorOf(page)).toContainText('in EUR');
}

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  await expect(editorOf(page)).toContainText(text);
}

test('edits of the graph and the text are undone and repeated with the focus in either, also after a save', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  await stepOf(page, 'price').click();
  await page.keyboard.press('Control+d');
  await expect(stepOf(page, 'price-2')).toBeFocused();
  await typeAtEnd(page, '#typed');
  await stepOf(page, 'part').click();
  await page.keyboard.press('Delete');
  await expect(stepOf(page, 'part')).toHaveCount(0);
  // In the graph: the step that comes back is chosen, and has the focus for the next key.
  await page.keyboard.press('Control+z');
  await expect(stepOf(page, 'part')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(editorOf(page)).not.toContainText('#typed');
  await page.keyboard.press('Control+z');
  await expect(stepOf(page, 'price-2')).toHaveCount(0);
  await expect(stepOf(page, 'price')).toBeFocused();
  await page.keyboard.press('Control+Shift+z');
  await expect(stepOf(page, 'price-2')).toBeFocused();
  // In the text.
  await editorOf(page).click();
  await page.keyboard.press('Control+y');
  await expect(editorOf(page)).toContainText('#typed');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+Shift+z');
  await expect(stepOf(page, 'part')).toHaveCount(0);
  await toolOf(page, 'Undo').click();
  await toolOf(page, 'Undo').click();
  await toolOf(page, 'Undo').click();
  expect(await sourceOf(page)).toBe(ORDER);
  expect(complaints).toEqual([]);
});

test('in the form of a step, keys undo what was typed in a field, and then the last edit', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  await stepOf(page, 'pause').click();
  await page.keyboard.press('Enter');
  const form = page.getByRole('region', { name: /^Fields of / });
  const field = (name: string) => form.getByLabel(name, { exact: true });
  await typeInto(field('Name'), 'rest');
  await page.keyboard.press('Enter');
  await expect(stepOf(page, 'rest')).toBeVisible();
  await field('Then').selectOption('exit');
  await expect(editorOf(page)).toContainText('then: exit');
  await typeInto(field('If'), 'x');
  await page.keyboard.press('Control+z');
  await expect(field('If')).toHaveValue('');
  await expect(editorOf(page)).toContainText('then: exit');
  await page.keyboard.press('Control+z');
  await expect(editorOf(page)).not.toContainText('then: exit');
  await expect(field('Then')).toHaveValue('');
  await expect(field('If')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(field('Name')).toHaveValue('pause');
  await expect(stepOf(page, 'pause')).toBeVisible();
  await expect(field('If')).toBeFocused();
  await page.keyboard.press('Control+y');
  await expect(field('Name')).toHaveValue('rest');
  await field('Then').focus();
  await page.keyboard.press('Control+y');
  await expect(field('Then')).toHaveValue('exit');
  expect(await sourceOf(page)).toBe(
    ORDER.replace('- pause:\n      wait: PT0S\n', '- rest:\n      wait: PT0S\n      then: exit\n'),
  );
  expect(complaints).toEqual([]);
});

test('the history stays while another tab of the page is shown, and Undo all is one step of it', async ({
  page,
  server,
  complaints,
}) => {
  await openOrder(page, server.address);
  await typeAtEnd(page, '#typed');
  await stepOf(page, 'price').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(stepOf(page, 'price')).toBeFocused();
  const edited = ORDER.replace(/( {2}- price:\n.*\n)( {2}- pause:\n.*\n)/, '$2$1').concat('#typed');
  expect(await sourceOf(page)).toBe(edited);
  await tabOf(page, 'Run').click();
  await tabOf(page, 'Source').click();
  await stepOf(page, 'pause').click();
  await page.keyboard.press('Control+z');
  expect(await sourceOf(page)).toBe(`${ORDER}#typed`);
  await page.keyboard.press('Control+y');
  expect(await sourceOf(page)).toBe(edited);

  await toolOf(page, 'Undo all').click();
  expect(await sourceOf(page)).toBe(ORDER);
  await page.keyboard.press('Control+z');
  expect(await sourceOf(page)).toBe(edited);
  await expect(page.getByText('Not saved yet')).toBeVisible();

  // A draft that is restored begins a history of its own.
  await page.reload();
  await stepOf(page, 'part').click();
  await page.keyboard.press('Delete');
  await expect(stepOf(page, 'part')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('status').filter({ hasText: 'nothing to undo' })).toBeVisible();
  expect(await sourceOf(page)).toBe(edited);
  await toolOf(page, 'Undo all').click();
  expect(await sourceOf(page)).toBe(ORDER);
  expect(complaints).toEqual([]);
});

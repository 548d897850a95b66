import type { Page } from '@playwright/test';
import { editorOf, expect, expectAccessible, makeSample, test } from './studio.ts';

/** Pastes over all that stands in the editor: typed lines would be indented by it. */
async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press('ControlOrMeta+v');
}

const COMPUTATION = `export const description = 'Doubles a number.';
export const input = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
export default function (input) {
  return { twice: input.n * 2 }
}
`;
const WORKFLOW = `document: { dsl: '1.0.3', namespace: desk, name: twice-twice, version: '1.0.0' }
do:
  - first:
      call: computation/doubled
      with: { n: 4 }
  - last:
      set: '\${ { result: .twice } }'
`;

test('each kind: a mistake is marked on its line, mended, saved and run', async ({ page, server, complaints }) => {
  await makeSample(page, server.address);
  await page.getByRole('link', { name: 'Definitions' }).click();
  await page.getByRole('link', { name: 'New definition' }).click();
  await expect(page.getByText('No issues')).toBeVisible();

  await write(page, COMPUTATION.replace('return {', 'return {{'));
  await expect(page.getByText('1 issue')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Line 4' })).toBeVisible();
  await expect(page.locator('.squiggly-error')).toBeVisible();
  await expectAccessible(page);
  await write(page, COMPUTATION);
  await expect(page.getByText('No issues')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('doubled');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'doubled' })).toBeVisible();
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('textbox', { name: 'n', exact: true }).fill('21');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('"twice": 42');

  await page.getByRole('link', { name: 'New definition' }).click();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'workflow' }).click();
  await expect(page.getByText('No issues')).toBeVisible();
  await write(page, WORKFLOW.replace('with:', 'wiht:'));
  await expect(page.getByRole('button', { name: 'Line 5' })).toBeVisible();
  await write(page, WORKFLOW);
  await expect(page.getByText('No issues')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Graph' })).toContainText('computation/doubled');
  await page.getByRole('textbox', { name: 'Name' }).fill('twice-twice');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'twice-twice' })).toBeVisible();
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('link', { name: 'Open the run' }).click();
  await expect(page.getByRole('row', { name: /last.*finished/ })).toBeVisible();

  await page.getByRole('link', { name: 'Definitions' }).click();
  await page.getByRole('link', { name: 'doubled' }).click();
  await expect(page.getByText('workflow/twice-twice')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('what was not saved is kept over a reload, and becomes a version that can be compared', async ({
  page,
  server,
  complaints,
}) => {
  await makeSample(page, server.address);
  await page.goto(`${server.address}/#/playbooks/support-desk/definitions/computation/triage-score`);
  await expect(page.getByText('No issues')).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// Reviewed.\n');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.reload();
  await expect(editorOf(page)).toContainText('// Reviewed.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('radio', { name: 'Version 1 before' })).toBeChecked();
  await expect(page.locator('.monaco-diff-editor')).toContainText('// Reviewed.');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('a definition is retired only after a word of warning', async ({ page, server, complaints }) => {
  await makeSample(page, server.address);
  await page.goto(`${server.address}/#/playbooks/support-desk/definitions/workflow/weekly-digest`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Retire…' }).click();
  await expect(page.getByRole('dialog')).toContainText('for ever');
  await page.getByRole('button', { name: 'Retire for ever' }).click();
  await expect(page.getByText('Retired', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show 1 retired' })).toBeVisible();
  expect(complaints).toEqual([]);
});

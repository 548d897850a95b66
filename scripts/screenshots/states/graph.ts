// A workflow edited in its graph.
import type { Locator, Page } from 'playwright-core';
import { AT_DESK, editorOf, inOrder, type MainPicture, press, SAMPLE, showPanel } from './picture.ts';

const ORDER = `${AT_DESK}/definitions/workflow/order`;

export function graphPictures(): MainPicture[] {
  return [
    { name: 'graph', path: `${SAMPLE}/definitions/workflow/review-batch`, act: (page) => showPanel(page, 'Graph') },
    { name: 'graph-step', path: ORDER, act: choose('price') },
    { name: 'graph-step-form', path: ORDER, act: inOrder(choose('charge'), press('Edit')) },
    {
      name: 'graph-step-form-of-a-call',
      path: `${AT_DESK}/definitions/workflow/decide`,
      act: inOrder(choose('ask'), press('Edit')),
    },
    { name: 'graph-add-step', path: ORDER, act: inOrder(choose('price'), press('Add step after')) },
    {
      name: 'graph-add-step-found',
      path: ORDER,
      act: inOrder(choose('price'), press('Add step after'), (page) => page.keyboard.type('quote')),
    },
    {
      name: 'graph-step-added',
      path: ORDER,
      async act(page) {
        await inOrder(choose('price'), press('Add step after'))(page);
        await page.keyboard.type('quote');
        await page.keyboard.press('Enter');
        await stepOf(page, 'quote').waitFor();
      },
    },
    {
      name: 'graph-step-deleted',
      path: ORDER,
      async act(page) {
        await choose('never')(page);
        await page.keyboard.press('Delete');
        await page.getByRole('status').filter({ hasText: 'Deleted never.' }).waitFor();
      },
    },
    {
      name: 'graph-empty-list',
      path: ORDER,
      async act(page) {
        await choose('weigh')(page);
        await page.keyboard.press('Delete');
        await page.getByRole('button', { name: 'Insert a step into each', exact: true }).waitFor();
      },
    },
    {
      name: 'graph-of-the-last-version-without-issues',
      path: ORDER,
      async act(page) {
        await editorOf(page).click();
        await page.keyboard.press('ControlOrMeta+Home');
        await page.keyboard.insertText('a: [\n');
        await page.getByRole('list', { name: 'Issues' }).waitFor();
        await choose('price')(page);
        await page.keyboard.press('Delete');
        await page.getByRole('status').filter({ hasText: 'not valid YAML' }).waitFor();
      },
    },
    { name: 'graph-steps-table', path: ORDER, act: (page) => showPanel(page, 'Steps') },
  ];
}

const stepOf = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: new RegExp(`^${name}, `) }).first();

const choose =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await showPanel(page, 'Graph');
    // A step that is partly outside of the view is brought in by the focus.
    await stepOf(page, name).focus();
    await stepOf(page, name).click({ position: { x: 12, y: 12 } });
  };

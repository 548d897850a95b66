// One run: its timeline and tree, the details of a step, its data, its history, and the comparison with another.
import type { Page } from 'playwright-core';
import { AT_DESK, inOrder, latestRun, type MainPicture, openRow, press, SAMPLE } from './picture.ts';

export async function runPictures(address: string): Promise<MainPicture[]> {
  const of = async (playbook: string, query: string): Promise<string> =>
    `${playbook}/runs/${await latestRun(address, playbook, query)}`;
  const waiting = await of(SAMPLE, 'name=handle-report&status=started');
  const handled = await of(SAMPLE, 'name=handle-report&status=succeeded');
  const briefed = await of(SAMPLE, 'name=brief-shift&status=succeeded');
  const order = await of(AT_DESK, 'name=order&top_level=true');
  const many = await of(AT_DESK, 'name=many');
  const quoted = await of(AT_DESK, 'name=quote&top_level=true&status=succeeded');
  const cities = await of(AT_DESK, 'name=workshops');
  return [
    { name: 'run-that-waits', path: waiting },
    { name: 'run-of-a-workflow', path: handled },
    { name: 'run-of-a-workflow-history', path: `${handled}?tab=history` },
    { name: 'run-that-was-rejected', path: await of(SAMPLE, 'status=rejected') },
    { name: 'run-that-failed', path: await of(SAMPLE, 'name=summarise-report&status=failed') },
    { name: 'run-with-a-program-error', path: await of(AT_DESK, 'name=charge&top_level=true&status=rejected') },
    { name: 'run-with-turns', path: `${briefed}?tab=timeline` },
    { name: 'run-with-turns-data', path: briefed },
    { name: 'run-of-a-failed-workflow', path: order },
    { name: 'run-before-it-is-cancelled', path: waiting, act: press('Cancel') },
    { name: 'run-copy-as', path: handled, act: press('Copy as') },
    { name: 'run-save-as-example', path: quoted, act: press('Save as example…') },
    { name: 'run-again', path: quoted.replace('/runs/', '/definitions/computation/quote?tab=run&from_run=') },
    {
      name: 'run-summary-in-full',
      path: order,
      act: press(/^Show all \d+ lines$/),
    },
    { name: 'run-step', path: order, act: chooseStep(/^size/) },
    { name: 'run-step-in-a-loop', path: order, act: chooseStep(/^weigh/) },
    { name: 'run-step-that-failed', path: order, act: chooseStep(/^charge call/) },
    { name: 'run-step-of-the-graph', path: order, act: chooseNode(/^price, set/) },
    { name: 'run-step-not-reached', path: order, act: chooseNode(/^never, set/) },
    { name: 'run-step-with-turns', path: `${briefed}?tab=timeline`, act: chooseStep(/turn 1/) },
    {
      name: 'run-again-from-a-step',
      path: order,
      act: inOrder(chooseStep(/^charge call/), async (page) => {
        await page.getByRole('heading', { name: /^charge/ }).waitFor();
        await page.getByRole('button', { name: 'Run again from here' }).click();
        await page.getByRole('dialog', { name: 'Run again from charge' }).waitFor();
      }),
    },
    { name: 'run-tree', path: many },
    {
      name: 'run-tree-collapsed',
      path: many,
      async act(page) {
        await page.getByRole('treegrid', { name: 'Timeline' }).focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowLeft');
      },
    },
    { name: 'run-tree-found', path: `${many}?find=charge` },
    { name: 'run-tree-without-matches', path: `${many}?only=failed&find=nowhere` },
    {
      name: 'run-history-event',
      path: `${order}?tab=history`,
      act: (page) => openRow(page.getByRole('table', { name: 'History' }).getByRole('row').nth(3)),
    },
    { name: 'run-history-found', path: `${order}?tab=history&find=failed` },
    { name: 'run-data', path: `${order}?tab=data` },
    { name: 'run-compared', path: `${quoted}?tab=compare` },
    {
      name: 'run-compared-side-by-side',
      path: `${quoted}?tab=compare`,
      act: inOrder(
        (page) => page.getByText('Side by side').click(),
        (page) => page.locator('.monaco-diff-editor').last().waitFor(),
      ),
    },
    { name: 'run-without-another-to-compare', path: `${cities}?tab=compare` },
    { name: 'run-output-as-a-table', path: cities },
    {
      name: 'run-output-as-json',
      path: cities,
      act: (page) => page.getByRole('radiogroup', { name: 'Show the output as' }).getByText('JSON').click(),
    },
    {
      name: 'run-panes-resized',
      path: order,
      act: inOrder(chooseStep(/^size/), async (page) => {
        const divider = page.getByRole('separator', { name: 'Width of the timeline' });
        // A narrow page has none.
        if (!(await divider.isVisible())) return;
        await divider.focus();
        for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('ArrowLeft');
      }),
    },
  ];
}

/** Chooses a row of the timeline: its details open beside it. */
const chooseStep =
  (name: RegExp) =>
  async (page: Page): Promise<void> => {
    const row = page.getByRole('treegrid', { name: 'Timeline' }).getByRole('row', { name }).first();
    await row.scrollIntoViewIfNeeded();
    await openRow(row);
    await page
      .getByLabel(/^Details of /)
      .first()
      .waitFor();
  };

/** Chooses a node of the graph. */
const chooseNode =
  (name: RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('group', { name }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByLabel(/^Details of /)
      .first()
      .waitFor();
  };

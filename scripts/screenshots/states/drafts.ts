// Draft runs: what is in the editor runs without being saved, asks in place, and becomes an example.
import type { Page } from 'playwright-core';
import { DESK_SOURCES } from '../make-desk.ts';
import { AT_DESK, inOrder, type MainPicture, press, writeSource } from './picture.ts';

const DECIDE = `${AT_DESK}/definitions/workflow/decide`;
const EXTENDED = `${DESK_SOURCES['workflow/decide'].trimEnd()}
  - done: { set: { decided: "\${ .approved }" } }
`;

export function draftPictures(): MainPicture[] {
  const quote = `${AT_DESK}/definitions/computation/quote?tab=run`;
  return [
    { name: 'draft-run-with-changes', path: DECIDE, act: changeAndRun },
    { name: 'draft-run-question', path: DECIDE, act: inOrder(changeAndRun, ask) },
    { name: 'draft-run-result', path: DECIDE, act: inOrder(changeAndRun, ask, answer) },
    {
      name: 'draft-run-of-a-computation',
      path: quote,
      act: inOrder(runDraft, (page) => page.getByText('not recorded').first().waitFor()),
    },
    {
      name: 'save-as-example',
      path: quote,
      act: inOrder(runDraft, press('Save as example…'), (page) =>
        page.getByRole('dialog', { name: 'Save as example' }).getByRole('textbox', { name: 'Name' }).fill('usual'),
      ),
    },
    {
      name: 'draft-run-failed',
      path: `${AT_DESK}/definitions/workflow/order?tab=run`,
      act: inOrder(runDraft, (page) => page.getByText('The card was refused.').first().waitFor()),
    },
    {
      name: 'draft-run-waits-for-an-event',
      path: `${AT_DESK}/definitions/workflow/hold?tab=run`,
      act: inOrder(runDraft, (page) => page.getByRole('region', { name: 'Waiting for an event' }).waitFor()),
    },
  ];
}

async function runDraft(page: Page): Promise<void> {
  await page.getByText('Draft run', { exact: true }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
}

/** Changes the source of the workflow, and opens the panel in which its draft runs. */
async function changeAndRun(page: Page): Promise<void> {
  await writeSource(page, EXTENDED);
  await page.getByText('Not saved yet').first().waitFor();
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByLabel('Input as JSON').fill('{ "hours": 2 }');
}

async function ask(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('region', { name: 'Waiting for an answer from editor' }).waitFor();
}

async function answer(page: Page): Promise<void> {
  const question = page.getByRole('region', { name: 'Waiting for an answer from editor' });
  await question.getByRole('button', { name: 'Yes' }).click();
  await question.getByRole('button', { name: 'Answer' }).click();
  await page.getByRole('status').filter({ hasText: 'Succeeded' }).waitFor();
  await page.getByRole('button', { name: 'Output of price' }).click();
}

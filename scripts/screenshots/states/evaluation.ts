// Versions and models side by side: the bench of a prompt, and the evaluation of cases.
import type { Page } from 'playwright-core';
import { AT_DESK, inOrder, type MainPicture, press, SAMPLE } from './picture.ts';

const SUM_UP = `${AT_DESK}/definitions/reasoning/sum-up`;
const CASES = [
  { name: 'gulls', input: { remark: 'Two gulls were struck.' }, check: '.output.text | contains("gulls")' },
  { name: 'starlings', input: { remark: 'A flock of starlings.' }, check: '.output.text | contains("starlings")' },
];

export function evaluationPictures(): MainPicture[] {
  return [
    { name: 'bench', path: `${SUM_UP}?tab=bench`, act: fillRemark },
    {
      name: 'bench-two-versions',
      path: `${SUM_UP}?tab=bench`,
      act: inOrder(fillRemark, addVersion, press(/^Ask/), answered(2)),
    },
    {
      name: 'bench-two-models',
      path: `${SUM_UP}?tab=bench`,
      act: inOrder(fillRemark, addModels, press(/^Ask/), answered(2)),
    },
    {
      name: 'bench-saved-as-a-case',
      path: `${SUM_UP}?tab=bench`,
      act: inOrder(fillRemark, press(/^Ask/), answered(1), press('Save as case')),
    },
    {
      name: 'evaluate-cases',
      path: `${SUM_UP}?tab=evaluate`,
      act: writeCases(CASES.map((one) => JSON.stringify(one))),
    },
    {
      name: 'evaluate-invalid-cases',
      path: `${SUM_UP}?tab=evaluate`,
      act: writeCases(['{"input": }', '{"input":{}}']),
    },
    {
      name: 'evaluate-results',
      path: `${SUM_UP}?tab=evaluate`,
      act: inOrder(
        writeCases(CASES.map((one) => JSON.stringify(one))),
        addVersion,
        (page) => page.getByRole('button', { name: 'Evaluate', exact: true }).click(),
        (page) => page.getByText('4 of 4 runs ended.').waitFor(),
      ),
    },
    { name: 'evaluate-not-possible', path: `${SAMPLE}/definitions/interaction/hand-over?tab=evaluate` },
  ];
}

const fillRemark = (page: Page): Promise<void> =>
  page.getByRole('textbox', { name: 'remark' }).fill('Two gulls at rotation, left engine.');

async function addVersion(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Versions' }).press('ArrowDown');
  await page.getByRole('option', { name: 'Version 1', exact: true }).click();
  await page.keyboard.press('Escape');
}

async function addModels(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Models' }).click();
  for (const model of ['desk/desk-small', 'desk/desk-large']) {
    await page.keyboard.type(model);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
}

/** Waits for so many answers. */
const answered =
  (count: number) =>
  (page: Page): Promise<void> =>
    page
      .getByRole('button', { name: 'Save as case' })
      .nth(count - 1)
      .waitFor();

const writeCases =
  (lines: readonly string[]) =>
  (page: Page): Promise<void> =>
    page.getByRole('textbox', { name: 'Cases, one JSON object a line' }).fill(`${lines.join('\n')}\n`);

// A prediction function from its dataset to a forecast: everything that a person does is a click or a key.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { CONTEXT, drift, HORIZON, seasonalNaive } from '../server/lib/onnx/models.testing.ts';
import { locateRuntime } from '../server/lib/onnx/runtime.ts';
import { SAMPLE_FOLDER } from '../server/resources.ts';
import { expect, expectAccessible, send, test } from './studio.ts';
import { typeInto, write } from './writing.ts';

const runtime = locateRuntime();
// A skipped test says why.
test.skip('reason' in runtime, 'reason' in runtime ? runtime.reason : '');

const DATASET = path.join(SAMPLE_FOLDER, 'data', 'monthly-reports.csv');
const FUNCTION = '/playbooks/desk/definitions/prediction/monthly-reports';
const SOURCE = `description: Reports of wildlife strikes expected per month and airport.
dataset: { value: reports, static: [state], unit: reports }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
`;

async function choose(page: Page, button: string, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(files);
}

/** Files of models, and of one that is none. */
function modelFiles(folder: string): { good: string[]; wrong: string } {
  const file = (name: string, bytes: Uint8Array | string): string => {
    const at = path.join(folder, name);
    writeFileSync(at, bytes);
    return at;
  };
  return {
    good: [file('season.onnx', seasonalNaive(CONTEXT)), file('drift.onnx', drift())],
    wrong: file('notes.onnx', 'no model'),
  };
}

test('a dataset is uploaded and drawn, a build scores models, a version is activated, and a forecast has an interval', async ({
  page,
  server,
  complaints,
}) => {
  const models = modelFiles(server.dataDir);
  const broken = path.join(server.dataDir, 'broken.csv');
  writeFileSync(broken, 'series,period,reports,state\na,2024-01,1,x\na,2024-Q1,2,x\n');

  // The sample playbook would come with the dataset.
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk' });
  await page.goto(`${server.address}/#/playbooks/desk/definitions/new?type=prediction`);
  await write(page, SOURCE);
  await expect(page.getByText('No issues')).toBeVisible();
  await typeInto(page.getByRole('textbox', { name: 'Name' }), 'monthly-reports');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'monthly-reports', exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Dataset' }).click();
  await expect(page.getByText('No dataset yet')).toBeVisible();
  await choose(page, 'Upload a dataset…', broken);
  await expect(page.getByRole('region', { name: 'Upload' }).getByRole('alert')).toContainText('Line 3');
  await choose(page, 'Upload a dataset…', DATASET);
  await expect(page.getByRole('status').filter({ hasText: 'Stored:' })).toBeVisible();
  await typeInto(page.getByRole('textbox', { name: 'Search series' }), 'denver');
  const denver = page.getByRole('region', { name: 'Series' }).getByRole('link', { name: /DENVER/ });
  await denver.click();
  const chart = page.getByRole('region', { name: 'Chart' });
  await expect(chart.getByRole('heading', { name: /DENVER/ })).toBeVisible();
  await expect(chart.locator('.recharts-line-curve')).toHaveCount(1);
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Forecast' }).click();
  await expect(page.getByText('No active model version')).toBeVisible();
  await page.getByRole('link', { name: 'Open the models' }).click();
  await page.getByRole('button', { name: 'Start a build' }).click();
  const build = page.getByRole('region', { name: /^Build / });
  await expect(build.getByRole('status')).toHaveText('Waiting for its trainer, forecasters');

  await build.getByRole('link', { name: 'Upload models and answer' }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer.getByRole('link', { name: 'Brief' })).toHaveAttribute('href', /\/build\/brief$/);
  await choose(page, 'Upload models…', models.wrong);
  await expect(answer.getByRole('status').filter({ hasText: 'notes.onnx' })).toContainText('Not accepted');
  await choose(page, 'Upload models…', models.good);
  await expect(answer.getByRole('status').filter({ hasText: 'drift.onnx' })).toContainText('Accepted');
  await expect(answer.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Answered' })).toBeVisible();

  await page.goto(`${server.address}/#${FUNCTION}?tab=models`);
  await expect(build.getByRole('status')).toHaveText('Ended: version 1 not activated');
  await expect(build.getByRole('row', { name: / Best / })).toHaveCount(1);
  await expect(build.getByRole('row', { name: /Baseline/ })).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Activate version 1…' }).click();
  await expect(page.getByRole('dialog', { name: 'Activate version 1?' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /^1 Active/ })).toBeVisible();
  await expect(page.getByText('a caller activated it')).toBeVisible();

  await page.getByRole('tab', { name: 'Forecast' }).click();
  await typeInto(page.getByRole('combobox', { name: 'Series' }), 'denver');
  await page.getByRole('option', { name: /DENVER/ }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  const forecast = page.getByRole('region', { name: 'Forecast' });
  await expect(forecast).toContainText('Predicted by version 1');
  await expect(forecast.locator('.recharts-line-curve')).toHaveCount(2);
  await expect(forecast.locator('.recharts-area-area')).toHaveCount(1);
  await forecast.getByText('As a table').click();
  await expect(forecast.getByRole('row').filter({ hasText: /\d \([-\d.,]+ to [-\d.,]+\)/ })).toHaveCount(HORIZON);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

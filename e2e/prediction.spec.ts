// A prediction function from its dataset to a forecast: everything that a person does is a click or a key.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { fitForecasts } from '../resources/trainers/node/fit.ts';
import { linearModel } from '../resources/trainers/node/linear-model.ts';
import { readRows } from '../resources/trainers/node/read-rows.ts';
import { CONTEXT, drift, HORIZON, seasonalNaive } from '../server/lib/onnx/models.testing.ts';
import { locateRuntime } from '../server/lib/onnx/runtime.ts';
import { SAMPLE_DATASET } from '../server/runtime/resources.ts';
import { SERVER_PROGRAM } from '../server/test/index.ts';
import { chooseFiles, dropFiles, type NamedFile } from './files.ts';
import { expect, expectAccessible, makeDesk, openSample, send, test } from './studio.ts';
import { typeInto, write } from './writing.ts';

const runtime = locateRuntime();
// A skipped test says why.
test.skip('reason' in runtime, 'reason' in runtime ? runtime.reason : '');

const SOURCE = `description: Reports of wildlife strikes expected per month and airport.
dataset: { value: reports, static: [state], unit: reports }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
`;
/** The example of the sample's function: its name is the heading of the forecast. */
const SAMPLE_FORECAST = 'Six months of reports from Sacramento';
const SAMPLE_HORIZON = 6;

/** Files of models, and of one that is none. */
function modelFiles(folder: string): { good: string[]; wrong: string } {
  const file = ({ name, bytes }: NamedFile): string => {
    const at = path.join(folder, name);
    writeFileSync(at, bytes);
    return at;
  };
  return {
    good: [file({ name: 'season.onnx', bytes: seasonalNaive(CONTEXT) }), file({ name: 'drift.onnx', bytes: drift() })],
    wrong: file({ name: 'notes.onnx', bytes: 'no model' }),
  };
}

/** Defines the function `monthly-reports` in a playbook without a dataset. */
async function givenFunction(address: string, source = SOURCE): Promise<void> {
  // The sample playbook would come with the dataset.
  await makeDesk(address, { 'prediction/monthly-reports': source });
}

const FUNCTION = '/playbooks/desk/definitions/prediction/monthly-reports';
const buildOn = (page: Page): Locator => page.getByRole('region', { name: /^Build / });
const uploadOf = (page: Page, file: string): Locator => page.getByRole('status').filter({ hasText: file });

/** The forecast of the sample on its home page, where it is loaded when it is scrolled into view. */
async function sampleForecast(page: Page): Promise<Locator> {
  await expect(page.getByRole('region', { name: 'Failed and rejected' })).toBeVisible();
  await page.getByRole('region', { name: 'Failed and rejected' }).hover();
  await page.mouse.wheel(0, 3_000);
  return page.getByRole('region', { name: SAMPLE_FORECAST });
}

/** Starts a build with the link on the home page of the sample. */
async function startBuild(page: Page): Promise<void> {
  const forecast = await sampleForecast(page);
  await expect(forecast).toContainText('There is no forecast yet');
  await forecast.getByRole('link', { name: 'Start a build' }).click();
  await page.getByRole('button', { name: 'Start a build' }).click();
  await expect(buildOn(page).getByRole('status')).toHaveText('Waiting for its trainer, forecasters');
}

/** The build ended with an active version, and the home page shows its forecast. */
async function expectForecast(page: Page): Promise<void> {
  const build = buildOn(page);
  await expect(build.getByRole('status')).toHaveText('Ended: version 1 activated');
  await expect(build.getByRole('row', { name: / Best / })).toHaveCount(1);
  await expect(build.getByRole('row', { name: /Baseline/ })).toHaveCount(3);
  await expect(page.getByRole('row', { name: /^1 Active/ })).toBeVisible();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click();
  const forecast = await sampleForecast(page);
  await expect(forecast).toContainText('Predicted by version 1. The interval is meant to contain 80% of the values.');
  await expect(forecast.locator('.recharts-line-curve')).toHaveCount(2);
  await expect(forecast.locator('.recharts-area-area')).toHaveCount(1);
  await forecast.getByText('As a table').click();
  await expect(forecast.getByRole('row').filter({ hasText: /\d \([-\d.,]+ to [-\d.,]+\)/ })).toHaveCount(
    SAMPLE_HORIZON,
  );
  await expectAccessible(page);
}

test('a dataset is uploaded and drawn, a build scores models, a version is activated, and a forecast has an interval', async ({
  page,
  server,
  complaints,
}) => {
  const models = modelFiles(server.dataDir);
  await makeDesk(server.address);
  await page.goto(`${server.address}/#/playbooks/desk/definitions/new?type=prediction`);
  await write(page, SOURCE);
  await expect(page.getByText('No issues')).toBeVisible();
  await typeInto(page.getByRole('textbox', { name: 'Name' }), 'monthly-reports');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'monthly-reports', exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Dataset' }).click();
  await expect(page.getByText('No dataset yet')).toBeVisible();
  await chooseFiles(page, 'Upload a dataset…', SAMPLE_DATASET);
  await expect(uploadOf(page, 'monthly-reports.csv')).toContainText('Stored:');
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
  // The link is gone.
  await expect(page.getByRole('tab', { name: 'Models' })).toBeFocused();
  await page.getByRole('button', { name: 'Start a build' }).click();
  const build = buildOn(page);
  await expect(build.getByRole('status')).toHaveText('Waiting for its trainer, forecasters');

  await build.getByRole('link', { name: 'Upload models and answer' }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer.getByRole('link', { name: 'Brief' })).toHaveAttribute('href', /\/build\/brief$/);
  await chooseFiles(page, 'Upload models…', models.wrong);
  await expect(uploadOf(page, 'notes.onnx')).toContainText('Not accepted');
  await chooseFiles(page, 'Upload models…', models.good);
  await expect(uploadOf(page, 'drift.onnx')).toContainText('Accepted');
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
  const dialog = page.getByRole('dialog', { name: 'Activate version 1?' });
  await expect(dialog.getByRole('button', { name: 'Activate' })).toBeFocused();
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

test('a dropped dataset that is refused names its line, and one that is cut off is sent again', async ({
  page,
  server,
  complaints,
}) => {
  await givenFunction(server.address);
  await page.goto(`${server.address}/#${FUNCTION}?tab=dataset`);
  const hint = 'Or drop a CSV file here';
  await dropFiles(page, hint, [
    { name: 'broken.csv', bytes: 'series,period,reports,state\na,2024-01,1,x\na,2024-Q1,2,x\n' },
  ]);
  const uploading = page.getByRole('region', { name: 'Upload' });
  await expect(uploading.getByRole('alert')).toContainText('Line 3');
  await expect(page.getByText('No dataset yet')).toBeVisible();
  await expectAccessible(page);

  await page.route('**/datasets/*', (route) => route.abort('connectionreset'), { times: 1 });
  await dropFiles(page, hint, [{ name: 'monthly-reports.csv', bytes: readFileSync(SAMPLE_DATASET) }]);
  await expect(uploading.getByRole('alert')).toContainText('Connection lost');
  await uploading.getByRole('button', { name: 'Try again' }).click();
  await expect(uploadOf(page, 'monthly-reports.csv')).toContainText('Stored: 50 series');
  await expect(uploading.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Chart' }).locator('.recharts-line-curve')).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test('a build takes eight candidates at most, and is cancelled', async ({ page, server, complaints }) => {
  await givenFunction(server.address);
  await page.goto(`${server.address}/#${FUNCTION}?tab=dataset`);
  await chooseFiles(page, 'Upload a dataset…', SAMPLE_DATASET);
  await expect(uploadOf(page, 'monthly-reports.csv')).toContainText('Stored:');
  await page.getByRole('tab', { name: 'Models' }).click();
  await page.getByRole('button', { name: 'Start a build' }).click();
  await buildOn(page).getByRole('link', { name: 'Upload models and answer' }).click();
  const seasons = Array.from({ length: 9 }, (_, index) => index + 1);
  await dropFiles(
    page,
    'Or drop ONNX files here',
    seasons.map((season) => ({ name: `season-${season}.onnx`, bytes: seasonalNaive(season) })),
  );
  await expect(uploadOf(page, 'season-8.onnx')).toContainText('Accepted');
  await expect(uploadOf(page, 'season-9.onnx')).toContainText('Not accepted');
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await expect(answer.getByRole('alert')).toContainText('8 candidates');
  await expect(answer.getByRole('checkbox', { checked: true })).toHaveCount(8);

  await page.goto(`${server.address}/#${FUNCTION}?tab=models`);
  const build = buildOn(page);
  await expect(build).toContainText('8 candidates uploaded');
  await build.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await expect(build.getByRole('status')).toHaveText('Ended without a version');
  await expect(build.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await expect(build.getByRole('heading')).toBeFocused();
  expect(complaints).toEqual([]);
});

/** Uploads a file that the service accepts; returns its answer. */
async function upload(address: string, method: string, route: string, type: string, bytes: Uint8Array) {
  const headers = { 'content-type': type };
  const body = new Uint8Array(bytes);
  const response = await fetch(`${address}/v1/orgs/local/playbooks/desk${route}`, { method, headers, body });
  expect(response.ok).toBe(true);
  return (await response.json()) as { candidate?: string };
}

test('a version that waits for its approval is approved in the inbox and then answers questions', async ({
  page,
  server,
  complaints,
}) => {
  const { address } = server;
  await givenFunction(address, `${SOURCE}windows: 2\nactivate: { approval: { interaction: approve } }\n`);
  const source = `input: { type: object, required: [function, version] }
ask:
  to: boss
  message: "Activate version {{ input.version }} of {{ input.function }}?"
  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }
`;
  await send(address, '/playbooks/desk/definitions/interaction', { name: 'approve', source });
  const csv = readFileSync(SAMPLE_DATASET);
  await upload(address, 'PUT', `/datasets/${createHash('sha256').update(csv).digest('hex')}`, 'text/csv', csv);
  const build = await send(address, `${FUNCTION}/run`, { input: { build: {} } });
  const candidates = `/runs/${String(build.run_id)}/build/candidates`;
  const { candidate } = await upload(address, 'POST', candidates, 'application/octet-stream', drift());
  await send(address, `/playbooks/desk/runs/${String(build.run_id)}/answer`, { answer: { candidates: [candidate] } });

  await page.goto(`${address}/#${FUNCTION}?tab=models`);
  await expect(buildOn(page).getByRole('status')).toHaveText('Ended: version 1 waits for its approval');
  await expect(page.getByRole('row', { name: /^1 Pending: approval/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Inbox 1 waiting' }).click();
  await page.getByRole('link', { name: /Activate version 1 of monthly-reports/ }).click();
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await answer.getByRole('button', { name: 'Yes' }).click();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Answered' })).toBeVisible();

  await page.goto(`${address}/#${FUNCTION}?tab=models`);
  await expect(page.getByRole('row', { name: /^1 Active/ })).toBeVisible();
  await expect(page.getByText('it was approved')).toBeVisible();
  await expect(buildOn(page).getByRole('status')).toHaveText('Ended: version 1 activated');
  expect(complaints).toEqual([]);
});

test.describe('the sample', () => {
  test.use({ hasSample: true });

  test('shows a forecast on its home page after a build that a trainer process answers', async ({
    page,
    server,
    complaints,
  }) => {
    await openSample(page, server.address);
    await expectAccessible(page);
    await startBuild(page);
    const command = ['train', 'wildlife-strikes', '--watch', '--server', server.address];
    const trainer = spawn(process.execPath, [SERVER_PROGRAM, ...command], { stdio: 'ignore' });
    const ended = once(trainer, 'close');
    try {
      // The page follows the build; nothing is reloaded.
      await expectForecast(page);
      await expectAccessible(page);
    } finally {
      trainer.kill();
      await ended;
    }
    expect(complaints).toEqual([]);
  });

  test('shows it too after models of a trainer are uploaded by hand', async ({ page, server, complaints }) => {
    await openSample(page, server.address);
    await startBuild(page);
    await buildOn(page).getByRole('link', { name: 'Upload models and answer' }).click();
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    const address = await answer.getByRole('link', { name: 'Training rows' }).getAttribute('href');
    const response = await page.request.get(new URL(address ?? '', server.address).href);
    const { layout, rows } = await readRows(new Blob([new Uint8Array(await response.body())]).stream());
    const [best] = fitForecasts(rows, { layout, season: 12, coverage: 0.8 });
    const model = linearModel(layout, best?.steps ?? []);

    await dropFiles(page, 'Or drop ONNX files here', [{ name: 'best.onnx', bytes: model }]);
    await expect(uploadOf(page, 'best.onnx')).toContainText('Accepted');
    await answer.getByRole('button', { name: 'Answer' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Answered' })).toBeVisible();
    await page.getByRole('link', { name: /prediction\/strike-reports/ }).click();
    await page.getByRole('tab', { name: 'Models' }).click();
    await expectForecast(page);
    expect(complaints).toEqual([]);
  });
});

// Versions and models side by side: the bench of a prompt, and the evaluation of cases.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerJson, bodyOf, chatAnswer } from '../server/domain/models/models.testing.ts';
import { serveLoopback } from '../server/test/index.ts';
import { DESK, expect, expectAccessible, makeDesk, send, test as studio } from './studio.ts';

/** Two models that answer differently. */
const test = studio.extend<{ provider: string }>({
  provider: async ({}, use) => {
    const served = await serveLoopback((request, response) => {
      if (request.url === '/models') return answerJson(response, 200, { data: [{ id: 'good' }, { id: 'poor' }] });
      void bodyOf(request).then(({ model }) =>
        answerJson(
          response,
          200,
          chatAnswer({ content: JSON.stringify({ severity: model === 'good' ? 'high' : 'low' }) }),
        ),
      );
    });
    await use(served.address);
    await served.close();
  },
});

const source = (words: string): string =>
  `---\nmodel: local/good\ninput: { type: object, required: [title], properties: { title: { type: string } } }\noutput: { type: object, required: [severity], properties: { severity: { enum: [low, high] } } }\n---\n${words} {{ input.title }}\n`;

test('a good answer of the bench becomes a case, and the evaluation compares two models', async ({
  page,
  server,
  provider,
  complaints,
}) => {
  writeFileSync(
    path.join(server.dataDir, 'cuebook.yaml'),
    JSON.stringify({
      model_gateways: [{ name: 'local', base_url: provider, structured_outputs: true }],
      model_prices: { 'local/good': { input: 100_000, output: 0 } },
    }),
  );
  await makeDesk(server.address, { 'reasoning/triage': source('Triage:') });
  await page.goto(`${server.address}/#${DESK}/definitions/reasoning/triage?tab=bench`);
  await page.getByRole('textbox', { name: 'title' }).click();
  await page.keyboard.type('Nothing works');
  const models = page.getByRole('combobox', { name: 'Models' });
  await models.click();
  await page.keyboard.type('local/good');
  await page.keyboard.press('Enter');
  await page.keyboard.type('local/poor');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Ask 2 side by side' }).click();
  const good = page.getByRole('region', { name: 'Version 1, local/good' });
  await expect(good.getByRole('tree', { name: 'Output' })).toContainText('high');
  await expect(good).toContainText('10 tokens in, 5 out, cost 1');
  await expect(page.getByRole('region', { name: 'Version 1, local/poor' })).toContainText('low');
  await expectAccessible(page);
  await good.getByRole('button', { name: 'Save as case' }).click();
  await expect(page.getByText('Added to triage.cases.jsonl.')).toBeVisible();
  const { runs } = (await (await fetch(`${server.address}/v1/orgs/local${DESK}/runs`)).json()) as { runs: unknown[] };
  expect(runs).toEqual([]);

  await page.getByRole('tab', { name: 'Evaluate' }).click();
  const cases = page.getByRole('textbox', { name: 'Cases, one JSON object a line' });
  await expect(cases).toHaveValue('{"input":{"title":"Nothing works"},"expect":{"severity":"high"}}\n');
  await cases.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('{"name":"checked","input":{"title":"x"},"check":".output.severity == \\"high\\""}');
  await expect(page.getByText('2 cases')).toBeVisible();
  await models.click();
  await page.keyboard.type('local/good');
  await page.keyboard.press('Enter');
  await page.keyboard.type('local/poor');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await expect(page.getByText('4 of 4 runs ended.')).toBeVisible();
  const scores = page.getByRole('table', { name: 'Scores' });
  await expect(scores.getByRole('row', { name: /local\/good/ })).toContainText('2 of 2');
  await expect(scores.getByRole('row', { name: /local\/poor/ })).toContainText('0 of 2');
  const results = page.getByRole('table', { name: 'Results by case' });
  await expect(results).toContainText('/severity is "low"; expected "high"');
  await expect(results.getByRole('row', { name: /checked/ })).toContainText('returned false, not true');
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await (await downloading).path();
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  await results.getByRole('link', { name: 'Failed' }).first().click();
  await expect(page.getByRole('heading', { name: 'triage' })).toBeVisible();

  // What it cost: two runs of each model.
  await page.goto(`${server.address}/#${DESK}/models`);
  await page.getByText('Tokens and costs').click();
  const usage = page.getByRole('table', { name: 'Tokens and costs' });
  await expect(usage.getByRole('row', { name: /local\/good/ })).toHaveText('local/good220102');
  await page.getByRole('radiogroup', { name: 'Sum by' }).getByText('Definition').click();
  await expect(usage.getByRole('row', { name: /reasoning\/triage/ })).toContainText('4');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('an interaction that calls a tool is evaluated; one that asks people says why it is not', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  const ask = 'ask: { to: ada, message: May I?, answer: { type: boolean } }\n';
  await send(server.address, `${DESK}/definitions/interaction`, { name: 'approve', source: ask });
  await page.goto(`${server.address}/#${DESK}/definitions/interaction/approve`);
  await page.getByRole('tab', { name: 'Evaluate' }).click();
  await expect(page.getByText('Not run: interaction/approve has ask, and an evaluation sends nothing')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Evaluate', exact: true })).toHaveCount(0);
  await expectAccessible(page);

  // Its second version calls a tool: the first one is not run, although it can be chosen.
  const source = 'call: { tool: docs/read }\n';
  await fetch(`${server.address}/v1/orgs/local${DESK}/definitions/interaction/approve`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  });
  await page.reload();
  const cases = page.getByRole('textbox', { name: 'Cases, one JSON object a line' });
  await cases.click();
  await page.keyboard.type('{"input":{},"expect":true}');
  await page.getByRole('combobox', { name: 'Versions' }).press('ArrowDown');
  await page.getByRole('option', { name: 'Version 1', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await expect(page.getByText('2 of 2 runs ended.')).toBeVisible();
  const results = page.getByRole('table', { name: 'Results by case' });
  await expect(results).toContainText('Not run: interaction/approve has ask');
  // The server of the tool is missing, so the other one is not evaluated either, but it has a run.
  await expect(results.getByRole('link', { name: 'Not evaluated' })).toHaveCount(1);
  const { runs } = (await (await fetch(`${server.address}/v1/orgs/local${DESK}/runs`)).json()) as { runs: unknown[] };
  expect(runs).toMatchObject([{ definition_version: 2 }]);
  expect(complaints).toEqual([]);
});

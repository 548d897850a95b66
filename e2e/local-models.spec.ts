// From the error of a run without a model to an answer: a local server is found, added and tested with clicks.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerJson, chatAnswer } from '../server/domain/models/models.testing.ts';
import { serveLoopback } from '../server/test/index.ts';
import { editorOf, expect, expectAccessible, makeDesk, send, sendRefused, test as studio } from './studio.ts';
import { offered, textOf, typeInto, write } from './writing.ts';

/** Speaks as Ollama does. */
const test = studio.extend<{ local: string }>({
  local: async ({}, use) => {
    const served = await serveLoopback((request, response) => {
      request.resume();
      if (request.url === '/v1/models') answerJson(response, 200, { object: 'list', data: [{ id: 'llama3.2' }] });
      else if (request.url === '/api/version') answerJson(response, 200, { version: '0.12.0' });
      else if (request.url === '/v1/chat/completions') answerJson(response, 200, chatAnswer({ content: 'ready' }));
      else answerJson(response, 404, { error: 'not found' });
    });
    await use(served.address);
    await served.close();
  },
  environment: async ({ local }, use) => use({ LOCAL_MODEL_SERVERS: JSON.stringify([`${local}/v1`]) }),
});

const GREETS_PEOPLE = `document: { dsl: '1.0.3', namespace: desk, name: greet-people, version: '1.0.0' }
do:
  - greet: { call: reasoning/greet }
`;
const OPENS_SHOP = `document: { dsl: '1.0.3', namespace: desk, name: open-shop, version: '1.0.0' }
do:
  - greet: { call: workflow/greet-people }
`;

test('the error of a run leads to a local server, which is added, named and tested', async ({
  page,
  server,
  local,
  complaints,
}) => {
  const file = path.join(server.dataDir, 'cuebook.yaml');
  writeFileSync(file, '# of the team\nmcp_answers: true\n');
  await makeDesk(server.address);
  const desk = '/playbooks/desk/definitions/reasoning';
  await send(server.address, desk, { name: 'greet', source: '---\nmodel: openai/gpt-5-mini\n---\nSay hello.\n' });
  const refused = await sendRefused(server.address, `${desk}/greet/run`, { input: {} });

  // A workflow that calls it, even through another one, leads there too, as a run and as a draft run.
  const workflows = '/playbooks/desk/definitions/workflow';
  await send(server.address, workflows, { name: 'greet-people', source: GREETS_PEOPLE });
  await send(server.address, workflows, { name: 'open-shop', source: OPENS_SHOP });
  await page.goto(`${server.address}/#${workflows}/open-shop?tab=run`);
  await page.getByRole('button', { name: /^Run ?Ctrl/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByRole('link', { name: 'Set up models' })).toBeVisible();
  await page.getByText('Draft run', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Call models' }).check();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result).toContainText('not recorded');
  await expect(result.getByRole('link', { name: 'Set up models' })).toBeVisible();

  await page.goto(`${server.address}/#/playbooks/desk/runs/${String(refused['run_id'])}`);
  await page.getByRole('link', { name: 'Set up models' }).click();
  const found = page.getByRole('region', { name: 'Local servers' });
  await expect(found).toContainText('llama3.2');
  await expectAccessible(page);
  await found.getByRole('button', { name: 'Add Ollama' }).click();
  await expect(found).toContainText('Added as ollama');
  await expect(
    page.getByRole('table', { name: 'Models' }).getByRole('row', { name: /ollama\/llama3\.2/ }),
  ).toBeVisible();
  await found.getByRole('button', { name: 'Test ollama/llama3.2' }).click();
  await expect(found.getByRole('status')).toContainText('answered in');

  // A new function begins with its model, and names of models are completed.
  expect(readFileSync(file, 'utf8')).toContain('include_usage: true');
  await page.getByRole('link', { name: 'Definitions', exact: true }).click();
  await page.getByRole('link', { name: 'New definition' }).click();
  await page.getByRole('link', { name: /^reasoning/i }).click();
  await expect(page.getByText('No issues')).toBeVisible();
  await editorOf(page).click();
  expect(await textOf(page)).toContain('model: ollama/llama3.2\n');
  await write(page, '---\nmodel: oll');
  await page.keyboard.press('Control+Space');
  await expect(offered(page).filter({ hasText: 'ollama/llama3.2' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => textOf(page)).toBe('---\nmodel: ollama/llama3.2');
  await page.getByRole('link', { name: 'Models', exact: true }).click();

  await page.getByRole('button', { name: 'Aliases and limits…' }).click();
  const names = page.getByRole('dialog', { name: 'Aliases and allowed models' });
  await names.getByRole('button', { name: 'Add an alias' }).click();
  await typeInto(names.getByRole('textbox', { name: 'Alias 1', exact: true }), 'openai/gpt-5-mini');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ollama/llama3.2');
  await expectAccessible(page);
  await names.getByRole('button', { name: 'Save' }).click();
  await expect(names).toBeHidden();
  await expect(page.getByRole('table', { name: 'Models' })).toContainText('Alias of ollama/llama3.2');
  expect(await send(server.address, `${desk}/greet/run`, { input: {} })).toMatchObject({ output: { text: 'ready' } });

  await page.getByRole('button', { name: 'Add a gateway…' }).click();
  const gateway = page.getByRole('dialog', { name: 'Add a gateway' });
  await expect(gateway.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('ollama');
  await typeInto(gateway.getByRole('textbox', { name: 'Address' }), `${local}/v1`);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(gateway).toContainText('repeats "ollama"');
  await typeInto(gateway.getByRole('textbox', { name: 'Name' }), 'company');
  await page.keyboard.press('Enter');
  await expect(gateway).toBeHidden();
  await expect(
    page.getByRole('table', { name: 'Models' }).getByRole('row', { name: /company\/llama3\.2/ }),
  ).toBeVisible();
  expect(readFileSync(file, 'utf8')).toContain('# of the team');
  expect(complaints).toEqual([]);
});

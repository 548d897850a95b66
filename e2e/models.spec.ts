// The models place, with a provider on the loopback that wants to see its key.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { textsInMemory } from '../scripts/chromium.ts';
import { serveLoopback } from '../server/test/index.ts';
import { expect, expectAccessible, goTo, makeDesk, send, sendRefused, test as studio } from './studio.ts';
import { typeInto } from './writing.ts';

const KEY = 'key-of-the-provider-0123456789';
const MODELS = [
  { id: 'small-1', context_window: 131_072, max_completion_tokens: 8_192 },
  { id: 'large-1', context_window: 1_000_000 },
];
const ANSWER = {
  id: 'chat-1',
  object: 'chat.completion',
  created: 1,
  model: 'small-1',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Well met.' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

const test = studio.extend<{ provider: string }>({
  provider: async ({}, use) => {
    const served = await serveLoopback((request, response) => {
      request.resume();
      const knows = request.headers.authorization === `Bearer ${KEY}`;
      const answer = request.url === '/models' ? { data: MODELS } : ANSWER;
      response
        .writeHead(knows ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(knows ? answer : { error: { message: 'No such key.' } }));
    });
    await use(served.address);
    await served.close();
  },
  environment: async ({ provider }, use) => use({ GROQ_BASE_URL: provider }),
});

test('a saved key makes a reasoning function work immediately, and can be deleted', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  const desk = '/playbooks/desk/definitions/reasoning';
  await send(server.address, desk, { name: 'greet', source: '---\nmodel: groq/small-1\n---\nSay hello.\n' });
  const run = `${desk}/greet/run`;
  expect(await sendRefused(server.address, run, { input: {} })).toMatchObject({ status: 503 });

  await page.goto(`${server.address}/#/playbooks/desk`);
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible();
  await goTo(page, 'm');
  await expect(page.getByText('No models yet')).toBeVisible();
  await expect(page.getByLabel('Configuration for cuebook.yaml', { exact: true })).toContainText('model_gateways');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add key: Groq' }).click();
  const form = page.getByRole('dialog', { name: 'Groq key' });
  await typeInto(form.getByRole('textbox', { name: 'Key' }), 'two words');
  await form.getByRole('button', { name: 'Save key' }).click();
  await expect(form.getByText('The key contains a character that keys do not have')).toBeVisible();
  await expectAccessible(page);
  await typeInto(form.getByRole('textbox', { name: 'Key' }), ` ${KEY}`);
  // What stands in the field is found: the look is worth something.
  expect((await textsInMemory(page)).includes(KEY)).toBe(true);
  await form.getByRole('textbox', { name: 'Key' }).press('Enter');
  await expect(page.getByText('Groq key saved. Its models are now listed.')).toBeVisible();
  const providers = page.getByRole('region', { name: 'Providers' });
  await expect(providers).toContainText('Key added in the studio, ends with 6789');
  const models = page.getByRole('table', { name: 'Models' });
  await expect(models.getByRole('row', { name: /groq\/small-1/ })).toContainText('131k');
  expect((await textsInMemory(page)).includes(KEY)).toBe(false);
  const ran = await send(server.address, run, { input: {} });
  expect(ran).toMatchObject({ status: 'succeeded', output: { text: 'Well met.' } });
  await expectAccessible(page);

  await typeInto(page.getByRole('textbox', { name: 'Search models' }), 'large');
  await expect(page).toHaveURL(/q=large/);
  await page.getByRole('button', { name: 'Copy reference groq/large-1' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('groq/large-1');

  // One that is wrong is kept, and said to be so.
  await page.getByRole('button', { name: 'Change: Groq' }).click();
  await typeInto(form.getByRole('textbox', { name: 'Key' }), 'another-key-of-nobody');
  await form.getByRole('button', { name: 'Replace key' }).click();
  // The provider is asked at another address than its own: its words are not repeated, its status is.
  const why = 'The model provider groq returned 401 (Unauthorized).';
  await expect(page.getByText(`Its model list could not be read with this key. ${why}`)).toBeVisible();
  await expect(providers).toContainText(`Its model list could not be read. ${why}`);

  await page.getByRole('button', { name: 'Change: Groq' }).click();
  await form.getByRole('button', { name: 'Delete key…' }).click();
  await form.getByRole('button', { name: 'Delete key' }).click();
  await expect(page.getByRole('button', { name: 'Add key: Groq' })).toBeVisible();
  expect(await sendRefused(server.address, run, { input: {} })).toMatchObject({ status: 503 });
  await expect(page.locator('body')).not.toContainText(KEY);
  expect(complaints).toEqual([]);
});

test('aliases, filtered lists and lists that cannot be read are explained', async ({
  page,
  server,
  provider,
  complaints,
}) => {
  await makeDesk(server.address);
  writeFileSync(path.join(server.dataDir, 'env'), `GROQ_API_KEY=${KEY}\n`, { mode: 0o600 });
  const config = {
    model_gateways: [
      { name: 'local', base_url: provider },
      { name: 'company', base_url: 'http://127.0.0.1:9/v1' },
    ],
    model_aliases: { 'openai/gpt-5-mini': 'groq/small-1', 'team/*': 'groq/*' },
    allowed_models: ['openai/*', 'groq/*', 'team/*', 'local/*'],
  };
  writeFileSync(path.join(server.dataDir, 'cuebook.yaml'), JSON.stringify(config));
  await page.goto(`${server.address}/#/playbooks/desk/models`);
  const models = page.getByRole('table', { name: 'Models' });
  await expect(models.getByRole('row', { name: /openai\/gpt-5-mini/ })).toContainText('Alias of groq/small-1');
  await expect(models.getByRole('row', { name: /team\/\*/ })).toContainText('Alias of groq/*');
  await expect(page.getByText('limits the list')).toBeVisible();
  await expect(page.getByText("A provider's model list could not be read.")).toBeVisible();
  const providers = page.getByRole('region', { name: 'Providers' });
  await expect(providers).toContainText('Its model list could not be read. The server refused the connection.');
  await expect(providers).toContainText('GROQ_API_KEY from the environment, ends with 6789');
  await expect(page.getByRole('button', { name: 'Add key: Groq' })).toBeHidden();
  await expectAccessible(page);
  await models.getByRole('link', { name: 'Groq' }).click();
  await expect(page).toHaveURL(/provider=groq/);
  await expect(models.getByRole('row', { name: /team/ })).toBeHidden();
  expect(complaints).toEqual([]);
});

// A text seen while a model writes it: in the Run panel by who started the run, on the run's page by anybody else.
import type { ServerResponse } from 'node:http';
import { serveLoopback } from '../server/test/index.ts';
import { expect, expectAccessible, makeDesk, send, test as studio } from './studio.ts';

interface Model {
  address: string;
  /** What the model writes next; the first piece waits for the request. */
  write: (text: string) => Promise<void>;
  end: () => void;
}

const chunk = (delta: object, reason: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

const test = studio.extend<{ model: Model }>({
  model: async ({}, use) => {
    const asked = Promise.withResolvers<ServerResponse>();
    let response: ServerResponse | undefined;
    const served = await serveLoopback((request, answer) => {
      request.resume();
      asked.resolve(answer.writeHead(200, { 'content-type': 'text/event-stream' }));
    });
    await use({
      address: served.address,
      async write(content) {
        response ??= await asked.promise;
        response.write(chunk({ content }, null));
      },
      end: () => void response?.end(chunk({}, 'stop')),
    });
    await served.close();
  },
  environment: async ({ model }, use) =>
    use({ MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: model.address }]) }),
});

test('the text of a model grows in the Run panel and on the page of the run until it is the output', async ({
  page,
  context,
  server,
  model,
  complaints,
}) => {
  await makeDesk(server.address);
  const source = '---\nmodel: local/m\n---\nSay hello.\n';
  await send(server.address, '/playbooks/desk/definitions/reasoning', { name: 'greet', source });
  await page.goto(`${server.address}/#/playbooks/desk/definitions/reasoning/greet?tab=run`);
  await page.getByRole('button', { name: /^Run/ }).click();
  await model.write('Well ');
  const growing = page.getByRole('region', { name: 'Model output so far' });
  await expect(growing).toHaveText('Well');
  await expectAccessible(page);

  const other = await context.newPage();
  await other.goto(`${server.address}/#/playbooks/desk/runs`);
  await other.getByRole('link', { name: /greet/ }).first().click();
  await expect(other.getByRole('region', { name: 'Model output so far' })).toHaveText('Well');
  await model.write('met, <b>you</b>.');
  await expect(growing).toHaveText('Well met, <b>you</b>.');
  await expect(other.getByRole('region', { name: 'Model output so far' })).toHaveText('Well met, <b>you</b>.');

  // The end stays in sight, but not for who scrolled up to read.
  await model.write('\nA line.'.repeat(200));
  const scrolled = (): Promise<unknown> =>
    page.evaluate(`document.querySelector('[aria-label="Model output so far"]').scrollTop`);
  await expect.poll(scrolled).toBeGreaterThan(500);
  await growing.focus();
  await page.keyboard.press('Home');
  await expect.poll(scrolled).toBe(0);
  await model.write('\nThe last line.');
  await expect(growing).toContainText('The last line.');
  expect(await scrolled()).toBe(0);

  model.end();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Succeeded');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Well met');
  await expect(growing).toBeHidden();
  await expect(other.getByRole('region', { name: 'Model output so far' })).toBeHidden();
  await expect(other.getByText('Well met')).toBeVisible();
  expect(complaints).toEqual([]);
});

// What the editor gives while a document is written: what fits, and what the service says, whenever it says it.
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { serveLoopback } from '../server/test/index.ts';
import { BEGINNINGS } from '../renderer/places/definitions/beginnings.ts';
import { editorOf, expect, openSample, test } from './studio.ts';
import { expectMarkedLine, offered, squiggles, textOf, write } from './writing.ts';

test.use({ hasSample: true });

async function complete(page: Page, text: string): Promise<void> {
  await write(page, text);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('ControlOrMeta+Space');
}

const HEAD = "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0' }\n";

test('workflows, interactions and front matter have completion, and only the service reports issues', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const begin = `${server.address}/#/playbooks/wildlife-strikes/definitions/new?type=`;
  await page.goto(`${begin}workflow`);
  await expect(page.getByText('No issues')).toBeVisible();
  await complete(page, `${HEAD}do:\n  - first:\n      call: http\n      with:\n        `);
  await expect(offered(page).filter({ hasText: /^endpoint$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await complete(page, `${HEAD}do:\n  - first:\n      call: `);
  await expect(offered(page).filter({ hasText: 'computation/monthly-volume' })).toBeVisible();
  // Told by the list, which shows a dozen: what is refused is not offered.
  await expect(offered(page).filter({ hasText: 'asyncapi' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await write(page, `${HEAD}do:\n  - first:\n      wiat: PT1S\n`);
  await expectMarkedLine(page, 3);
  await expect(squiggles(page)).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Issues' }).getByRole('listitem')).toHaveCount(1);

  await page.goto(`${begin}interaction`);
  await expect(editorOf(page)).toContainText('refund');
  await complete(page, 'ask:\n  ');
  await expect(offered(page).filter({ hasText: 'expires' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.goto(`${begin}reasoning`);
  await expect(editorOf(page)).toContainText('model:');
  await complete(page, '---\nmodel: local/m\nconfig:\n  ');
  await expect(offered(page).filter({ hasText: 'reasoning_effort' })).toBeVisible();
  expect(complaints).toEqual([]);
});

const PROGRAM = (body: string): string => `export const input = {
  type: 'object',
  required: ['urgency'],
  properties: { urgency: { type: 'string', enum: ['low', 'high'] }, hours_open: { type: 'number' } },
};
export default function (input) {
  ${body}`;
const VIEW = (body: string): string => `export const reads = [{ runs: { subject: 'computation/triage-score' } }];
export const initial = { counted: 0 };
export const answer = (state, input) => state;
export function evolve(state, event) {
  ${body}`;

test('completion in a program offers the fields of its schemas, its state and its events', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const begin = `${server.address}/#/playbooks/wildlife-strikes/definitions/new?type=`;
  await page.goto(`${begin}computation`);
  await expect(page.getByText('No issues')).toBeVisible();
  const overview = page.getByRole('group', { name: 'Overview' });
  await write(page, PROGRAM('return input.urgency;\n}\n'));
  await expect(overview).toContainText('hours_open');
  await complete(page, PROGRAM('return input.'));
  await expect(offered(page).filter({ hasText: /^hours_open\??$/ })).toBeVisible();
  await expect(offered(page).filter({ hasText: /^urgency$/ })).toBeVisible();
  await page.keyboard.type('hours');
  await page.keyboard.press('Enter');
  await expect(editorOf(page)).toContainText('return input.hours_open');

  await page.goto(`${begin}recall`);
  await expect(page.getByText('No issues')).toBeVisible();
  await write(page, VIEW('return state;\n}\n'));
  await expect(overview).toContainText('runs of computation/triage-score');
  await complete(page, VIEW('state.'));
  await expect(offered(page).filter({ hasText: /^counted$/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await complete(page, VIEW('event.'));
  await expect(offered(page).filter({ hasText: /^run_id$/ })).toBeVisible();
  // Of the view's events alone: it keeps no published ones.
  await expect(offered(page).filter({ hasText: /^event$/ })).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('the editor accepts every key in each type, whichever tab is open beside it', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  for (const type of Object.keys(BEGINNINGS)) {
    await page.goto(`${server.address}/#/playbooks/wildlife-strikes/definitions/new?type=${type}`);
    await expect(
      page
        .getByText('No issues')
        .or(page.getByText(/\d warning|\d issue/))
        .first(),
    ).toBeVisible();
    const tabs = page.getByRole('radiogroup', { name: 'Side panel' });
    for (const name of type === 'workflow' ? ['Graph', 'Steps', 'Overview'] : ['Overview']) {
      await test.step(`${type}, ${name}`, async () => {
        if (type === 'workflow') await tabs.getByText(name, { exact: true }).click();
        if (name === 'Graph') await expect(page.locator('.react-flow__node').first()).toBeVisible();
        await editorOf(page).click();
        await page.keyboard.press('ControlOrMeta+End');
        await page.keyboard.type('\n# two gulls, then one croww');
        await page.keyboard.press('Backspace');
        expect(await textOf(page)).toMatch(/# two gulls, then one crow$/);
      });
    }
  }
  expect(complaints).toEqual([]);
});

test('examples of the text in the editor are run, and show where an output differs', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await page.goto(`${server.address}/#/playbooks/wildlife-strikes/definitions/new?type=computation`);
  await expect(page.getByText('No issues')).toBeVisible();
  const source = (output: number): string => `export const examples = [
  { name: 'two gulls', input: { n: 2 }, output: { n: 2 } },
  { name: 'three crows', input: { n: 3 }, output: { n: ${output} } },
];
export default (input) => input;
`;
  await write(page, source(4));
  await page.getByRole('button', { name: 'Run examples' }).click();
  const side = page.getByRole('group', { name: 'Examples' });
  await expect(side.getByRole('status')).toHaveText('1 passed, 1 failed.');
  const [right, wrong] = [side.getByRole('listitem').nth(0), side.getByRole('listitem').nth(1)];
  await expect(right.getByRole('img', { name: 'Passed' })).toBeVisible();
  await expect(wrong.getByRole('img', { name: 'Failed' })).toBeVisible();
  await expect(wrong.getByRole('row', { name: '/n 4 3' })).toBeVisible();
  await write(page, source(3));
  await expect(side.getByRole('status')).toContainText('The source has changed since.');
  await page.getByRole('button', { name: 'Run examples' }).click();
  await expect(side.getByRole('status')).toHaveText('2 passed, 0 failed.');
  expect(complaints).toEqual([]);
});

/** What stands between the page and the service: it holds every check until it is let go. */
interface Holder {
  address: string;
  held: { source: string; letGo: () => void }[];
  close: () => Promise<void>;
}

async function holdChecks(address: string): Promise<Holder> {
  const held: Holder['held'] = [];
  const forward = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const { host: _host, origin, ...headers } = request.headers;
    const passed = ask(
      new URL(request.url ?? '/', address),
      { method: request.method, headers: { ...headers, ...(origin === undefined ? {} : { origin: address }) } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    response.on('close', () => passed.destroy());
    passed.on('error', () => response.destroy());
    passed.end(body);
  };
  const server = await serveLoopback((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (request.url?.endsWith('/check') !== true) return forward(request, response, body);
      const { source } = JSON.parse(body) as { source: string };
      held.push({ source, letGo: () => forward(request, response, body) });
    });
  });
  return { address: server.address, held, close: () => server.close() };
}

test('typing never waits for the checker, and an older result never replaces a newer one', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const holder = await holdChecks(server.address);
  try {
    await page.goto(`${holder.address}/#/playbooks/wildlife-strikes/definitions/computation/triage-score`);
    const text = editorOf(page);
    await text.click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('}} wrong\n');
    await expect(text).toContainText('}} wrong');
    const ofText = (part: string) => holder.held.find(({ source }) => source.includes(part));
    await expect.poll(() => ofText('}} wrong\n')).toBeDefined();
    await expect(page.getByText('Checking…')).toBeVisible();

    // The mistake is taken back, and more is written, while the service is still silent.
    for (let key = 0; key < '}} wrong\n'.length; key += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('// right\n');
    await expect(text).toContainText('// right');
    await expect(text).not.toContainText('wrong');
    await expect.poll(() => ofText('// right\n')).toBeDefined();
    ofText('// right\n')?.letGo();
    await expect(page.getByText('No issues')).toBeVisible();
    ofText('}} wrong\n')?.letGo();
    // A check that was asked for after both shows that nothing came in between.
    await page.keyboard.type('// more\n');
    await expect.poll(() => ofText('// more\n')).toBeDefined();
    await expect(squiggles(page)).toHaveCount(0);
    ofText('// more\n')?.letGo();
    await expect(page.getByText('No issues', { exact: true })).toBeVisible();
    await expect(text).toContainText('// more');
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await holder.close();
  }
});

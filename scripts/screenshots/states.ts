// What a person comes to within a place: a form that is filled, a result, an issue, a question before something is done.
import type { Page } from 'playwright-core';
import { pageIdle } from '../chromium.ts';
import { AT, EMPTY_PLAYBOOK, PLAYBOOK } from './make-history.ts';

export interface Picture {
  name: string;
  path: string;
  /** What a person does first; each such picture has a page of its own. */
  act?: (page: Page) => Promise<unknown>;
}

const here = `/playbooks/${PLAYBOOK}`;
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/**
 * @param address the server that has the history
 * @param shiftNotes the file that its tools read
 */
export async function states(address: string, shiftNotes: string): Promise<Picture[]> {
  const asked = await latest(address, 'name=approve-inspection&status=started');
  const waiting = await latest(address, 'name=handle-report&status=started');
  const broken = await latest(address, 'name=summarise-report&status=failed');
  const connecting = await connectPath(address);
  const tools = `${here}/tools`;
  const definitions = `${here}/definitions`;
  return [
    { name: 'request', path: `${here}/inbox/${asked}` },
    { name: 'inbox-for-everyone', path: `${here}/inbox?party=all` },
    { name: 'inbox-answered', path: `${here}/inbox?show=answered` },
    { name: 'inbox-notices', path: `${here}/inbox?show=notices` },
    {
      name: 'tool-with-a-result',
      path: `${tools}/files/read_text_file`,
      async act(page) {
        await page.getByRole('textbox', { name: 'path' }).fill(shiftNotes);
        await press('Execute')(page);
        await page.getByRole('region', { name: 'Result' }).getByLabel('Text of the result').waitFor();
      },
    },
    {
      name: 'tool-before-a-call',
      path: `${tools}/files/write_file`,
      async act(page) {
        await page.getByRole('textbox', { name: 'path' }).fill(shiftNotes);
        await page.getByRole('textbox', { name: 'content' }).fill('Two gulls, left engine.');
        await press('Execute')(page);
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'connection-being-added', path: `${here}/connections?adding=true` },
    { name: 'connect', path: connecting },
    { name: 'connection', path: `${here}/connections?connection=${await firstConnection(address)}` },
    { name: 'connect-link-that-is-over', path: '/connect?org=local&connection=none&token=none' },
    { name: 'models-search', path: `${here}/models?q=desk` },
    { name: 'provider-key', path: `${here}/models`, act: press('Add key: OpenAI') },
    {
      name: 'definition-with-issues',
      path: `${definitions}/workflow/inspect-aircraft`,
      async act(page) {
        await page.locator('.monaco-editor').getByRole('textbox').focus();
        await page.keyboard.press('ControlOrMeta+End');
        await page.keyboard.insertText('  - lost: { call: computation/nowhere, wiat: PT1S }');
        await page.getByRole('list', { name: 'Issues' }).waitFor();
      },
    },
    { name: 'diff', path: `${definitions}/computation/response-due?tab=versions&version=2&against=1` },
    { name: 'new-definition', path: `${definitions}/new?type=computation` },
    {
      name: 'run-panel-with-output',
      path: `${definitions}/computation/triage-score?tab=run`,
      async act(page) {
        await page
          .getByText('A large bird after take-off')
          .first()
          .click()
          .catch(() => undefined);
        await press(/^Run/)(page);
        await pageIdle(page);
      },
    },
    { name: 'run-that-failed', path: `${here}/runs/${broken}` },
    {
      name: 'run-before-it-is-cancelled',
      path: `${here}/runs/${waiting}`,
      act: press('Cancel'),
    },
    { name: 'runs-none-like-that', path: `${here}/runs?status=failed&type=recall` },
    { name: 'event-to-publish', path: `${here}/events`, act: press('Publish an event') },
    { name: 'event', path: `${here}/events`, act: (page) => page.locator('[data-row-link]').first().click() },
    {
      name: 'palette',
      path: here,
      async act(page) {
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByPlaceholder('Search pages').fill('report');
      },
    },
    { name: 'keys', path: here, act: (page) => page.keyboard.press('?') },
    { name: 'agents-other', path: `${here}/agents?client=other` },
    { name: 'agents-cursor', path: `${here}/agents?client=cursor` },
    { name: 'new-playbook', path: '/', act: press('New playbook') },
    { name: 'not-found', path: '/nowhere' },
    ...['', '/definitions', '/runs', '/inbox', '/events', '/connections'].map((place) => ({
      name: `empty${place.replace('/', '-')}`,
      path: `/playbooks/${EMPTY_PLAYBOOK}${place}`,
    })),
  ];
}

export async function latest(address: string, query: string): Promise<string> {
  const response = await fetch(`${address}${AT}/runs?limit=1&${query}`);
  const { runs } = (await response.json()) as { runs: { run_id: string }[] };
  const [run] = runs;
  if (run === undefined) throw new Error(`No run is like ${query}.`);
  return run.run_id;
}

async function firstConnection(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/orgs/local/connections`);
  const { connections } = (await response.json()) as { connections: { id: string }[] };
  return connections[0]?.id ?? '';
}

/** A link counts ten minutes, so that it is asked for where it is needed. */
async function connectPath(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/orgs/local/connections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'weather',
      kind: 'openapi',
      entry: { document: 'https://api.weather.gov/openapi.json', base_url: 'https://api.weather.gov' },
      credential: { kind: 'secret', name: 'x-api-key', in: 'header' },
    }),
  });
  const body = (await response.json()) as { connect: { url: string } };
  return `/connect${new URL(body.connect.url).search}`;
}

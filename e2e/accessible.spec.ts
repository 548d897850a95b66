import type { Page } from '@playwright/test';
import { DESK, expect, expectAccessible, makeDesk, send, test } from './studio.ts';

const WAITS = `document: { dsl: '1.0.3', namespace: desk, name: waits, version: '1.0.0' }
do:
  - ask: { listen: { to: { one: { with: { type: desk.answered } } } } }
`;

interface State {
  name: string;
  path: string;
  /** What is there once the page is; what else is to be done first is done here. */
  ready: (page: Page) => Promise<unknown>;
}

const text = (words: string) => (page: Page) => expect(page.getByText(words).first()).toBeVisible();

const STATES: readonly State[] = [
  { name: 'the playbooks', path: '/', ready: text('Desk') },
  { name: 'an address without a page', path: '/nowhere', ready: text('Page not found') },
  { name: 'home without runs in its days', path: `${DESK}?type=prediction`, ready: text('No runs ended') },
  { name: 'a playbook that is none', path: '/playbooks/nobody', ready: text('There is no playbook “nobody”') },
  {
    name: 'runs that no filter leaves',
    path: `${DESK}/runs?status=failed&type=recall`,
    ready: text('No matching runs'),
  },
  {
    name: 'a run that is none',
    path: `${DESK}/runs/00000000-0000-4000-8000-000000000000`,
    ready: text('Run not found'),
  },
  {
    name: 'events that no filter leaves',
    path: `${DESK}/events?type=build_ended`,
    ready: text('No matching events'),
  },
  { name: 'an event that is none', path: `${DESK}/events?event=nothing`, ready: text('About') },
  {
    name: 'a definition that is none',
    path: `${DESK}/definitions/computation/nobody`,
    ready: text('Learn more about not_found'),
  },
  {
    name: 'a definition without the tab of the address',
    path: `${DESK}/definitions/workflow/waits?tab=schedule`,
    ready: text('No issues'),
  },
  {
    name: 'a page of an earlier version',
    path: `${DESK}/definitions`,
    async ready(page) {
      await page.route('**/models-page*', (route) => route.abort());
      await page.getByRole('link', { name: 'Models' }).click();
      await text('A part of the studio could not be loaded')(page);
    },
  },
];

test('axe finds no violations on empty pages and in the dialog that cancels a run', async ({ page, server }) => {
  await makeDesk(server.address, { 'workflow/waits': WAITS });
  const { run_id: runId } = await send(server.address, `${DESK}/definitions/workflow/waits/run`, {});
  for (const { name, path, ready } of STATES) {
    await test.step(name, async () => {
      await page.goto(`${server.address}/#${path}`);
      await ready(page);
      await expectAccessible(page);
    });
  }
  await page.goto(`${server.address}/#${DESK}/runs/${String(runId)}`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).waitFor();
  await expectAccessible(page);
});

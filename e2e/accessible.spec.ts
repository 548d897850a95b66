import type { Page } from '@playwright/test';
import { expect, expectAccessible, makeSample, REPORT, send, test } from './studio.ts';

const DESK = '/playbooks/support-desk';

interface State {
  name: string;
  path: string;
  /** What is there once the page is; what else is to be done first is done here. */
  ready: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => expect(page.getByRole('heading', { name })).toBeVisible();
const text = (words: string) => (page: Page) => expect(page.getByText(words).first()).toBeVisible();

const STATES: readonly State[] = [
  { name: 'the playbooks', path: '/', ready: heading('Playbooks') },
  { name: 'a place that is none', path: '/nowhere', ready: text('There is no such place') },
  { name: 'home without runs in its days', path: `${DESK}?type=prediction`, ready: text('No run has ended') },
  { name: 'a playbook that is none', path: '/playbooks/nobody', ready: text('About not_found') },
  {
    name: 'runs that no filter leaves',
    path: `${DESK}/runs?status=failed&type=recall`,
    ready: text('No run is like that'),
  },
  {
    name: 'a run that is none',
    path: `${DESK}/runs/00000000-0000-4000-8000-000000000000`,
    ready: text('About not_found'),
  },
  {
    name: 'events that no filter leaves',
    path: `${DESK}/events?type=build_ended`,
    ready: text('No event is like that'),
  },
  { name: 'an event that is none', path: `${DESK}/events?event=nothing`, ready: text('About') },
  { name: 'definitions without one chosen', path: `${DESK}/definitions`, ready: heading('Definitions') },
];

test('axe finds nothing on any page of the shell, the runs and the events, in light and in dark', async ({
  page,
  server,
}) => {
  await makeSample(page, server.address);
  await send(server.address, `${DESK}/events`, { event: REPORT });
  for (const { name, path, ready } of STATES) {
    await test.step(name, async () => {
      await page.goto(`${server.address}/#${path}`);
      await ready(page);
      await expectAccessible(page);
    });
  }
  await page.goto(`${server.address}/#${DESK}/runs?status=started`);
  await page.getByRole('link', { name: 'handle-report' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('textbox', { name: 'Why' }).waitFor();
  await expectAccessible(page);
});

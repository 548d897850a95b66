// Events: published, and what they started; their data in the JSON viewer.
import type { Page } from 'playwright-core';
import { AT_DESK, inOrder, type MainPicture, openRow, press, SAMPLE } from './picture.ts';

export function eventPictures(): MainPicture[] {
  const events = `${AT_DESK}/events`;
  const published = `${events}?type=event_published`;
  return [
    { name: 'events-published', path: `${SAMPLE}/events?type=event_published` },
    { name: 'events-none-like-that', path: `${SAMPLE}/events?type=nothing.happened` },
    { name: 'event-to-publish', path: `${SAMPLE}/events`, act: press('Publish an event') },
    {
      name: 'event-to-publish-invalid',
      path: events,
      act: inOrder(publish('run_started'), (page) => page.locator('[aria-invalid="true"]').first().waitFor()),
    },
    {
      name: 'event-published',
      path: events,
      act: inOrder(publish('order.paid'), (page) =>
        page.getByRole('region', { name: 'Runs of the event' }).getByText('Succeeded').waitFor(),
      ),
    },
    {
      name: 'event-published-without-runs',
      path: events,
      act: inOrder(publish('order.lost'), (page) => page.getByText('The event started no run.').waitFor()),
    },
    { name: 'event', path: `${SAMPLE}/events`, act: (page) => page.locator('[data-row-link]').first().click() },
    {
      name: 'event-with-runs',
      path: published,
      act: inOrder(openEvent('order.paid'), (page) =>
        page.getByRole('region', { name: 'Runs of the event' }).getByRole('link').first().waitFor(),
      ),
    },
    {
      name: 'events-types',
      path: `${SAMPLE}/events`,
      act: (page) => page.getByRole('combobox', { name: 'Type' }).click(),
    },
    { name: 'json', path: published, act: openEvent('order.placed') },
    {
      name: 'json-found',
      path: published,
      act: inOrder(openEvent('order.placed'), (page) =>
        page.getByRole('textbox', { name: 'Search in data' }).fill('part-27'),
      ),
    },
    {
      name: 'json-collapsed',
      path: published,
      act: inOrder(openEvent('order.placed'), async (page) => {
        const tree = page.getByRole('tree', { name: 'Data', exact: true });
        for (const name of ['"customer":', '"lines":']) {
          await tree.getByRole('treeitem', { name }).first().focus();
          await page.keyboard.press('ArrowLeft');
        }
      }),
    },
  ];
}

/** Fills in the form of an event, and publishes it. */
const publish =
  (type: string) =>
  async (page: Page): Promise<void> => {
    await press('Publish an event')(page);
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Type' }).fill(type);
    await form.getByRole('button', { name: 'Publish' }).click();
  };

const openEvent =
  (type: string) =>
  async (page: Page): Promise<void> => {
    await openRow(page.getByRole('table', { name: 'Events' }).getByRole('row').filter({ hasText: type }).last());
    await page.getByRole('dialog').waitFor();
  };

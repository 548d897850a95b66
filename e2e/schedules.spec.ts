// Cause and effect: what an event started, and what the clock starts.
import { DESK, expect, expectAccessible, makeDesk, send, test } from './studio.ts';
import { typeInto } from './writing.ts';

const workflow = (name: string, schedule: string) => ({
  name,
  source: `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }
schedule: ${schedule}
do: [ { note: { set: { noted: true } } } ]
`,
});

test('a schedule is paused, resumed and run now, and missed times are run after a confirmation', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  await send(server.address, `${DESK}/definitions/workflow`, workflow('often', '{ every: PT2S }'));
  await page.goto(`${server.address}/#${DESK}`);
  await page
    .getByRole('region', { name: 'Schedules' })
    .getByRole('link', { name: /^often/ })
    .click();
  await expect(page.getByRole('tab', { name: 'Schedule' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('every 2.0 s')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Next times' })).toContainText(/in a few seconds/);
  const last = page.getByRole('region', { name: 'Last runs' });
  await expect(last.getByRole('link', { name: /^often/ }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('status').getByText('Paused')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Next times' })).toBeHidden();
  await expectAccessible(page);

  // Times pass meanwhile, and are missed.
  await page.getByRole('button', { name: 'Missed times' }).click();
  const missed = page.getByRole('region', { name: 'Missed times' });
  const show = missed.getByRole('button', { name: 'Show times' });
  await expect(async () => {
    await show.click();
    await expect(missed.getByRole('checkbox').nth(1)).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  const rows = missed.getByRole('table', { name: 'Times' }).getByRole('row');
  const boxes = await missed.getByRole('checkbox').count();
  await missed.getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await expectAccessible(page);
  const run = missed.getByRole('button', { name: boxes === 2 ? 'Run 1 missed time' : `Run ${boxes - 1} missed times` });
  await run.click();
  const dialog = page.getByRole('dialog', { name: /^Run \d+ missed times?$/ });
  await expect(dialog).toContainText('for each of them');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(missed.getByText('Missed', { exact: true })).toHaveCount(1);
  await expect(rows.last().getByRole('link', { name: /Running|Succeeded/ })).toBeVisible();

  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('region', { name: 'Next times' })).toBeVisible();
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('link', { name: 'Run again…' })).toBeVisible();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(page.getByText('developer', { exact: true })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('publishing an event shows the run that it started, and so does the event', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  const schedule = '{ on: { one: { with: { type: order.paid } } } }';
  await send(server.address, `${DESK}/definitions/workflow`, workflow('thank', schedule));
  await page.goto(`${server.address}/#${DESK}/events?type=event_published`);
  await page.getByRole('button', { name: 'Publish an event' }).first().click();
  const form = page.getByRole('dialog');
  await typeInto(form.getByRole('textbox', { name: 'Type' }), 'order.paid');
  await page.keyboard.press('Enter');
  const runs = form.getByRole('region', { name: 'Runs of the event' });
  await expect(runs.getByRole('link', { name: 'thank' })).toBeVisible();
  await expect(runs).toContainText('Succeeded');
  await expectAccessible(page);

  await typeInto(form.getByRole('textbox', { name: 'Type' }), 'order.lost');
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(runs).toContainText('The event started no run.');
  await page.keyboard.press('Escape');

  await page
    .getByRole('table', { name: 'Events' })
    .getByRole('link', { name: /order\.paid/ })
    .click();
  await expect(runs.getByRole('link', { name: 'thank' })).toBeVisible();
  await expectAccessible(page);
  await runs.getByRole('link', { name: 'thank' }).click();
  await expect(page.getByText('trigger (event)')).toBeVisible();
  expect(complaints).toEqual([]);
});

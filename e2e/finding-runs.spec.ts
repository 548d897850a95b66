// Finding runs among many: by what they contain, when and by whom they started, filters under a name, and columns.
import { expect, expectAccessible, openSample, REPORT, send, test } from './studio.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';
const SCORE = `${DESK}/definitions/computation/triage-score/run`;

test('runs are found by text, caller, time and level, and a filter is saved and used again', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  for (const phase of ['Climb', 'Approach']) {
    await send(server.address, SCORE, { input: { phase, size: 'Large', damage: 'None' } });
  }
  await page.goto(`${server.address}/#${DESK}/runs?type=computation&name=triage-score`);
  const list = page.getByRole('table', { name: 'Runs' });
  await expect(list).toHaveAttribute('aria-rowcount', '3');

  const search = page.getByRole('textbox', { name: 'Search', exact: true });
  await search.click();
  await page.keyboard.type('aPPROACH');
  await page.keyboard.press('Enter');
  await expect(list).toHaveAttribute('aria-rowcount', '2');
  await expect(page).toHaveURL(/search=aPPROACH/);

  await page.getByRole('button', { name: 'Saved filters' }).click();
  const saved = page.getByRole('dialog', { name: 'Saved filters' });
  await saved.getByRole('textbox', { name: 'Name' }).click();
  await page.keyboard.type('On approach');
  await page.keyboard.press('Enter');
  await expect(saved.getByRole('link', { name: 'On approach' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.goto(`${server.address}/#${DESK}/runs`);
  await page.reload();
  await page.getByRole('button', { name: 'Saved filters' }).click();
  await saved.getByRole('link', { name: 'On approach' }).click();
  await expect(list).toHaveAttribute('aria-rowcount', '2');
  await expect(search).toHaveValue('aPPROACH');

  await page.getByRole('button', { name: /^More filters/ }).click();
  const more = page.getByRole('dialog', { name: 'More filters' });
  await more.getByRole('textbox', { name: 'Started by' }).click();
  await page.keyboard.type('key:absent');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No matching runs')).toBeVisible();
  await more.getByRole('textbox', { name: 'Started by' }).fill('developer');
  await page.keyboard.press('Enter');
  await expect(list).toHaveAttribute('aria-rowcount', '2');
  await more.getByRole('switch', { name: 'Top-level runs only' }).click();
  await expect(page).toHaveURL(/top_level=true/);
  await expect(list).toHaveAttribute('aria-rowcount', '2');
  await more.getByLabel('Started before').fill('2020-01-01T00:00');
  await expect(page.getByText('No matching runs')).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('columns are chosen with the mouse and the keyboard, and kept in the browser', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const { event_id: eventId } = await send(server.address, `${DESK}/events`, { event: REPORT });
  await page.goto(`${server.address}/#${DESK}/runs`);
  const list = page.getByRole('table', { name: 'Runs' });
  const titles = list.getByRole('columnheader');
  await expect(titles).toHaveText(['', 'Definition', 'Status', 'Started', 'Duration', 'Started by']);

  await page.getByRole('button', { name: 'Columns' }).click();
  const menu = page.getByRole('dialog', { name: 'Columns' });
  await menu.getByRole('checkbox', { name: 'Trigger' }).click();
  await menu.getByRole('checkbox', { name: 'Duration' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(menu.getByRole('checkbox', { name: 'Started by' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(titles).toHaveText(['', 'Definition', 'Status', 'Started', 'Trigger']);
  await page.reload();
  await expect(titles).toHaveText(['', 'Definition', 'Status', 'Started', 'Trigger']);

  const triggered = list.getByRole('row').filter({ hasText: /^handle-report/ });
  const trigger = triggered.getByRole('link', { name: 'event', exact: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(triggered).toContainText('handle-report');
  await expect(trigger).toBeVisible();
  await expectAccessible(page);
  await trigger.click();
  await expect(page).toHaveURL(new RegExp(`/events\\?event=${String(eventId)}`));
  await page.goBack();
  await page.getByRole('button', { name: 'Columns' }).click();
  await menu.getByRole('button', { name: 'Default columns' }).click();
  await expect(triggered.getByRole('cell')).toHaveCount(6);

  // More columns than fit: the list scrolls sideways, and the page does not.
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const box of await menu.getByRole('checkbox').all()) await box.check();
  await page.keyboard.press('Escape');
  await expect(titles).toHaveCount(14);
  const widths = '[innerWidth - document.scrollingElement.scrollWidth, document.querySelector(".list").scrollWidth]';
  const [spare, wide] = await page.evaluate<[number, number]>(widths);
  expect(spare).toBe(0);
  expect(wide).toBeGreaterThan(1_024);
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

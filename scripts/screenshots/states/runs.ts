// Many runs: found, shown in columns, selected and acted on.
import type { Page } from 'playwright-core';
import { AT_DESK, inOrder, type MainPicture, press, SAMPLE } from './picture.ts';

export function runsPictures(): MainPicture[] {
  const runs = `${SAMPLE}/runs`;
  const holding = `${AT_DESK}/runs?type=workflow&name=hold&status=waiting`;
  const refused = `${AT_DESK}/runs?type=computation&name=charge&status=rejected&top_level=true`;
  return [
    { name: 'runs-failed', path: `${runs}?status=failed` },
    { name: 'runs-none-like-that', path: `${runs}?status=failed&type=recall` },
    { name: 'runs-found', path: `${runs}?search=Approach` },
    { name: 'runs-of-a-name', path: `${runs}?type=computation&name=triage-score&top_level=true` },
    { name: 'runs-more-filters', path: runs, act: press(/^More filters/) },
    {
      name: 'runs-more-filters-set',
      path: `${runs}?started_by=developer&top_level=true&since=2026-01-01T00:00:00Z`,
      act: press(/^More filters/),
    },
    { name: 'runs-saved-filters', path: `${runs}?status=failed`, act: saveFilter },
    { name: 'runs-columns', path: runs, act: press('Columns') },
    {
      name: 'runs-all-columns',
      path: runs,
      async act(page) {
        await press('Columns')(page);
        const menu = page.getByRole('dialog', { name: 'Columns' });
        await menu.waitFor();
        for (const box of await menu.getByRole('checkbox').all()) await box.check();
        await page.keyboard.press('Escape');
      },
    },
    {
      name: 'runs-called',
      path: `${AT_DESK}/runs?type=workflow&name=many`,
      act: inOrder(press('Runs called by many'), (page) =>
        page.getByRole('link', { name: 'charge' }).first().waitFor(),
      ),
    },
    { name: 'runs-selected', path: runs, act: selectSome },
    { name: 'runs-all-selected', path: holding, act: selectAll },
    { name: 'runs-before-they-are-cancelled', path: holding, act: inOrder(selectAll, press(/^Cancel \(/)) },
    { name: 'runs-before-they-run-again', path: refused, act: inOrder(selectAll, press(/^Run again \(/)) },
    {
      name: 'runs-run-again-and-failed',
      path: refused,
      act: inOrder(selectAll, press(/^Run again \(/), async (page) => {
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: /^Run .*again$/ }).click();
        await dialog.getByRole('list', { name: 'Failed' }).waitFor();
      }),
    },
  ];
}

async function saveFilter(page: Page): Promise<void> {
  await press('Saved filters')(page);
  const saved = page.getByRole('dialog', { name: 'Saved filters' });
  await saved.getByRole('textbox', { name: 'Name' }).fill('Failed lately');
  await page.keyboard.press('Enter');
  await saved.getByRole('link', { name: 'Failed lately' }).waitFor();
}

async function selectSome(page: Page): Promise<void> {
  const boxes = page.getByRole('table', { name: 'Runs' }).getByRole('checkbox', { name: /^Select (?!all)/ });
  for (const place of [0, 1, 3]) await boxes.nth(place).click();
  await page.getByRole('region', { name: 'Selected runs' }).waitFor();
}

/** A narrow page has no box for all, but a button that appears with the first selected run. */
async function selectAll(page: Page): Promise<void> {
  const list = page.getByRole('table', { name: 'Runs' });
  const first = list.getByRole('checkbox', { name: /^Select (?!all)/ }).first();
  await first.waitFor();
  const all = list.getByRole('checkbox', { name: 'Select all' });
  if (await all.isVisible()) return all.click();
  await first.click();
  const button = page.getByRole('region', { name: 'Selected runs' }).getByRole('button', { name: 'Select all' });
  if (await button.isVisible()) await button.click();
}

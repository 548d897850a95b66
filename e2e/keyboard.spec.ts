import { expect, expectAccessible, makeSample, test } from './studio.ts';

test('everything is reached by the keyboard alone', async ({ page, server, complaints }) => {
  await makeSample(page, server.address);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeHidden();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('triage');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'triage-score' })).toBeVisible();
  await page.getByRole('tab', { name: 'Source' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: 'Input' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Succeeded');

  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'triage-score' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: 'triage-score' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Run again…' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.keyboard.press('t');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(complaints).toEqual([]);
});

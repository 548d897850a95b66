import { expect, expectAccessible, openSample, test } from './studio.ts';

test.use({ hasSample: true });

test('an event is published, seen at once, filtered by its type and opened by its address', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await page.getByRole('link', { name: 'Events' }).click();
  await expect(page.getByRole('table', { name: 'Events' })).toContainText('definition_created');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Publish an event' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Type' }).fill('run_started');
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByRole('textbox', { name: 'Type' })).toHaveAttribute('aria-invalid', 'true');
  await form.getByRole('textbox', { name: 'Type' }).fill('order.paid');
  await form.getByRole('textbox', { name: 'Data as JSON' }).fill('{ "amount": ');
  await expect(form.getByText('This is no JSON yet')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await form.getByRole('textbox', { name: 'Data as JSON' }).fill('{ "amount": 12 }');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByText('Recorded as')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('combobox', { name: 'Type' }).fill('event_pub');
  await page.getByRole('option', { name: 'event_published' }).click();
  await expect(page).toHaveURL(/type=event_published/);
  await page.getByRole('table', { name: 'Events' }).getByRole('link').first().click();
  await expect(page.getByRole('dialog')).toContainText('"amount": 12');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('dialog')).toContainText('"amount": 12');
  expect(complaints).toEqual([]);
});

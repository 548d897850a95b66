import { expect, expectAccessible, openRow, openSample, test } from './studio.ts';
import { typeInto } from './writing.ts';

test.use({ hasSample: true });

test('an event is published, appears immediately, is filtered by type and opened by its address', async ({
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
  await typeInto(form.getByRole('textbox', { name: 'Type' }), 'run_started');
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByRole('textbox', { name: 'Type' })).toHaveAttribute('aria-invalid', 'true');
  await typeInto(form.getByRole('textbox', { name: 'Type' }), 'order.paid');
  await typeInto(form.getByRole('textbox', { name: 'Data as JSON' }), '{ "amount": ');
  await expect(form.getByText('This is not valid JSON')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Publish' })).toBeDisabled();
  // It is still there after another page was shown.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('button', { name: 'Publish an event' }).click();
  await expect(form.getByRole('textbox', { name: 'Type' })).toHaveValue('order.paid');
  await expect(form.getByRole('textbox', { name: 'Data as JSON' })).toHaveValue('{ "amount": ');
  await typeInto(form.getByRole('textbox', { name: 'Data as JSON' }), '{ "amount": 12 }');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByText('Recorded as')).toBeVisible();
  await page.keyboard.press('Escape');

  // A part of a type matches no event, and the types that contain it are named.
  await typeInto(page.getByRole('combobox', { name: 'Type' }), 'Order');
  await page.keyboard.press('Enter');
  await expect(page.getByText('none has the type')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'order.paid' }).click();
  await expect(page).toHaveURL(/type=order.paid/);
  await expect(page.getByRole('table', { name: 'Events' })).toContainText('order.paid');
  await typeInto(page.getByRole('combobox', { name: 'Type' }), 'event_pub');
  await page.getByRole('option', { name: 'event_published' }).click();
  await expect(page).toHaveURL(/type=event_published/);
  await openRow(page.getByRole('table', { name: 'Events' }).getByRole('row').nth(1));
  await expect(page.getByRole('dialog')).toContainText('"amount": 12');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('dialog')).toContainText('"amount": 12');
  expect(complaints).toEqual([]);
});

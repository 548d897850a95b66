import { expect, expectAccessible, makeSample, test } from './studio.ts';
import { typeInto } from './writing.ts';

// As for most people: dialogs move when they open and close.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a new user runs a function, starts a workflow, answers its question and reads its history', async ({
  page,
  server,
  complaints,
}) => {
  await page.goto(`${server.address}/`);
  await expect(page.getByRole('heading', { name: 'Welcome to Cuebook' })).toBeVisible();
  await expectAccessible(page);
  await makeSample(page, server.address);
  await expectAccessible(page);

  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: 'Open triage-score' }).click();
  await page.getByRole('button', { name: /^Run/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Succeeded');
  await expect(result).toContainText('"priority": "P1"');

  await page.getByRole('link', { name: 'Home' }).click();
  await expect(steps.getByLabel('Done')).toHaveCount(1);
  await steps.getByRole('button', { name: 'Start inspect-aircraft' }).click();
  await expect(steps.getByLabel('Done')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Waiting for an answer' })).toContainText('WS-03581');
  await steps.getByRole('link', { name: 'Open the inbox' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByRole('button', { name: /^Answer/ }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Answered' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(steps.getByLabel('Done')).toHaveCount(3);

  await steps.getByRole('button', { name: 'Open the run' }).click();
  await expect(page.getByRole('heading', { name: 'inspect-aircraft' })).toBeVisible();
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /^approve call.*finished/ })).toBeVisible();
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('table', { name: 'History' })).toContainText('run_succeeded');
  await page.getByRole('tab', { name: 'Input and output' }).click();
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('"inspect": true');
  expect(complaints).toEqual([]);
});

test('a new playbook needs only a name', async ({ page, server, complaints }) => {
  await page.goto(`${server.address}/#/playbooks/night-desk/runs`);
  await expect(page.getByRole('heading', { name: 'There is no playbook “night-desk”' })).toBeVisible();
  await page.getByRole('link', { name: 'All playbooks', exact: true }).click();
  await page.getByRole('button', { name: 'New playbook' }).click();
  await typeInto(page.getByRole('textbox', { name: 'Name' }), 'My desk');
  await expect(page.getByRole('textbox', { name: 'ID' })).toHaveValue('my-desk');
  await typeInto(page.getByRole('textbox', { name: 'ID' }), 'My Desk');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('lowercase letters, digits and hyphens', { exact: false }).last()).toBeVisible();
  await typeInto(page.getByRole('textbox', { name: 'ID' }), 'my-desk');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'My desk' })).toBeVisible();
  await expect(page.getByText('No definitions yet')).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

// A new definition begins with a type or with a template.
import { DESK, expect, expectAccessible, send, test } from './studio.ts';

test('a template is added with its examples, once, and its workflow asks a person', async ({
  page,
  server,
  complaints,
}) => {
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: 'Of the tests' });
  await page.goto(`${server.address}/#${DESK}/definitions`);
  await page.getByRole('link', { name: 'Create a definition' }).click();
  const types = page.getByRole('region', { name: 'Start with a type' });
  await expect(types.getByRole('link')).toHaveCount(6);
  await expect(types.locator('.type-picture')).toHaveCount(6);
  await expectAccessible(page);
  const template = page.getByRole('article', { name: 'Ask a person' });
  await expect(template).toContainText('workflow/decide-expense');
  await template.getByRole('button', { name: 'Add to the playbook' }).click();
  await expect(page.getByRole('heading', { name: 'decide-expense' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'approve-expense', exact: true }).first()).toBeVisible();

  // Its first example asks, and the question is a click away.
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('button', { name: /^Run ?Ctrl/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Waiting');
  await expectAccessible(page);
  await result.getByRole('link', { name: 'Answer' }).click();
  await expect(page.getByText('Approve 240 EUR for a train ticket?').first()).toBeVisible();

  // It is not saved over what is there.
  await page.goto(`${server.address}/#${DESK}/definitions`);
  await page.getByRole('link', { name: 'New definition' }).click();
  await expect(template).toContainText('The playbook already has workflow/decide-expense.');
  await expect(template.getByRole('button')).toHaveCount(0);
  const about = await (await fetch(`${server.address}/v1/orgs/local${DESK}`)).json();
  expect(about).toMatchObject({ name: 'Desk', description: 'Of the tests' });

  await send(server.address, `${DESK}/definitions/workflow/decide-expense/run`, {
    input: { amount: 240, purpose: 'a train' },
  });
  await page.goto(`${server.address}/#${DESK}/inbox`);
  await expect(page.getByText('Approve 240 EUR for a train?').first()).toBeVisible();
  expect(complaints).toEqual([]);
});

const TEMPLATES = [
  { title: 'Ask a person', definitions: { 'decide-expense': 3, 'approve-expense': 1 } },
  { title: 'Every morning', definitions: { 'morning-report': 1, 'events-by-day': 1 } },
  { title: "Watch a folder's API", definitions: { 'poll-files': 1, 'known-files': 1 } },
  { title: 'Classify with a model', definitions: { 'route-message': 1, 'classify-message': 1 } },
  { title: 'Forecast', definitions: { 'monthly-demand': 1, 'orders-to-place': 2 } },
] as const;

for (const { title, definitions } of TEMPLATES) {
  test(`the template "${title}" is added, and all of its examples pass without a model`, async ({
    page,
    server,
    complaints,
  }) => {
    await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: 'Of the tests' });
    await page.goto(`${server.address}/#${DESK}/definitions/new`);
    const template = page.getByRole('article', { name: title });
    await template.getByRole('button', { name: 'Add to the playbook' }).click();
    for (const [name, passed] of Object.entries(definitions)) {
      await page.getByRole('region', { name: 'All definitions' }).getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
      await page.getByRole('button', { name: 'Run examples' }).click();
      await expect(page.getByText(`${passed} passed, 0 failed.`)).toBeVisible();
    }
    expect(complaints).toEqual([]);
  });
}

test('every template is covered', async ({ page, server }) => {
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: 'Of the tests' });
  await page.goto(`${server.address}/#${DESK}/definitions/new`);
  const templates = page.getByRole('region', { name: 'Start with a template' });
  await expect(templates.getByRole('heading', { level: 3 })).toHaveText(TEMPLATES.map(({ title }) => title));
});

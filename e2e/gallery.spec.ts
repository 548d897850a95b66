// A new definition begins with a type or with a template.
import { expect, expectAccessible, send, test } from './studio.ts';

const DESK = '/playbooks/desk';

test('a template is added with its examples, once, and its workflow asks a person', async ({
  page,
  server,
  complaints,
}) => {
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: 'Of the tests' });
  await page.goto(`${server.address}/#${DESK}/definitions`);
  await page.getByRole('link', { name: 'Create a definition' }).click();
  await expect(page.getByRole('region', { name: 'Start with a type' }).getByRole('link')).toHaveCount(6);
  await expectAccessible(page);
  const template = page.getByRole('article', { name: 'Ask a person' });
  await expect(template).toContainText('workflow/decide-expense');
  await template.getByRole('button', { name: 'Add to the playbook' }).click();
  await expect(page.getByRole('heading', { name: 'decide-expense' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'approve-expense', exact: true }).first()).toBeVisible();

  // It is not saved over what is there.
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

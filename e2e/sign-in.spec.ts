// The studio of a published server: people sign in with an API key.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { createKey } from '../server/domain/access/index.ts';
import { ALL_PERMISSIONS, type Permission } from '../shared/permissions.ts';
import { editorOf, expect, expectAccessible, expectSignInPage, test } from './studio.ts';

function made(name: string, permissions: readonly Permission[] = ALL_PERMISSIONS) {
  const { key, sha256 } = createKey();
  return { key, entry: { name, sha256, org: 'acme', permissions } };
}

const admin = made('admin');
const reader = made('reader', ['playbook:read']);
const leaving = made('leaving');
const elsewhere = made('elsewhere');
const SOURCE = 'export default (input) => input.n * 2;\n';

test.use({
  environment: {
    API_KEYS: JSON.stringify([admin.entry, reader.entry, { ...elsewhere.entry, org: 'globex' }]),
  },
});

async function post(address: string, route: string, body: unknown): Promise<void> {
  const response = await fetch(`${address}/v1/orgs/acme${route}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

test.beforeEach(async ({ server }) => {
  await post(server.address, '/playbooks', { playbook: 'desk', name: 'Desk' });
  await post(server.address, '/playbooks/desk/definitions/computation', { name: 'double', source: SOURCE });
});

/** Writes the configuration file, and waits until the server has read whether the key that leaves is in it. */
async function configure({ address, dataDir }: { address: string; dataDir: string }, ...entries: object[]) {
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify({ api_keys: entries }));
  const headers = { authorization: `Bearer ${leaving.key}` };
  await expect.poll(async () => (await fetch(`${address}/v1/caller`, { headers })).ok).toBe(entries.length > 0);
}

async function paste(page: Page, key: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'API key' });
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(key);
  await page.keyboard.press('Enter');
}

test('a person pastes a key, and every request carries it, never in an address', async ({
  page,
  server,
  complaints,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(`${server.address}/#/playbooks/desk/definitions`);
  await expectSignInPage(page);
  await expect(page.getByText(new URL(server.address).host)).toBeVisible();
  await expectAccessible(page);

  await paste(page, 'not a key');
  await expect(page.getByText('Paste a whole key')).toBeVisible();
  await paste(page, `${admin.key.slice(0, -4)}AAAA`);
  await expect(page.getByText('This key is unknown or was revoked')).toBeVisible();
  await paste(page, admin.key);
  await expect(page.getByRole('link', { name: 'double' })).toBeVisible();
  await expect(page.getByText('key:admin')).toBeVisible();
  await expect(page.getByText('acme', { exact: true })).toBeVisible();
  await expectAccessible(page);

  // The stream of events carries it too.
  await post(server.address, '/playbooks/desk/definitions/computation', { name: 'another', source: SOURCE });
  await expect(page.getByRole('link', { name: 'another' })).toBeVisible();
  expect(addresses.filter((address) => address.includes('abk_'))).toEqual([]);
  expect(complaints).toEqual([]);

  // It was not kept.
  await page.reload();
  await expectSignInPage(page);
});

test('a key is kept until the tab is closed if the person wants that, and signing out in one tab signs out the others', async ({
  page,
  context,
  server,
}) => {
  await page.goto(`${server.address}/#/playbooks/desk/definitions`);
  await page.getByRole('checkbox', { name: 'Keep the key until this tab is closed' }).check();
  await page.getByRole('textbox', { name: 'API key' }).focus();
  await paste(page, admin.key);
  await expect(page.getByRole('link', { name: 'double' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'double' })).toBeVisible();

  const other = await context.newPage();
  await other.goto(`${server.address}/#/playbooks/desk/runs`);
  await paste(other, reader.key);
  await expect(other.getByText('key:reader')).toBeVisible();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expectSignInPage(other);
  await page.bringToFront();
  await expectSignInPage(page);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.reload();
  await expectSignInPage(page);
});

test('signing out asks whether to keep or delete drafts', async ({ page, server }) => {
  await page.goto(`${server.address}/#/playbooks/desk/definitions/computation/double`);
  await paste(page, admin.key);
  await editorOf(page).click();
  await page.keyboard.type('// a draft');
  const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Sign out' });
  await signOut.click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep it and sign out' }).click();
  await paste(page, admin.key);
  await expect(editorOf(page)).toContainText('// a draft');
  await signOut.click();
  await dialog.getByRole('button', { name: 'Delete it and sign out' }).click();
  await paste(page, admin.key);
  await expect(editorOf(page)).toContainText('export default');
  await expect(editorOf(page)).not.toContainText('// a draft');
});

test('a key that is revoked during an edit is replaced in a dialog, and nothing typed is lost', async ({
  page,
  server,
}) => {
  await configure(server, leaving.entry);
  await page.goto(`${server.address}/#/playbooks/desk/definitions/computation/double`);
  await paste(page, leaving.key);
  const editor = editorOf(page);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('// typed before');

  await configure(server);
  // The stream of events has ended. No dialog takes the focus away from the editor.
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await page.keyboard.type(', and after');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+S');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await expect(editor).toContainText('typed before');
  await page.getByRole('button', { name: 'Sign in again' }).click();

  await paste(page, elsewhere.key);
  await expect(dialog.getByText('This key is for the org globex')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'API key' }).focus();
  await paste(page, admin.key);
  await expect(dialog).toBeHidden();
  await expect(editor).toContainText('typed before');
  // The save that waited was sent again.
  await expect(page.getByText('Saved as version 2')).toBeVisible();
  const saved = await fetch(`${server.address}/v1/orgs/acme/playbooks/desk/definitions/computation/double`, {
    headers: { authorization: `Bearer ${admin.key}` },
  });
  expect(((await saved.json()) as { source: string }).source).toContain('// typed before, and after');
});

test("a reader's key shows what it may read, and offers nothing else", async ({ page, server, complaints }) => {
  await page.goto(`${server.address}/#/playbooks/desk/definitions/computation/double`);
  await paste(page, reader.key);
  await expect(editorOf(page)).toContainText('input.n * 2');
  await expect(page.getByText('You need the permission playbook:write to change this definition.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'New definition' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'More' })).toHaveCount(0);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('link', { name: 'Runs' })).toBeVisible();
  await expect(pages.getByRole('link', { name: 'Connections' })).toHaveCount(0);
  await expect(pages.getByRole('link', { name: 'Models' })).toHaveCount(0);
  await editorOf(page).click();
  await page.keyboard.type('ignored');
  await expect(editorOf(page)).not.toContainText('ignored');
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Run' }).click();
  await expect(page.getByText('You need the permission playbook:write to run definitions.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Run/ })).toBeDisabled();

  // A page that is opened by its address shows what the server refuses, and which permission is missing.
  await page.goto(`${server.address}/#/playbooks/desk/models`);
  await expect(page.getByText('needs the permission org:read').first()).toBeVisible();
  await expect(page.getByText('You are signed in as key:reader with playbook:read.').first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test('nothing covers another dialog: Escape closes the sign-in alone, and the draft of an event stays', async ({
  page,
  server,
}) => {
  await configure(server, leaving.entry);
  await page.goto(`${server.address}/#/playbooks/desk/events`);
  await paste(page, leaving.key);
  await page.getByRole('button', { name: 'Publish an event' }).first().click();
  await page.getByRole('textbox', { name: 'Type' }).fill('order.paid');
  await configure(server);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Type' })).toHaveValue('order.paid');
});

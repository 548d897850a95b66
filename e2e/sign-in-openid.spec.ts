// The studio of a published server where people sign in with OpenID Connect, at a real identity service.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { makeCertificates, temporaryFolder } from '../server/test/index.ts';
import { type PublishedServer, startPublishedServer } from '../server/test/published-server.ts';
import { editorOf, expect, expectAccessible, expectSignInPage, test as base } from './studio.ts';

const certificates = makeCertificates();
const SOURCE = 'export default (input) => input.n * 2;\n';
const DOUBLE = '/#/playbooks/desk/definitions/computation/double';
const RUNS = '/#/playbooks/desk/runs';
/** Seconds until an access token expires. */
const LIFETIME = 300;

/** All journeys share one server and one identity service. */
const test = base.extend<object, { published: PublishedServer }>({
  published: [
    async ({}, use) => {
      if (certificates === undefined) throw new Error('There is no openssl.');
      const folder = temporaryFolder();
      const published = await startPublishedServer(folder.path, certificates, { studioClient: 'studio' });
      const { client, dataDir, identity } = published;
      await client.post('/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' });
      const definition = { name: 'double', source: SOURCE };
      await client.post('/v1/orgs/acme/playbooks/desk/definitions/computation', definition);
      // Then there are no keys.
      writeFileSync(path.join(dataDir, 'cuebook.yaml'), '{}');
      await expect.poll(async () => (await client.post('/v1/orgs/acme/playbooks', {})).status).toBe(401);
      identity.lifetime = LIFETIME;
      await use(published);
      await published.close();
      folder.remove();
    },
    { scope: 'worker' },
  ],
});

test.skip(certificates === undefined, 'There is no openssl.');
test.use({ ignoreHTTPSErrors: true });
test.describe.configure({ mode: 'default' });

/** Opens an address, and signs in with the focused button. */
async function signIn(page: Page, { address, identity }: PublishedServer, place = DOUBLE): Promise<void> {
  await page.goto(`${address}${place}`);
  await expect(page.getByRole('button', { name: `Sign in with ${new URL(identity.issuer).host}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('person:ada')).toBeVisible();
}

test('a person signs in with OpenID Connect, returns to the same place, and stays signed in', async ({
  page,
  published,
  complaints,
}) => {
  const { address, identity } = published;
  const { granted } = identity;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${address}${RUNS}`);
  await expect(page.getByRole('button', { name: 'Sign in with' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'API key' })).toHaveCount(0);
  await expectAccessible(page);

  identity.granted = undefined;
  await page.keyboard.press('Enter');
  await expect(page.getByText('did not grant access')).toBeVisible();
  expect(page.url()).toBe(`${address}${RUNS}`);
  await expectAccessible(page);
  identity.granted = granted;
  await signIn(page, published, RUNS);
  await expect(page.getByText('acme', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
  expect(page.url()).toBe(`${address}${RUNS}`);

  // The token is renewed shortly before it expires.
  const refreshes = () => identity.grants.filter(({ type }) => type === 'refresh_token').length;
  const renewals = refreshes();
  await page.clock.setFixedTime(Date.now() + (LIFETIME - 10) * 1000);
  await page.getByRole('link', { name: 'Events' }).click();
  await expect.poll(refreshes).toBe(renewals + 1);
  expect(new Set(identity.grants.map(({ resource }) => resource))).toEqual(new Set([address]));

  const before = page.url();
  await page.reload();
  await expect(page.getByText('person:ada')).toBeVisible();
  expect(page.url()).toBe(before);
  expect(requests.filter((url) => /eyJ[\w-]+\.eyJ/.test(url))).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toMatch(/eyJ[\w-]+\.eyJ/);
  expect(complaints).toEqual([]);
});

test('a sign-in that expires during an edit is renewed in another window, and nothing typed is lost', async ({
  page,
  context,
  published,
}) => {
  await signIn(page, published);
  const editor = editorOf(page);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('// typed before');

  await published.identity.revokeRefreshTokens();
  await page.clock.setFixedTime(Date.now() + LIFETIME * 1000);
  await page.keyboard.type(', and after');
  await page.keyboard.press('Control+S');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  const button = dialog.getByRole('button', { name: 'Sign in with' });
  await expect(button).toBeFocused();
  await expectAccessible(page);

  // The person closes the window without signing in, and opens it again.
  const signInPages = `${published.identity.issuer}/auth?*`;
  await context.route(signInPages, () => undefined);
  const opening = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Sign in in the other window.')).toBeVisible();
  await (await opening).close();
  await context.unroute(signInPages);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/Saved as version \d/)).toBeVisible();
  await expect(editor).toContainText('// typed before, and after');
  // The window closed itself.
  await expect.poll(() => context.pages().length).toBe(1);
  expect(page.url()).toBe(`${published.address}${DOUBLE}`);
});

test('signing out in one of two tabs signs out the other, and ends the session at the identity service', async ({
  page,
  context,
  published,
}) => {
  await signIn(page, published);
  const other = await context.newPage();
  await signIn(other, published, RUNS);
  await other.getByRole('button', { name: 'Sign out' }).focus();
  await other.keyboard.press('Enter');
  await expectSignInPage(page);
  await expect(other.getByRole('button', { name: 'Sign out' })).toBeFocused();
  expect(new URL(other.url()).origin).toBe(published.identity.issuer);
  await other.keyboard.press('Enter');
  await expectSignInPage(other);
  expect(other.url()).toBe(`${published.address}/`);
  const cookies = await context.cookies(published.identity.issuer);
  expect(cookies.map(({ name }) => name)).not.toContain('_session');

  await page.bringToFront();
  await page.reload();
  await expectSignInPage(page);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

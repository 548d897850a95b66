// The studio of a published server where people sign in through the session module that the documentation shows.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { createKey } from '../server/domain/access/index.ts';
import { makeCertificates, serveProxy, startServerProcess, temporaryFolder } from '../server/test/index.ts';
import { ALL_PERMISSIONS } from '../shared/permissions.ts';
import { type SessionService, serveSessions } from './session-service.ts';
import { editorOf, expect, expectAccessible, expectSignInPage, test } from './studio.ts';
import { typeInto } from './writing.ts';

const certificates = makeCertificates();
const { key, sha256 } = createKey();
const SOURCE = 'export default (input) => input.n * 2;\n';

// One server for all.
test.describe.configure({ mode: 'default' });
test.use({ ignoreHTTPSErrors: true });
test.skip(certificates === undefined, 'There is no openssl.');

let identity: SessionService;
/** The public address. */
let address: string;
/** Where the proxy forwards to. */
let target: string;
let close: () => Promise<void>;

test.beforeAll(async () => {
  if (certificates === undefined) return;
  const folder = temporaryFolder();
  const authority = path.join(folder.path, 'authority.pem');
  writeFileSync(authority, certificates.authority);
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), 'connections: { people_may_add: true }');
  const proxy = await serveProxy(certificates.pair);
  identity = await serveSessions(certificates);
  const server = await startServerProcess(folder.path, {
    environment: {
      PUBLIC_URL: proxy.address,
      IDENTITY_ISSUER: identity.issuer,
      STUDIO_SESSION_MODULE: identity.module,
      API_KEYS: JSON.stringify([{ name: 'deploy', sha256, org: 'acme', permissions: ALL_PERMISSIONS }]),
      NODE_EXTRA_CA_CERTS: authority,
    },
  });
  proxy.forwardTo(server.address);
  [address, target] = [proxy.address, server.address];
  close = async () => {
    await server.end('SIGTERM');
    await proxy.close();
    await identity.close();
    folder.remove();
  };
  await ask('/playbooks', { playbook: 'desk', name: 'Desk' });
  await ask('/playbooks/desk/definitions/computation', { name: 'double', source: SOURCE });
});
test.afterAll(() => close());

/** A request of a program that acts for ada. */
async function ask(route: string, body?: unknown): Promise<Record<string, unknown>> {
  const scope = ALL_PERMISSIONS.join(' ');
  const token = await identity.sign({ sub: 'ada', aud: address, org_id: 'acme', scope });
  const response = await fetch(`${target}/v1/orgs/acme${route}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const signInButton = (page: Page): Locator =>
  page.getByRole('button', { name: `Sign in with ${new URL(identity.module).host}` });

/** Signs in with the button, in the dialog of the SDK. */
async function signIn(page: Page, name: string): Promise<void> {
  await signInButton(page).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

test('a session that expires during an edit is renewed in a dialog, and nothing typed is lost', async ({
  page,
  complaints,
}) => {
  await page.goto(`${address}/#/playbooks/desk/definitions/computation/double`);
  await expectSignInPage(page);
  await expect(signInButton(page)).toBeFocused();
  await expectAccessible(page);
  await signIn(page, 'ada');
  await expect(page.getByText('person:ada')).toBeVisible();
  await expect(page.getByText('acme', { exact: true })).toBeVisible();
  const loaded = page.waitForResponse((response) => response.url().includes('/sign-in-dialog'));
  await page.reload();
  await expect(page.getByText('person:ada')).toBeVisible();

  const editor = editorOf(page);
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('// typed before');
  // The dialog was loaded in advance: a server that was replaced no longer has it.
  await loaded;
  await page.route('**/sign-in-dialog*', (route) => route.abort());
  identity.expire();
  await page.keyboard.type(', and after');
  await page.keyboard.press('Control+S');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await signIn(page, 'ada');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Saved as version 2')).toBeVisible();
  await expect(editor).toContainText('// typed before, and after');
  const saved = await ask('/playbooks/desk/definitions/computation/double');
  expect(saved).toMatchObject({ version: 2, source: expect.stringContaining('// typed before, and after') });
  expect(complaints).toEqual([]);
});

test('signing out in one of two tabs signs out the other', async ({ page, context, complaints }) => {
  await page.goto(`${address}/#/playbooks/desk/runs`);
  await signIn(page, 'ada');
  await expect(page.getByText('person:ada')).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${address}/#/playbooks/desk/definitions`);
  await expect(other.getByText('person:ada')).toBeVisible();
  const ended = other.waitForResponse((response) => response.url().endsWith('/sign-out'));
  await other.getByRole('button', { name: 'Sign out' }).press('Enter');
  await ended;
  await expectSignInPage(other);
  await page.bringToFront();
  await expectSignInPage(page);
  await page.reload();
  await expectSignInPage(page);
  expect(complaints).toEqual([]);
});

test('a module that cannot be loaded is named, and signing in tries again', async ({ page }) => {
  const loading = Promise.withResolvers<void>();
  await page.route(identity.module, async (route) => {
    await loading.promise;
    await route.abort();
  });
  await page.goto(`${address}/#/playbooks/desk/runs`);
  await expect(page.getByText('Signing in…')).toBeVisible();
  loading.resolve();
  await expect(page.getByText(`The session module ${identity.module} could not be loaded`)).toBeVisible();
  await page.unroute(identity.module);
  await signIn(page, 'ada');
  await expect(page.getByText('person:ada')).toBeVisible();
});

test('a connection is approved in the session of the person who added it, and refused to everybody else', async ({
  page,
  complaints,
}) => {
  const connection = {
    kind: 'mcp',
    entry: { url: 'https://docs.example.com/mcp' },
    credential: { kind: 'none' },
  };
  const { id, connect } = await ask('/connections', { ...connection, name: 'docs' });
  const { url } = connect as { url: string };
  const token = new URL(url).searchParams.get('token');
  expect(await ask(`/connections/${String(id)}/approve`, { token })).toMatchObject({ status: 403 });

  await page.goto(url);
  await page.getByRole('textbox', { name: 'API key' }).focus();
  await page.keyboard.insertText(key);
  await page.keyboard.press('Enter');
  await expect(page.getByText('An API key or an access token cannot approve a connection.')).toBeVisible();
  await expectAccessible(page);
  await signIn(page, 'eve');
  await expect(page.getByText('You are signed in as person:eve.')).toBeVisible();
  await expect(page.getByText('Only person:ada can approve this connection')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve and connect' })).toHaveCount(0);
  await expectAccessible(page);
  const session = await identity.sign({ sub: 'eve', azp: address, o: { id: 'acme' } });
  const refused = await page.evaluate<{ detail: string }>(
    `fetch('/v1/orgs/acme/connections/${String(id)}/approve', {
      method: 'POST',
      headers: { authorization: 'Bearer ${session}', 'content-type': 'application/json' },
      body: '${JSON.stringify({ token })}',
    }).then((response) => response.json())`,
  );
  expect(refused).toMatchObject({ status: 403, detail: expect.stringContaining('Only the person who added') });
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');

  await expectSignInPage(page);
  await signIn(page, 'ada');
  await page.getByRole('button', { name: 'Approve and connect' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'docs is connected' })).toBeVisible();
  expect(await ask(`/connections/${String(id)}`)).toMatchObject({ status: 'connected', connected_by: 'person:ada' });

  await page.goto(`${address}/#/playbooks/desk/connections`);
  await page.getByRole('button', { name: 'Add a connection' }).first().press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a connection' });
  await typeInto(form.getByRole('textbox', { name: 'Name', exact: true }), 'issues');
  await typeInto(form.getByRole('textbox', { name: 'Address' }), 'https://issues.example.com/mcp');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Approve and connect' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'issues is connected' })).toBeVisible();
  expect(complaints).toEqual([]);
});

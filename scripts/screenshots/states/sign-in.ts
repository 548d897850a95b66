// Other servers: one that is empty, one whose providers do not respond, and those on which people sign in.
import type { Page } from 'playwright-core';
import type { PicturedServers } from '../servers.ts';
import { type Act, addLine, AT_DESK, editorOf, inOrder, openNavigation, type Picture, press } from './picture.ts';

export function signInPictures({ bare, troubled, keys, openid }: PicturedServers): Picture[] {
  const { admin, reader } = keys.keys;
  const quote = `${AT_DESK}/definitions/computation/quote`;
  const withKey = (name: string, path: string, act?: Act): Picture => ({
    name,
    address: keys.address,
    path,
    ...(act === undefined ? {} : { act }),
  });
  return [
    { name: 'first-run', path: '/', address: bare },
    { name: 'tools-unavailable', path: `${AT_DESK}/tools`, address: troubled },
    { name: 'models-unavailable', path: `${AT_DESK}/models`, address: troubled },
    withKey('sign-in', `${AT_DESK}/runs`),
    withKey('sign-in-incomplete-key', `${AT_DESK}/runs`, enter('not a key')),
    withKey('sign-in-unknown-key', `${AT_DESK}/runs`, enter(`${admin.slice(0, -4)}AAAA`)),
    withKey(
      'signed-in',
      AT_DESK,
      inOrder(enter(admin), openNavigation, (page) => page.getByText('key:admin').waitFor()),
    ),
    withKey('signed-in-agents', `${AT_DESK}/agents`, enter(admin)),
    withKey('signed-in-playbooks', '/', enter(admin)),
    withKey('signed-in-models', `${AT_DESK}/models`, enter(admin)),
    withKey('signed-in-tools', `${AT_DESK}/tools`, enter(admin)),
    withKey(
      'reader-home',
      AT_DESK,
      inOrder(enter(reader), openNavigation, (page) => page.getByText('key:reader').waitFor()),
    ),
    withKey(
      'reader-definition',
      quote,
      inOrder(enter(reader), (page) => editorOf(page).waitFor()),
    ),
    withKey('reader-run-panel', `${quote}?tab=run`, enter(reader)),
    withKey('reader-runs', `${AT_DESK}/runs`, enter(reader)),
    withKey('reader-models', `${AT_DESK}/models`, enter(reader)),
    withKey('reader-playbooks', '/', enter(reader)),
    withKey('sign-out-with-a-draft', quote, async (page) => {
      await enter(admin)(page);
      await addLine(page, '// A draft.');
      await page.getByText('Not saved yet').first().waitFor();
      await openNavigation(page);
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('dialog', { name: 'Sign out' }).waitFor();
    }),
    withKey('sign-in-again', quote, async (page) => {
      await enter(admin)(page);
      await saveWithRefusedKey(page);
    }),
    withKey('signed-out-while-editing', quote, async (page) => {
      await enter(admin)(page);
      await saveWithRefusedKey(page);
      await page.keyboard.press('Escape');
      await page.getByText('You are signed out.').waitFor();
    }),
    ...(openid === undefined ? [] : openidPictures(openid)),
  ];
}

function openidPictures({ address, identity }: NonNullable<PicturedServers['openid']>): Picture[] {
  const path = `${AT_DESK}/runs`;
  return [
    { name: 'openid-sign-in', path, address },
    {
      name: 'openid-sign-in-refused',
      path,
      address,
      async act(page) {
        await page.route(`${identity.issuer}/auth?*`, async (route) => {
          const { searchParams } = new URL(route.request().url());
          const location = new URL(searchParams.get('redirect_uri') ?? address);
          location.search = new URLSearchParams({
            error: 'access_denied',
            state: searchParams.get('state') ?? '',
            iss: identity.issuer,
          }).toString();
          await route.fulfill({ status: 302, headers: { location: location.href } });
        });
        await press(/^Sign in with/)(page);
        await page.getByText('did not grant access').waitFor();
      },
    },
    {
      name: 'openid-signed-in',
      path,
      address,
      act: inOrder(press(/^Sign in with/), async (page) => {
        await page.locator('main h1:visible').getByText('Runs').waitFor();
        await openNavigation(page);
        await page.getByText('person:ada').waitFor();
      }),
    },
  ];
}

/** Pastes a key into the page to sign in. */
const enter =
  (key: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('textbox', { name: 'API key' }).fill(key);
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Paste a whole key|^This key is unknown/)
      .or(page.getByRole('navigation', { name: 'Pages' }))
      .first()
      .waitFor();
  };

/** Writes a draft and saves it, while the service answers as if the key was revoked. */
async function saveWithRefusedKey(page: Page): Promise<void> {
  await addLine(page, '// A draft.');
  await page.getByText('Not saved yet').first().waitFor();
  const problem = {
    type: 'https://cuebook.dev/problems/unauthenticated',
    title: 'Unauthenticated',
    status: 401,
    detail: 'The key is unknown or was revoked.',
  };
  await page.route('**/v1/**', (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', json: problem }),
  );
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
}

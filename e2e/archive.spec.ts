// A playbook leaves the studio as a zip archive, and comes in as one: previewed first, then imported as a whole.
import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import { readArchive, writeArchive } from '../server/lib/playbook-files/index.ts';
import { chooseFiles, dropFiles, type NamedFile } from './files.ts';
import { expect, expectAccessible, send, test } from './studio.ts';
import { typeInto } from './writing.ts';

const ONE = { type: 'computation' as const, name: 'one', source: 'export default () => 1;\n' };
const TWO = { type: 'computation' as const, name: 'two', source: 'export default () => 2;\n' };
const CHANGED = { ...ONE, source: 'export default () => 10;\n' };
const MANIFEST = { playbook: 'desk', name: 'Desk', description: 'Of the tests.' };

const AT = '/playbooks/desk';
const CHOOSE = 'Choose a zip archive…';
const DROP = 'Or drop one here';

async function archiveOf(definitions: readonly (typeof ONE)[], manifest = MANIFEST): Promise<NamedFile> {
  return { name: `${manifest.playbook}.zip`, bytes: await writeArchive(manifest, definitions) };
}

/** Creates the playbook `desk` with these definitions. */
async function makeDesk(address: string, definitions: readonly (typeof ONE)[]): Promise<void> {
  await send(address, '/playbooks', MANIFEST);
  for (const { type, name, source } of definitions) await send(address, `${AT}/definitions/${type}`, { name, source });
}

async function sourcesOf(address: string, playbook = 'desk'): Promise<unknown> {
  const response = await fetch(`${address}/v1/orgs/local/playbooks/${playbook}/export`);
  return ((await response.json()) as { definitions?: unknown }).definitions;
}

async function downloaded(page: Page, start: () => Promise<void>): Promise<Download> {
  const download = page.waitForEvent('download');
  await start();
  return download;
}

const contentOf = async (download: Download) => readArchive(readFileSync(await download.path()));
/** Opens the menu of the playbook, and chooses one of its entries. */
async function chooseInMenu(page: Page, playbook: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: playbook, exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
const EXPORT = 'Export this playbook';

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

test('a playbook is exported from its menu, from its card and by the palette', async ({ page, server, complaints }) => {
  await makeDesk(server.address, [ONE, TWO]);
  await page.goto(`${server.address}/#${AT}`);
  const fromMenu = await downloaded(page, () => chooseInMenu(page, 'Desk', EXPORT));
  expect(fromMenu.suggestedFilename()).toBe('desk.zip');
  expect(await contentOf(fromMenu)).toEqual({ ...MANIFEST, definitions: [ONE, TWO], ignored: [] });

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('export this');
  await expect(page.getByText('As a zip archive')).toBeVisible();
  const fromPalette = await downloaded(page, () => page.keyboard.press('Enter'));
  expect(await contentOf(fromPalette)).toMatchObject(MANIFEST);

  await page.goto(`${server.address}/#/`);
  await expectAccessible(page);
  const fromCard = await downloaded(page, () => page.getByRole('button', { name: 'Export Desk' }).click());
  expect(fromCard.suggestedFilename()).toBe('desk.zip');
  // The rest of the card is a link.
  await page.getByRole('article').click();
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible();

  // A failure is shown, not swallowed.
  await page.route('**/archive', (route) => route.abort());
  await chooseInMenu(page, 'Desk', EXPORT);
  await expect(page.getByText('desk was not exported. The service is not responding.')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('an archive is imported into a new playbook, under its own ID or another', async ({
  page,
  server,
  complaints,
}) => {
  await page.goto(`${server.address}/`);
  await page.getByRole('link', { name: 'Import…' }).click();
  const dialog = dialogOf(page, 'Import a playbook');
  await expect(dialog.getByRole('button', { name: CHOOSE })).toBeFocused();
  await expectAccessible(page);
  // The name of the file says nothing about the playbook.
  await chooseFiles(page, CHOOSE, { ...(await archiveOf([ONE, TWO])), name: 'Download (1).zip' });
  await expect(dialog.getByRole('status')).toHaveText('Creates the playbook desk: 2 new.');
  await expect(dialog.getByRole('textbox', { name: 'Playbook ID' })).toHaveValue('desk');
  await expect(dialog.getByRole('region', { name: 'New' })).toContainText('computation/two');
  await expectAccessible(page);
  expect(await sourcesOf(server.address)).toBeUndefined();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible();
  await expect(page.getByText('Imported Download (1).zip into desk: 2 new.')).toBeVisible();
  expect(await sourcesOf(server.address)).toMatchObject([ONE, TWO]);

  // Again, with the keyboard and under another ID: nothing of the first changes.
  // The file dialog is awaited well before the key that opens it, which is quicker than a click.
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('import a playbook');
  await expect(page.locator('[data-selected]')).toContainText('Import a playbook…');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: CHOOSE })).toBeFocused();
  await page.keyboard.press('Enter');
  const { bytes } = await archiveOf([CHANGED]);
  await (await chooser).setFiles({ name: 'desk.zip', mimeType: 'application/zip', buffer: Buffer.from(bytes) });
  await expect(dialog.getByRole('status')).toHaveText('Changes the playbook desk: 1 changed, 1 kept.');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('textbox', { name: 'Playbook ID' })).toBeFocused();
  await page.keyboard.type('No');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('`playbook` in the path must be 3 to 48 lowercase letters');
  await typeInto(dialog.getByRole('textbox', { name: 'Playbook ID' }), 'copy');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Creates the playbook copy: 1 new.');
  await expect(dialog).toContainText('The archive was exported from another playbook, desk.');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  expect(await sourcesOf(server.address, 'copy')).toMatchObject([CHANGED]);
  expect(await sourcesOf(server.address)).toMatchObject([ONE, TWO]);
  expect(complaints).toEqual([]);
});

test('while an archive is sent and checked, the dialog shows how far it is', async ({ page, server, complaints }) => {
  await makeDesk(server.address, [ONE]);
  const [planned, imported] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/imports', async (route) => {
    await planned.promise;
    await route.continue();
  });
  await page.route('**/imports/*', async (route) => {
    await imported.promise;
    await route.continue();
  });
  await page.goto(`${server.address}/#${AT}?import=true`);
  const dialog = dialogOf(page, 'Import into desk');
  await chooseFiles(page, CHOOSE, await archiveOf([ONE, TWO]));
  await expect(dialog.getByRole('status')).toHaveText(/^(?:Sending the archive|Checking what would change)…$/);
  await expect(dialog.getByRole('progressbar', { name: 'Sent' })).toBeAttached();
  await expectAccessible(page);
  planned.resolve();
  await expect(dialog.getByRole('status')).toHaveText('Changes the playbook desk: 1 new, 1 unchanged.');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog.getByRole('progressbar', { name: 'Sent' })).toBeAttached();
  imported.resolve();
  await expect(dialog).toBeHidden();
  expect(await sourcesOf(server.address)).toMatchObject([ONE, TWO]);
  expect(complaints).toEqual([]);
});

test('an import over a playbook shows what it changes, keeps the rest, and notices changes in between', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address, [ONE, TWO]);
  await page.goto(`${server.address}/#${AT}/runs`);
  await chooseInMenu(page, 'Desk', 'Import into this playbook…');
  const dialog = dialogOf(page, 'Import into desk');
  const three = { ...TWO, name: 'three', source: 'export default () => 3;\n' };
  await dropFiles(page, DROP, [await archiveOf([CHANGED, three], { ...MANIFEST, name: 'Front desk' })]);
  await expect(dialog.getByRole('status')).toHaveText('Changes the playbook desk: 1 new, 1 changed, 1 kept.');
  await expect(dialog).toContainText('The playbook gets the name and the description of the archive.');
  await expect(dialog.getByRole('region', { name: 'Changed' })).toContainText('computation/one version 1 → 2');
  await expect(dialog.getByRole('region', { name: 'Not in the archive, kept' })).toContainText('computation/two');
  await expectAccessible(page);

  // Another author saves in the meantime.
  const edited = { source: 'export default () => 11;\n' };
  await fetch(`${server.address}/v1/orgs/local${AT}/definitions/computation/one`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(edited),
  });
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog).toContainText('nothing was imported');
  expect(await sourcesOf(server.address)).toMatchObject([{ ...ONE, ...edited }, TWO]);
  await dialog.getByRole('button', { name: 'Preview again' }).click();
  await expect(dialog.getByRole('region', { name: 'Changed' })).toContainText('version 2 → 3');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Front desk' })).toBeVisible();
  expect(await sourcesOf(server.address)).toMatchObject([CHANGED, three, TWO]);
  expect(complaints).toEqual([]);
});

test('a broken archive is refused by file and line, and a lost response loses nothing', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address, [ONE]);
  await page.goto(`${server.address}/#${AT}?import=true`);
  const dialog = dialogOf(page, 'Import into desk');
  const good = await archiveOf([CHANGED, TWO]);
  await chooseFiles(page, CHOOSE, { name: 'half.zip', bytes: good.bytes.slice(0, 100) });
  await expect(dialog.getByRole('alert')).toContainText('The file is not a complete zip archive.');
  await expectAccessible(page);

  const another = 'Choose another…';
  const wrong = { ...TWO, source: 'export const input = ;\nexport default () => 2;\n' };
  await chooseFiles(page, another, await archiveOf([CHANGED, wrong]));
  const faults = dialog.getByRole('region', { name: 'two.computation.ts' });
  await expect(faults).toContainText('Line 1, column 22: The program is not valid TypeScript');
  await expectAccessible(page);
  expect(await sourcesOf(server.address)).toMatchObject([ONE]);

  // The service imports the archive, but its response does not arrive.
  await chooseFiles(page, another, good);
  await expect(dialog.getByRole('status')).toHaveText('Changes the playbook desk: 1 new, 1 changed.');
  await page.route('**/imports/*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog.getByText('Send it again')).toBeVisible();
  await dialog.getByRole('button', { name: 'Preview again' }).click();
  await expect(dialog.getByRole('status')).toHaveText('desk already contains everything in this archive.');
  await expect(dialog.getByRole('button', { name: 'Import' })).toHaveCount(0);
  expect(await sourcesOf(server.address)).toMatchObject([CHANGED, TWO]);

  // A retired name is never used again.
  await page.unrouteAll();
  await send(server.address, `${AT}/definitions/computation/two/retire`, {});
  await chooseFiles(page, another, good);
  await expect(dialog.getByRole('region', { name: 'Refused' })).toContainText('computation/two');
  await expect(dialog.getByRole('button', { name: 'Import' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(complaints).toEqual([]);
});

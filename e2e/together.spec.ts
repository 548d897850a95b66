// Documents that depend on each other, and people who write the same one at the same time.
import { DESK, editorOf, expect, makeDesk, test } from './studio.ts';
import { squiggles, textOf, write } from './writing.ts';

const SCORE = `export const input = { type: 'object', required: ['title'], additionalProperties: false, properties: { title: { type: 'string' } } };
export const output = { type: 'object', properties: { score: { type: 'integer' } } };
export default (input: Input) => ({ score: input.title.length });
`;
const WORKFLOW = `document: { dsl: '1.0.3', namespace: desk, name: handle-ticket, version: '1.0.0' }
do:
  - rate: { call: computation/score, with: { title: a } }
  - keep:
      set:
        rated: \${ .scor }
`;

test('given a workflow that uses other definitions, then wrong uses are marked, and fixed with a key', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address, { 'computation/score': SCORE });
  await page.goto(`${server.address}/#${DESK}/definitions/new?type=workflow`);
  await expect(page.getByText('No issues')).toBeVisible();
  await write(page, WORKFLOW);
  await expect(squiggles(page, 'warning')).toHaveCount(1);
  await expect(page.getByText('declares no field scor; did you mean score?')).toBeVisible();
  await expect(page.getByText('1 warning', { exact: true })).toBeVisible();

  await editorOf(page).locator('.view-line').filter({ hasText: 'rated' }).click();
  await page.keyboard.press('Home');
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('listbox', { name: /Quick Fix Available/ })).toBeAttached();
  await page.keyboard.press('ControlOrMeta+.');
  await expect(page.getByText('Quick Fix', { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(squiggles(page, 'warning')).toHaveCount(0);
  await expect(page.getByText('No issues')).toBeVisible();
  expect(await textOf(page)).toBe(WORKFLOW.replace('scor }', 'score }'));

  await write(page, WORKFLOW.replace('scor }', 'score }').replace('title:', 'titel:'));
  await expect(page.getByText('rejects this input', { exact: false }).first()).toBeVisible();
  await expect(squiggles(page, 'warning').first()).toBeVisible();
  await write(page, WORKFLOW.replace('scor }', 'score }').replace('computation/score', 'computation/scores'));
  await expect(page.getByText('did you mean computation/score?', { exact: false })).toBeVisible();
  await expect(squiggles(page, 'warning')).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test('given two tabs with one definition, then the second to save gets the conflict, compares and overwrites', async ({
  page,
  context,
  server,
  complaints,
}) => {
  const at = `${DESK}/definitions/computation/score`;
  await makeDesk(server.address, { 'computation/score': SCORE });
  await page.goto(`${server.address}/#${at}`);
  const other = await context.newPage();
  await other.goto(`${server.address}/#${at}`);
  for (const [tab, words] of [
    [page, '// Mine.\n'],
    [other, '// Theirs.\n'],
  ] as const) {
    await tab.bringToFront();
    await expect(tab.getByText('No issues')).toBeVisible();
    await editorOf(tab).click();
    await tab.keyboard.press('ControlOrMeta+Home');
    await tab.keyboard.type(words);
  }

  // Sent before the first tab hears of the other's version, and received after it.
  const held = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<string>();
  await page.route(
    (url) => url.pathname.endsWith(at),
    async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      sent.resolve(route.request().postData() ?? '');
      await held.promise;
      await route.continue();
    },
  );
  await page.bringToFront();
  await page.keyboard.press('ControlOrMeta+s');
  expect(JSON.parse(await sent.promise)).toMatchObject({ expected_version: 1 });
  await other.bringToFront();
  await other.keyboard.press('ControlOrMeta+s');
  await expect(other.getByText('Version 2', { exact: true })).toBeVisible();
  held.resolve();

  await page.bringToFront();
  await expect(page.getByText('Version 2 was saved by developer while you were editing')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'expected_version' })).toHaveCount(0);
  await expect(editorOf(page)).toContainText('// Mine.');
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog');
  await expect(compared.locator('.monaco-diff-editor')).toContainText('// Theirs.');
  await compared.getByText('Your changes').click();
  await expect(compared.locator('.monaco-diff-editor')).toContainText('// Mine.');
  await compared.getByRole('button', { name: 'Continue editing' }).click();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Version 3', { exact: true })).toBeVisible();
  await expect(page.getByText('while you were editing')).toBeHidden();
  const saved = (await (await fetch(`${server.address}/v1/orgs/local${at}`)).json()) as { source: string };
  expect(saved.source).toBe(`// Mine.\n${SCORE}`);
  expect(complaints).toEqual([]);
});

test('given two tabs with one definition, then each keeps its own draft through saves, reloads and closing', async ({
  page,
  context,
  server,
  complaints,
}) => {
  const at = `${DESK}/definitions/computation/score`;
  const saved = async () =>
    ((await (await fetch(`${server.address}/v1/orgs/local${at}`)).json()) as { source: string }).source;
  await makeDesk(server.address, { 'computation/score': SCORE });
  await page.goto(`${server.address}/#${at}`);
  const other = await context.newPage();
  await other.goto(`${server.address}/#${at}`);
  for (const [tab, words] of [
    [page, '// Mine.\n'],
    [other, '// Theirs.\n'],
  ] as const) {
    await tab.bringToFront();
    await expect(tab.getByText('No issues')).toBeVisible();
    await editorOf(tab).click();
    await tab.keyboard.press('ControlOrMeta+Home');
    await tab.keyboard.type(words);
  }
  await page.bringToFront();
  await expect(page.getByText('Another tab has other changes.')).toBeVisible();

  // A save in one tab neither changes what the other one has, nor what is shown here.
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  expect(await textOf(page)).toBe(`// Mine.\n${SCORE}`);
  expect(await saved()).toBe(`// Mine.\n${SCORE}`);
  await other.bringToFront();
  await expect(other.getByText('Version 2 was saved by developer while you were editing')).toBeVisible();
  expect(await textOf(other)).toBe(`// Theirs.\n${SCORE}`);

  // What is undone in one tab stays in the other, and each has its own after it is loaded again.
  await page.bringToFront();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('// More.');
  await page.reload();
  await expect(editorOf(page)).toContainText('// More.');
  await page.getByRole('button', { name: 'Undo all' }).click();
  await editorOf(page).click();
  expect(await textOf(page)).toBe(`// Mine.\n${SCORE}`);
  await other.bringToFront();
  await other.reload();
  await expect(other.getByText('Version 2 was saved by developer while you were editing')).toBeVisible();
  await expect(editorOf(other)).toContainText('// Theirs.');

  // The last tab that is closed leaves its draft.
  await other.close({ runBeforeUnload: true });
  const later = await context.newPage();
  await later.goto(`${server.address}/#${at}`);
  await expect(editorOf(later)).toContainText('// Theirs.');
  // A draft of another version, once discarded, does not come back by undoing.
  await later.getByRole('button', { name: 'Compare' }).click();
  await later.getByRole('button', { name: 'Discard my draft' }).click();
  await expect(editorOf(later)).toContainText('// Mine.');
  await editorOf(later).click();
  await later.keyboard.press('ControlOrMeta+z');
  expect(await textOf(later)).toBe(`// Mine.\n${SCORE}`);
  expect(complaints).toEqual([]);
});

import { editorOf, expect, expectAccessible, goTo, makeSample, send, test } from './studio.ts';

// As for most people: dialogs move when they open and close.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('every page is reached by keyboard alone', async ({ page, server, complaints }) => {
  await makeSample(page, server.address);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();

  // The palette is loaded now, for the first time; what is typed meanwhile is no shortcut (`t` turns the page dark).
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('triagh');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('e');
  await expect(page.getByRole('textbox', { name: 'Search' })).toHaveValue('triage');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'triage-score' })).toBeVisible();
  await page.getByRole('tab', { name: 'Source' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: 'Input' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Succeeded');

  await goTo(page, 'r');
  // It is read out where one has come to, also once the page knows what it is called.
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeFocused();
  await expect(page.getByRole('link', { name: 'triage-score' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: 'triage-score' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Run again…' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'triage-score' })).toBeFocused();

  await goTo(page, 'e');
  await expect(page.getByRole('heading', { name: 'Events', exact: true })).toBeVisible();

  // The menu is loaded now, for the first time, and still returns the focus to its button.
  const playbooks = page.getByRole('button', { name: 'Wildlife strikes' });
  await playbooks.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'All playbooks' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'All playbooks' })).toBeHidden();
  await expect(playbooks).toBeFocused();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.keyboard.press('t');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(complaints).toEqual([]);
});

test('a computation is written, fixed, saved, run and found again without a mouse', async ({
  page,
  server,
  complaints,
}) => {
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
  await page.goto(`${server.address}/#/playbooks/desk`);
  await expect(page.getByRole('heading', { name: 'Desk', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('New computation');
  await page.keyboard.press('Enter');

  // The name comes first; the editor stands behind what saves.
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('thrice');
  const text = editorOf(page).getByRole('textbox');
  await expect(text).toBeAttached();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Run examples' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Start over' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Save' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(text).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('export default (input) => ({ thrice: input.n * 3 })+');
  await expect(page.getByRole('list', { name: 'Issues' })).toContainText('Line 1');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'Editor shortcuts' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Wrap' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Full height' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Line 1' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(text).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(';');
  await expect(page.getByText('No issues')).toBeVisible();
  // The service may be slow to return what was just saved: the page does not wait for it.
  const slow = Promise.withResolvers<void>();
  await page.route('**/definitions/computation/thrice', async (route) => {
    await slow.promise;
    await route.continue();
  });
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('heading', { name: 'thrice' })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Enter');
  const result = page.getByRole('region', { name: 'Result' });
  await expect(page.getByRole('button', { name: /^Run ?Ctrl/ })).toBeFocused();
  slow.resolve();
  await expect(result).toContainText('NaN');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Saved version' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Input as JSON' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('{ "n": 14 }');
  // Held down: one press, one run.
  await page.keyboard.down('ControlOrMeta');
  await page.keyboard.down('Enter');
  await expect(result).toContainText('"thrice": 42');
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.up('ControlOrMeta');

  // Out of the field first: letters typed there are no shortcuts, but on a radio button they are.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('radio', { name: 'Saved version' })).toBeFocused();
  await goTo(page, 'r');
  await expect(page.getByRole('table', { name: 'Runs' }).getByRole('link')).toHaveCount(2);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: 'thrice' }).nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByRole('link', { name: 'thrice' }).first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('42');
  await goTo(page, 'r');
  await expect(page.getByRole('table', { name: 'Runs' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Leave the editor');
  expect(complaints).toEqual([]);
});

test('on a Mac, keys are shown as they are written there, and every key of the graph is listed', async ({
  page,
  server,
  complaints,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)' });
  });
  await makeSample(page, server.address);
  await expect(page.getByRole('button', { name: /^Search ?⌘ K$/ })).toBeVisible();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByRole('row', { name: 'Duplicate the step' })).toContainText('⌘D');
  await expect(list.getByRole('row', { name: 'Move the step up' })).toContainText('⌥↑');
  await expect(list).not.toContainText('Ctrl');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const source = '{ document: { dsl: 1.0.3, namespace: n, name: w, version: 1.0.0 }, do: [{ one: { wait: PT0S } }] }\n';
  await send(server.address, '/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
  await send(server.address, '/playbooks/desk/definitions/workflow', { name: 'one', source });
  await page.goto(`${server.address}/#/playbooks/desk/definitions/workflow/one`);
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveAttribute('title', 'Undo (⌘Z)');
  await expect(page.getByRole('group', { name: 'Editor shortcuts' })).toContainText('⌘S save');
  expect(complaints).toEqual([]);
});

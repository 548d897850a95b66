// A source while it is edited: drafts, issues, examples, saves that are refused, and how the editor is laid out.
import type { Page } from 'playwright-core';
import { DESK_SOURCES, send } from '../make-desk.ts';
import { addLine, AT_DESK, editorOf, inOrder, type MainPicture, press, SAMPLE, writeSource } from './picture.ts';

const QUOTE = `${AT_DESK}/definitions/computation/quote`;
/** Others do not use it, so that it may get new versions. */
const WORKSHOPS = `${AT_DESK}/definitions/computation/workshops`;
const MISSPELLED = `document: { dsl: '1.0.3', namespace: repair-desk, name: decide, version: '1.0.0' }
do:
  - price: { call: computation/quote, with: { hours: 2 } }
  - keep: { set: { paid: '\${ .prise }' } }
`;

export function editingPictures(): MainPicture[] {
  const strikes = `${SAMPLE}/definitions`;
  return [
    { name: 'definition-draft', path: QUOTE, act: (page) => addLine(page, '// Not saved yet.') },
    {
      name: 'definition-with-issues',
      path: `${strikes}/workflow/inspect-aircraft`,
      act: (page) => breakSource(page, '  - lost: { call: computation/nowhere, wiat: PT1S }'),
    },
    {
      name: 'definition-with-warnings',
      path: `${AT_DESK}/definitions/workflow/decide`,
      async act(page) {
        await writeSource(page, MISSPELLED);
        await page.getByText('did you mean price?').first().waitFor();
      },
    },
    {
      name: 'save-refused',
      path: QUOTE,
      async act(page) {
        await breakSource(page, 'export const output = ;');
        await page.keyboard.press('ControlOrMeta+s');
        await page.getByText('Not saved. Fix the issues first.').waitFor();
      },
    },
    {
      name: 'save-failed',
      path: QUOTE,
      async act(page) {
        await page.route('**/definitions/computation/quote', (route) =>
          route.request().method() === 'PUT' ? route.abort() : route.continue(),
        );
        await addLine(page, '// Not saved yet.');
        await page.keyboard.press('ControlOrMeta+s');
        await page
          .getByText(/not responding|Connection lost/)
          .first()
          .waitFor();
      },
    },
    {
      name: 'save-without-a-name',
      path: `${AT_DESK}/definitions/new?type=computation`,
      act: inOrder(press('Save'), (page) => page.getByText('Enter a name before you save.').waitFor()),
    },
    { name: 'save-conflict', path: WORKSHOPS, act: conflict },
    {
      name: 'save-conflict-compared',
      path: WORKSHOPS,
      act: inOrder(conflict, press('Compare'), (page) =>
        page.getByRole('dialog').locator('.monaco-diff-editor').waitFor(),
      ),
    },
    {
      name: 'examples-passed',
      path: `${strikes}/workflow/handle-report`,
      act: inOrder(press('Run examples'), (page) => page.getByText(/\d passed, 0 failed/).waitFor()),
    },
    {
      name: 'examples-failed',
      path: QUOTE,
      act: inOrder(press('Run examples'), (page) => page.getByText(/1 passed, 1 failed/).waitFor()),
    },
    {
      name: 'completion',
      path: `${AT_DESK}/definitions/workflow/decide`,
      async act(page) {
        await addLine(page, '  - more: { call: ');
        await page.keyboard.press('Control+Space');
        await page.locator('.suggest-widget .label-name').first().waitFor();
      },
    },
    {
      name: 'editor-find',
      path: QUOTE,
      async act(page) {
        await editorOf(page).click();
        await page.keyboard.press('ControlOrMeta+f');
        await page.keyboard.insertText('hours');
        await page.locator('.find-widget').waitFor();
      },
    },
    {
      name: 'editor-wrapped',
      path: `${strikes}/workflow/inspect-aircraft`,
      act: pressInWideEditor('Wrap'),
    },
    {
      name: 'editor-at-full-height',
      path: `${strikes}/workflow/inspect-aircraft`,
      act: pressInWideEditor('Full height'),
    },
    {
      name: 'panes-resized',
      path: `${strikes}/workflow/inspect-aircraft`,
      async act(page) {
        const divider = page.getByRole('separator', { name: 'Width of the source' });
        // A narrow page has none.
        if (!(await divider.isVisible())) return;
        await divider.focus();
        for (let presses = 0; presses < 10; presses += 1) await page.keyboard.press('ArrowLeft');
      },
    },
  ];
}

/** A narrow page has no such buttons. */
const pressInWideEditor =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await editorOf(page).waitFor();
    const button = page.getByRole('button', { name, exact: true });
    if (await button.isVisible()) await button.click();
  };

/** Writes a line that the check refuses, and waits until the issue is listed. */
async function breakSource(page: Page, line: string): Promise<void> {
  await addLine(page, line);
  await page.getByRole('list', { name: 'Issues' }).waitFor();
}

/** Another version is saved while the source is edited. */
async function conflict(page: Page): Promise<void> {
  await addLine(page, '// Mine.');
  await page.getByText('Not saved yet').first().waitFor();
  const { origin } = new URL(page.url());
  const source = `// Theirs, of ${new Date().toISOString()}.\n${DESK_SOURCES['computation/workshops']}`;
  await send(`${origin}/v1/orgs/local${WORKSHOPS}`, { source }, 'PUT');
  await page.getByText('while you were editing').waitFor();
}

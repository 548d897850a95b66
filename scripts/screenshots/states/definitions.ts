// Definitions: the tabs of each type, and what their buttons open.
import type { Page } from 'playwright-core';
import { TEMPLATED } from '../make-desk.ts';
import { AT_DESK, editorOf, inOrder, type MainPicture, press, SAMPLE, showPanel } from './picture.ts';

/** Of each type, a definition of the sample, and the tabs that it has. */
const TABBED = [
  ['computation', 'triage-score', ['evaluate']],
  ['reasoning', 'summarise-report', ['source', 'run', 'bench', 'evaluate', 'versions']],
  ['interaction', 'approve-inspection', ['source', 'run', 'evaluate', 'versions']],
  ['recall', 'open-reports', ['source', 'run', 'evaluate', 'versions']],
  ['workflow', 'handle-report', ['run', 'evaluate', 'versions']],
  ['prediction', 'strike-reports', ['source', 'dataset', 'models', 'forecast', 'run', 'evaluate', 'versions']],
] as const;

/** A definition of each template. */
const TEMPLATES = [
  'workflow/decide-expense',
  'workflow/morning-report',
  'workflow/poll-files',
  'workflow/route-message',
  'prediction/monthly-demand',
];

export function definitionPictures(): MainPicture[] {
  const at = `${SAMPLE}/definitions`;
  return [
    { name: 'workflow', path: `${at}/workflow/handle-report` },
    { name: 'computation', path: `${at}/computation/triage-score` },
    { name: 'run-panel', path: `${at}/computation/triage-score?tab=run` },
    { name: 'versions', path: `${at}/computation/triage-score?tab=versions` },
    { name: 'diff', path: `${at}/computation/response-due?tab=versions&version=2&against=1` },
    ...TABBED.flatMap(([type, name, tabs]) =>
      tabs.map((tab) => ({ name: `${type}-${tab}`, path: `${at}/${type}/${name}?tab=${tab}` })),
    ),
    { name: 'gallery-with-taken-templates', path: `/playbooks/${TEMPLATED}/definitions/new` },
    ...TEMPLATES.map((reference) => ({
      name: `template-${reference.replace('/', '-')}`,
      path: `/playbooks/${TEMPLATED}/definitions/${reference}`,
    })),
    { name: 'definition-at-a-line', path: `${at}/computation/triage-score?line=20` },
    { name: 'definition-retired', path: `${AT_DESK}/definitions/computation/old-price` },
    {
      name: 'definitions-found',
      path: at,
      act: (page) => page.getByRole('textbox', { name: 'Find a definition' }).fill('report'),
    },
    { name: 'definitions-with-retired', path: `${AT_DESK}/definitions`, act: press('Show 1 retired') },
    {
      name: 'definition-menu',
      path: `${at}/computation/triage-score`,
      // A menu closes when the editor that is loaded after it takes the focus.
      act: inOrder((page) => editorOf(page).waitFor(), press('More')),
    },
    {
      name: 'definition-to-retire',
      path: `${at}/computation/triage-score`,
      act: inOrder(press('More'), (page) => page.getByRole('menuitem', { name: 'Retire…' }).click()),
    },
    {
      name: 'overview',
      path: `${at}/workflow/handle-report`,
      act: (page) => showPanel(page, 'Overview'),
    },
    {
      name: 'run-panel-with-output',
      path: `${at}/computation/triage-score?tab=run`,
      act: runUntil('succeeded'),
    },
    {
      name: 'run-panel-as-json',
      path: `${at}/computation/triage-score?tab=run`,
      act: (page) => page.getByText('JSON', { exact: true }).first().click(),
    },
    {
      name: 'run-panel-invalid-input',
      path: `${AT_DESK}/definitions/computation/quote?tab=run`,
      async act(page) {
        await page.getByText('JSON', { exact: true }).first().click();
        await page.getByLabel('Input as JSON').fill('{ "hours": "two" }');
        await runUntil('failed')(page);
      },
    },
    {
      name: 'run-panel-failed',
      path: `${AT_DESK}/definitions/workflow/order?tab=run`,
      act: runUntil('failed'),
    },
    ...(['open-reports', 'daily-answers'] as const).map((name) => ({
      name: `recall-of-${name}`,
      path: `${at}/recall/${name}?tab=run`,
      act: runUntil('succeeded'),
    })),
    {
      name: 'run-panel-with-text',
      path: `${at}/reasoning/summarise-report?tab=run`,
      act: runUntil('succeeded'),
    },
    { name: 'runs-of-a-definition', path: `${AT_DESK}/runs?type=workflow&name=order` },
  ];
}

/** Runs what the panel shows, and waits for its result. */
const runUntil =
  (ending: 'succeeded' | 'failed') =>
  async (page: Page): Promise<void> => {
    await press(/^Run ?(Ctrl|⌘|$)/)(page);
    const result = page.getByRole('region', { name: 'Result' });
    await (ending === 'succeeded' ? result.getByText('Succeeded') : result.getByRole('alert').first()).waitFor();
  };

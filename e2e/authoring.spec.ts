import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { BEGINNINGS } from '../renderer/places/definitions/beginnings.ts';
import { answerJson, bodyOf, chatAnswer } from '../server/domain/models/models.testing.ts';
import { serveLoopback, startServerProcess, temporaryFolder } from '../server/test/index.ts';
import type { DefinitionType } from '../shared/definition-types.ts';
import { editorOf, expect, expectAccessible, makeSample, openSample, send, test } from './studio.ts';
import { expectMarkedLine, squiggles, typeInto, write } from './writing.ts';

test.use({ hasSample: true });

const DESK = '/playbooks/wildlife-strikes';

const HEAD = "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0' }";

interface Mistake {
  type: DefinitionType;
  name: string;
  right: string;
  wrong: string;
  line: number;
  says: string;
}

const MISTAKES: readonly Mistake[] = [
  {
    type: 'computation',
    name: 'urgency',
    right: 'return { score',
    wrong: 'return {{ score',
    line: 16,
    says: 'Property assignment expected',
  },
  {
    type: 'recall',
    name: 'open-tickets',
    right: "{ type: 'ticket.opened' }",
    wrong: "{ typ: 'ticket.opened' }",
    line: 5,
    says: 'did you mean type',
  },
  {
    type: 'workflow',
    name: 'greet',
    right: 'wait: PT2S',
    wrong: 'wiat: PT2S',
    line: 10,
    says: 'did you mean wait by wiat?',
  },
  {
    type: 'interaction',
    name: 'refund',
    right: 'message:',
    wrong: 'mesage:',
    line: 8,
    says: 'did you mean message?',
  },
  {
    type: 'reasoning',
    name: 'judge',
    right: 'examples:',
    wrong: 'exampels:',
    line: 13,
    says: 'did you mean examples?',
  },
];

/** Begins a definition, makes a mistake, sees it where it is, mends it, and saves. */
async function author(page: Page, { type, name, right, wrong, line, says }: Mistake): Promise<void> {
  const source = (BEGINNINGS[type] ?? '').replace('openai/gpt-5-mini', 'local/m');
  await page.getByRole('link', { name: 'New definition' }).click();
  await page
    .getByRole('region', { name: 'Start with a type' })
    .getByRole('link', { name: new RegExp(`^${type}`, 'i') })
    .click();
  await expect(page.getByRole('status').filter({ hasText: /issue|warning/ })).toBeVisible();
  await write(page, source.replace(right, wrong));
  const issues = page.getByRole('list', { name: 'Issues' });
  await expect(issues).toContainText(says);
  await expectMarkedLine(page, line);
  await issues.getByRole('button', { name: `Line ${line}` }).click();
  await expect(page.locator('.line-numbers.active-line-number')).toHaveText(String(line));
  await write(page, source);
  await expect(page.getByText('No issues')).toBeVisible();
  await expect(squiggles(page)).toHaveCount(0);
  await typeInto(page.getByRole('textbox', { name: 'Name' }), name);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Run' }).click();
}

test('each type: an error is marked on its line, fixed, saved and run', async ({ page, complaints }) => {
  const folder = temporaryFolder();
  const provider = await serveLoopback((request, response) => {
    void bodyOf(request).then(() =>
      answerJson(response, 200, chatAnswer({ content: '{"urgent":true,"reason":"Nobody can work."}' })),
    );
  });
  const config = path.join(folder.path, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({ model_gateways: [{ name: 'local', base_url: provider.address, structured_outputs: true }] }),
  );
  const server = await startServerProcess(folder.path, { environment: { CONFIG_FILE: config } });
  try {
    await makeSample(page, server.address);
    await page.getByRole('link', { name: 'Definitions' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    const [computation, recall, workflow, interaction, reasoning] = MISTAKES as [
      Mistake,
      Mistake,
      Mistake,
      Mistake,
      Mistake,
    ];

    await author(page, computation);
    await typeInto(page.getByRole('textbox', { name: 'age_hours' }), '3');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(result).toContainText('"score": 23');

    await send(server.address, `${DESK}/events`, {
      event: { source: '/desk', type: 'ticket.opened', data: { id: 'T-1', owner: 'Ada' } },
    });
    await author(page, recall);
    await typeInto(page.getByRole('textbox', { name: 'owner' }), 'Nobody');
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(result.getByText('No rows.', { exact: true })).toBeVisible();
    await typeInto(page.getByRole('textbox', { name: 'owner' }), 'Ada');
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(result.getByRole('table')).toContainText('T-1');

    await author(page, workflow);
    await page.getByRole('button', { name: /^Run/ }).click();
    // It waits, and its output comes into the panel by itself.
    await expect(result).toContainText('Waiting for');
    await expect(result).toContainText('"goodbye": true');

    await author(page, interaction);
    await typeInto(page.getByRole('textbox', { name: 'to' }), 'ada');
    await typeInto(page.getByRole('textbox', { name: 'amount' }), '30');
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(result).toContainText('Waiting for');
    const answered = await fetch(`${server.address}/v1/orgs/local${DESK}/interactions`);
    const { interactions } = (await answered.json()) as { interactions: { run_id: string }[] };
    await send(server.address, `${DESK}/runs/${interactions[0]?.run_id}/answer`, { answer: { approved: true } });
    await expect(result).toContainText('"approved": true');
    await expectAccessible(page);

    await author(page, reasoning);
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(result).toContainText('"reason": "Nobody can work."');
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await server.end('SIGTERM');
    await provider.close();
    folder.remove();
  }
});

test('the overview lists the users of a definition, and the steps of a workflow link to its lines', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await page.goto(`${server.address}/#${DESK}/definitions/computation/triage-score`);
  await page.getByRole('group', { name: 'Overview' }).getByRole('link', { name: 'workflow/handle-report' }).click();
  await expect(page.getByRole('heading', { name: 'handle-report' })).toBeVisible();

  const activeLine = page.locator('.line-numbers.active-line-number');
  const score = page.getByRole('group', { name: /^score, call/ });
  await score.click();
  await expect(activeLine).toHaveText('52');
  await expect(score.locator('[data-marked]')).toBeVisible();
  await page.getByRole('group', { name: /^due, call/ }).focus();
  await page.keyboard.press('Enter');
  await expect(activeLine).toHaveText('60');
  await expectAccessible(page);

  await page.getByText('Steps', { exact: true }).click();
  const steps = page.getByRole('table', { name: 'Steps' });
  await expect(steps.getByRole('row', { name: /due.*computation\/response-due.*announce/ })).toBeVisible();
  await steps
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: 'score', exact: true }) })
    .getByRole('button')
    .click();
  await expect(activeLine).toHaveText('52');
  await expect(steps.locator('[aria-current]')).toContainText('score');
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('while the document has an issue, the last graph stays visible with a note', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await page.goto(`${server.address}/#${DESK}/definitions/workflow/handle-report`);
  await expect(page.getByText('No issues')).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('more: 1\n');
  await expect(page.getByRole('list', { name: 'Issues' })).toContainText('Line 1');
  await expect(page.getByText('Last version without issues')).toBeVisible();
  await expect(page.getByRole('group', { name: /^score, call/ })).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('an unsaved draft is kept, saved and compared, and an old version is restored', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  await page.goto(`${server.address}/#${DESK}/definitions/computation/triage-score`);
  await expect(page.getByText('No issues')).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// Reviewed.\n');
  await expect(page.getByText('Not saved yet', { exact: true })).toBeVisible();
  await page.reload();
  await expect(editorOf(page)).toContainText('// Reviewed.');
  await page.getByRole('link', { name: 'response-due' }).click();
  await expect(page.getByText('Your changes to triage-score are kept')).toBeVisible();
  await page.getByRole('link', { name: 'triage-score not saved yet' }).click();
  await expect(editorOf(page)).toContainText('// Reviewed.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('radio', { name: 'Version 1 before' })).toBeChecked();
  await expect(page.locator('.monaco-diff-editor')).toContainText('// Reviewed.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(page.getByText('Version 3', { exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Version 3 after' })).toBeChecked();
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect(editorOf(page)).toContainText('export const description');
  await expect(editorOf(page)).not.toContainText('// Reviewed.');
  expect(complaints).toEqual([]);
});

test('Ctrl+S saves from anywhere on the page, and a refused save lists its issues once', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const definition = `${server.address}/#${DESK}/definitions/computation/triage-score`;
  const writeAtTop = async (text: string): Promise<void> => {
    await editorOf(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type(text);
  };
  const save = async (version: number): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+s');
    await expect(page.getByText(`Version ${version}`, { exact: true })).toBeVisible();
  };
  await page.goto(definition);
  await expect(page.getByText('No issues')).toBeVisible();
  await writeAtTop('// One.\n');
  await save(2);
  await writeAtTop('// Two.\n');
  await page.getByRole('button', { name: 'Undo all' }).focus();
  await save(3);
  await writeAtTop('// Three.\n');
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('combobox', { name: 'Example' }).click();
  await save(4);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect(editorOf(page)).toContainText('// Three.');

  await page.goto(`${server.address}/#${DESK}/definitions/workflow/handle-report`);
  await expect(page.getByText('No issues')).toBeVisible();
  const wrong = Array.from({ length: 20 }, (_none, n) => `  - s${n}: { wiat: PT1S }`);
  await write(page, [HEAD, 'do:', ...wrong, ''].join('\n'));
  const issues = page.getByRole('list', { name: 'Issues' });
  await expect(issues.getByRole('listitem')).toHaveCount(20);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Not saved. Fix the issues first.')).toBeVisible();
  await expect(page.getByText('did you mean wait by wiat?')).toHaveCount(20);
  const region = await page.locator('.issues').boundingBox();
  const editor = await editorOf(page).boundingBox();
  expect(region?.height).toBeLessThan((editor?.height ?? 0) / 3);
  await expectAccessible(page);

  // Once they are fixed, nothing says that saving was refused.
  await write(page, [HEAD, 'do:', '  - s: { wait: PT1S }', ''].join('\n'));
  await expect(page.getByText('No issues')).toBeVisible();
  await expect(page.getByText('did you mean wait by wiat?')).toHaveCount(0);
  await expect(page.getByText('Not saved. Fix the issues first.')).toBeHidden();

  // Refused from another tab, the source is shown with its issues.
  await write(page, [HEAD, 'do:', '  - s: { wiat: PT1S }', ''].join('\n'));
  await expect(issues.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText('Not saved. Fix the issues first.')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('given a definition that is changed elsewhere and then retired, then the draft is kept and compared', async ({
  page,
  server,
  complaints,
}) => {
  await openSample(page, server.address);
  const at = `${server.address}/v1/orgs/local${DESK}/definitions/computation/triage-score`;
  await page.goto(`${server.address}/#${DESK}/definitions/computation/triage-score`);
  await expect(page.getByText('No issues')).toBeVisible();
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('// Mine.\n');
  const { source } = (await (await fetch(at)).json()) as { source: string };
  await fetch(at, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: `// Theirs.\n${source}` }),
  });
  await expect(page.getByText('Version 2 was saved by developer while you were editing')).toBeVisible();
  await expect(editorOf(page)).toContainText('// Mine.');
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog');
  await expect(compared.locator('.monaco-diff-editor')).toContainText('// Theirs.');
  await expect(compared.locator('.monaco-diff-editor')).not.toContainText('// Mine.');
  await expectAccessible(page);
  await compared.getByText('Your changes').click();
  await expect(compared.locator('.monaco-diff-editor')).toContainText('// Mine.');
  await compared.getByRole('button', { name: 'Continue editing' }).click();

  await send(server.address, `${DESK}/definitions/computation/triage-score/retire`, {});
  await page.getByRole('button', { name: 'Create a new definition from it' }).click();
  await expect(page.getByRole('heading', { name: 'New definition' })).toBeVisible();
  await expect(editorOf(page)).toContainText('// Mine.');
  expect(complaints).toEqual([]);
});

test('a definition is retired only after a confirmation', async ({ page, server, complaints }) => {
  await openSample(page, server.address);
  await page.goto(`${server.address}/#${DESK}/definitions/workflow/weekly-digest`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Retire…' }).click();
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone');
  await page.getByRole('button', { name: 'Retire permanently' }).click();
  await expect(page.getByText('Retired', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show 1 retired' })).toBeVisible();
  expect(complaints).toEqual([]);
});

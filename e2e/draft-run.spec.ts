// Testing beside writing: the text in the editor runs without being saved, asks in place, and becomes an example.
import { DESK, editorOf, expect, expectAccessible, makeDesk, send, test } from './studio.ts';
import { textOf, typeInto, write } from './writing.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const WORKFLOW = `# How large orders are decided
document:
  dsl: '1.0.3'
  namespace: desk
  name: decide
  version: '1.0.0'
do:
  - score: { call: computation/double, with: { n: "\${ .n }" } }
  # The editor decides.
  - ask: { call: interaction/approve, with: { amount: "\${ .n }" } }
`;
const CHANGED = WORKFLOW.replace(/\n$/, '\n  - done: { set: { decided: "${ .approved }", by: editor } }\n');
const APPROVE =
  'ask:\n  to: editor\n  message: "Approve {{ input.amount }} EUR?"\n  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }\n';

test('a draft of a workflow runs, asks in place, and becomes an example that passes', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  const save = (type: string, name: string, source: string) =>
    send(server.address, `${DESK}/definitions/${type}`, { name, source });
  await save('computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n');
  await save('interaction', 'approve', APPROVE);
  await save('workflow', 'decide', WORKFLOW);
  await page.goto(`${server.address}/#${DESK}/definitions/workflow/decide`);
  await expect(page.getByText('No issues')).toBeVisible();
  await write(page, CHANGED);
  await expect(page.getByText('Not saved yet')).toBeVisible();

  await page.getByRole('tab', { name: 'Run' }).click();
  await expect(page.getByRole('radio', { name: 'Draft with unsaved changes' })).toBeChecked();
  await typeInto(page.getByLabel('Input as JSON'), '{ "n": 4 }');
  await page.keyboard.press('ControlOrMeta+Enter');
  const question = page.getByRole('region', { name: 'Waiting for an answer from editor' });
  await expect(question).toContainText('Approve 8 EUR?');
  await expect(page.getByRole('region', { name: 'Step graph' })).toBeVisible();
  const steps = page.getByRole('list', { name: 'Steps of the draft run' });
  await expect(steps.getByRole('listitem').filter({ hasText: 'ask' })).toContainText('call, waiting');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Yes' }).click();
  await question.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Succeeded' })).toBeVisible();
  await expect(page.getByRole('tree', { name: 'Output' })).toContainText('"editor"');
  await steps.getByRole('button', { name: 'Output of score' }).click();
  await expect(page.getByRole('tree', { name: 'Output of score' })).toContainText('8');
  const { runs } = (await (await fetch(`${server.address}/v1/orgs/local${DESK}/runs`)).json()) as { runs: unknown[] };
  expect(runs).toEqual([]);

  await page.getByRole('button', { name: 'Save as example…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as example' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('approved');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'Source' }).click();
  await editorOf(page).click();
  const text = await textOf(page);
  for (const line of CHANGED.trimEnd().split('\n')) expect(text).toContain(line);
  expect(text).toContain('"/do/1/ask":{"approved":true}');
  await page.getByRole('button', { name: 'Run examples' }).click();
  await expect(page.getByText('1 passed, 0 failed.')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a definition runs before it is saved for the first time, and keeps its input and its example', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  await page.goto(`${server.address}/#${DESK}/definitions/new?type=computation`);
  const schema = `{ type: 'object', required: ['n'], properties: { n: { type: 'number' } } }`;
  await write(page, `export const input = ${schema};\nexport default ({ n }) => ({ n: n * 2 });\n`);
  await expect(page.getByText('No issues')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('tab', { name: 'Run' })).toBeFocused();
  await expect(page.getByText('Not run yet')).toBeVisible();
  await typeInto(page.getByRole('textbox', { name: /^n\b/ }), '21');
  await page.keyboard.press('ControlOrMeta+Enter');
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Draft run, not recorded');
  await expect(result.getByRole('tree', { name: 'Output' })).toContainText('42');
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Save as example…' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Save as example' }).getByRole('textbox', { name: 'Name' }),
  ).toBeFocused();
  await page.keyboard.type('half of 42');
  await page.keyboard.press('Enter');

  // It lacks a name, which is asked for beside the source.
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(page.getByText('Enter a name before you save.')).toBeVisible();
  await page.keyboard.type('double');
  await page.getByRole('tab', { name: 'Run' }).click();
  await expect(page.getByRole('textbox', { name: /^n\b/ })).toHaveValue('21');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('heading', { name: 'double' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Run' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: /^n\b/ })).toHaveValue('21');
  await page.getByRole('tab', { name: 'Source' }).click();
  await editorOf(page).click();
  expect(await textOf(page)).toContain('half of 42');
  const { runs } = (await (await fetch(`${server.address}/v1/orgs/local${DESK}/runs`)).json()) as { runs: unknown[] };
  expect(runs).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a recorded run becomes an example of a computation, with a warning about what looks like a secret', async ({
  page,
  server,
  complaints,
}) => {
  await makeDesk(server.address);
  const source = 'export default ({ n }) => ({ n: n * 2 }); // doubles\n';
  await send(server.address, `${DESK}/definitions/computation`, { name: 'double', source });
  const run = await send(server.address, `${DESK}/definitions/computation/double/run`, {
    input: { n: 2, api_key: 'k-1' },
  });
  await page.goto(`${server.address}/#${DESK}/runs/${String(run['run_id'])}`);
  await page.getByRole('button', { name: 'Save as example…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as example' });
  await expect(dialog).toContainText('/input/api_key');
  await dialog.getByRole('textbox', { name: 'Name' }).click();
  await page.keyboard.type('two');
  await dialog.getByRole('button', { name: 'Add to the draft' }).click();
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.getByRole('button', { name: 'Run examples' }).click();
  await expect(page.getByText('1 passed, 0 failed.')).toBeVisible();
  await editorOf(page).click();
  expect(await textOf(page)).toContain(source.trim());
  expect(complaints).toEqual([]);
});

// Workflows that are saved stay ones that can be saved, whatever is done with each step that their graph shows.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../server/test/index.ts';
import type { DocumentCheck } from '../../../shared/api/index.ts';
import { pointerTo, tokensOf } from '../../../shared/json-pointer.ts';
import { changed } from './changes.ts';
import { editWorkflow, type StepEdit } from './index.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SAMPLE = 'resources/samples/wildlife-strikes/weekly-digest.workflow.yaml';

/** Steps under every type of task that has some, and everything that names a step. */
const EVERY_LIST = `document:
  dsl: '1.0.3'
  namespace: desk
  name: lists
  version: '0.1.0'
  metadata:
    examples:
      - name: one
        input: {}
        calls:
          /do/1/attempt/catch/do/0/again: { n: 1 }
use:
  functions:
    quiet: { wait: PT1S } # by \`first\`
  extensions:
    - timing:
        extend: set
        before:
          - begin: { wait: PT0S }
do:
  # The first.
  - first:
      call: quiet
  - attempt:
      try:
        - within:
            raise: { error: { type: https://example.com/none, status: 400, instance: /do/1/attempt/try/0/within } }
      catch:
        errors: { with: { instance: /do/1/attempt/try/0/within } }
        do:
          - again: { call: computation/none, with: { n: 1 } }
        then: last

  - parallel:
      fork:
        branches:
          - left: { do: [{ inner: { wait: PT1S } }] }
          - right: { wait: PT1S, then: end }
  - heard:
      listen: { to: { any: [] , until: '. != null' } }
      foreach:
        do: [{ each: { set: { n: 1 } } }]
  - route:
      switch:
        - loop: { when: .n > 1, then: first }
        - rest: { then: last }
  - last:
      for: { in: '[1]' }
      do:
        - one: { set: { n: 1 }, if: .n }
        - two: { set: { n: 2 }, then: exit }
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
});
afterAll(() => server.close());

async function check(source: string): Promise<DocumentCheck> {
  const { body } = await server.post('/v1/orgs/local/playbooks/desk/definitions/workflow/check', {
    source,
    include: ['graph'],
  });
  return body as DocumentCheck;
}

function stepsOf({ graph }: DocumentCheck): string[] {
  return (graph?.nodes ?? []).flatMap(({ id, type }) => (type === 'start' || type === 'end' ? [] : [id]));
}

function editsOf(step: string): StepEdit[] {
  const list = pointerTo(tokensOf(step).slice(0, -2));
  return [
    { do: 'delete', step },
    { do: 'duplicate', step },
    { do: 'rename', step, name: 'another' },
    { do: 'move', step, list, at: 0 },
    { do: 'move', step, list: '/do', at: 0 },
    { do: 'insert', list, at: 0, name: 'new', task: { wait: 'PT1S' } },
    { do: 'set', step, field: '/if', value: 'true' },
  ];
}

/** Sentences that say what the document itself does not allow. */
const RULES = /goes back to|continues with|has no place in the order|no list of steps|calls the function/;

/** A step that leaves a loop may use the loop's variables; their author has to replace them. */
const LOOP = /\$\w+ is not defined/;

test.each([
  ['steps in every list', EVERY_LIST],
  [SAMPLE, readFileSync(path.join(ROOT, SAMPLE), 'utf8')],
])('%s', { timeout: 120_000 }, async (_, source) => {
  const before = await check(source);
  expect(before).toMatchObject({ valid: true, issues: [] });
  const steps = stepsOf(before);
  expect(steps.length).toBeGreaterThan(0);
  const unexpected: unknown[] = [];
  for (const edit of steps.flatMap(editsOf)) {
    const result = editWorkflow(source, edit);
    if ('refused' in result) {
      if (!RULES.test(result.refused)) unexpected.push([edit, result.refused]);
      continue;
    }
    const after = await check(changed(source, result.changes));
    const isDrawn = result.step === undefined || stepsOf(after).includes(result.step);
    const isValid = after.issues.every(({ detail }) => edit.do === 'move' && LOOP.test(detail));
    if (!isValid || (after.valid && !isDrawn)) unexpected.push([edit, after.issues]);
  }
  expect(unexpected).toEqual([]);
});

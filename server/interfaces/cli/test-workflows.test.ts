import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandLine, createCommandLine, type Ended } from './cuebook.testing.ts';

const CALL = `  - ask: { call: computation/score, with: '\${ . }' }`;
const WAIT = `  - pause: { wait: P3D }`;
const LISTEN = `  - answer: { listen: { to: { one: { with: { type: desk.answered } } }, read: data } }`;
const CAREFUL = `  - careful:
      try:
        - ask: { call: computation/score }
      catch:
        do:
          - none: { set: { score: 0 } }`;

const LOOP = `  - each:
      for: { each: item, in: '[1, 2, 3]' }
      do:
        - careful:
            try:
              - ask: { call: computation/score, with: '\${ $item }' }
            catch:
              do:
                - none: { set: '\${ -1 }' }
            export: { as: '($context // []) + [.]' }
output: { as: $context }`;
const AGAIN = `  - again:
      try:
        - ask: { call: computation/score }
      catch: { retry: { delay: PT1M, limit: { attempt: { count: 2 } } } }`;
const TWO = `  - one: { call: computation/score }
  - two: { call: computation/score }`;

/** Workflows with one example each, by their names: the example and the steps. */
const PASS = {
  'by-what-is-called': ['input: {}, calls: { computation/score: { score: 7 } }, output: { score: 7 }', CALL],
  'by-the-place': ['input: {}, calls: { /do/0/ask: 5 }, output: 5', CALL],
  'over-days': ['input: 1, output: 1', WAIT],
  'with-events': ['input: {}, events: [{ type: desk.answered, data: 3 }], output: [3]', LISTEN],
  'without-output': ['input: {}, calls: { computation/score: 2 }', CALL],
  'each-iteration': [
    'input: {}, sequences: { computation/score: [{ output: 5 }, { failure: unavailable }, { output: 7 }] }, output: [5, -1, 7]',
    LOOP,
  ],
  'each-retry': [
    'input: {}, sequences: { /do/0/again/try/0/ask: [{ failure: unavailable }, { failure: failed }, { output: 7 }] }, output: 7',
    AGAIN,
  ],
  'each-step': [
    'input: {}, calls: { /do/0/one: 1 }, sequences: { computation/score: [{ output: 2 }] }, output: 2',
    TWO,
  ],
  'failing-call': ['input: {}, failures: { computation/score: unavailable }, output: { score: 0 }', CAREFUL],
} as const;
const UNSAID =
  'The example has no result for the call of computation/score at /do/0/ask; add it to `calls`, or to `failures` where it is to fail.';
const FAIL = {
  'another-output': ['input: 1, output: 2', WAIT, 'returned 1; expected 2'],
  'waits-for-ever': ['input: {}', LISTEN, /^the run waits for .*desk\.answered.*, which the example does not provide$/],
  'unsaid-call': ['input: {}, output: 1', CALL, UNSAID],
  'too-few-results': [
    'input: {}, sequences: { computation/score: [{ output: 5 }, { output: 6 }] }, output: [5, 6, -1]',
    LOOP,
    /^`sequences` has 2 entries for computation\/score, and the run made 3 calls; add one for each call\.$/,
  ],
  'too-many-results': [
    'input: {}, sequences: { computation/score: [{ output: 1 }, { output: 2 }, { output: 3 }] }, output: 2',
    TWO,
    /^`sequences` has 3 entries for computation\/score, and the run made 2 calls; remove those left over, or check why/,
  ],
  'results-left-over-and-another-output': [
    'input: {}, sequences: { /do/0/one: [], computation/score: [{ output: 1 }] }, output: 2',
    TWO,
    /`sequences` has no entry for call 1 of \/do\/0\/one\.\n`sequences` has 0 entries .*\n`sequences` has 1 entry for computation\/score, and the run made 0 calls/,
  ],
  'caught-call': [
    'input: {}, output: { score: 1 }',
    CAREFUL,
    /returned {"score":0}; expected {"score":1}\nThe example has no result for the call of computation\/score at \/do\/0\/careful/,
  ],
} as const;

let line: CommandLine;
let tested: Ended;
let results: { definition: string; example?: string; passed: boolean; detail?: string }[];
beforeAll(async () => {
  line = createCommandLine();
  const desk = path.join(line.folder, 'flows');
  mkdirSync(desk);
  writeFileSync(path.join(desk, 'playbook.yaml'), 'playbook: flows\nname: Flows\n');
  writeFileSync(path.join(desk, 'score.computation.ts'), 'export default () => 1;\n');
  for (const [name, [example, steps]] of Object.entries({ ...PASS, ...FAIL })) {
    writeFileSync(
      path.join(desk, `${name}.workflow.yaml`),
      `document:
  dsl: '1.0.3'
  namespace: flows
  name: ${name}
  version: '1.0.0'
  metadata:
    examples:
      - { name: it, ${example} }
do:
${steps}
`,
    );
  }
  tested = await line.cuebook(['test', desk, '--json']);
  results = JSON.parse(tested.stdout) as typeof results;
}, 60_000);
afterAll(() => line.remove());

const resultOf = (name: string) => results.filter(({ definition }) => definition === `workflow/${name}`).at(-1);

describe('an example of a workflow runs in memory', () => {
  test('and the command fails if one fails', () => {
    expect(tested).toMatchObject({ code: 1, stderr: '7 of 33 failed.\n' });
  });

  test.each(Object.keys(PASS))('and passes: %s', (name) => {
    expect(resultOf(name)).toEqual({ definition: `workflow/${name}`, example: 'it', passed: true });
  });

  test.each(Object.entries(FAIL).map(([name, [, , words]]) => [name, words] as const))(
    'and fails: %s',
    (name, words) => {
      expect(resultOf(name)).toMatchObject({ example: 'it', passed: false, detail: expect.stringMatching(words) });
    },
  );
});

import { describe, expect, test } from 'vitest';
import type { Declarations } from '../../checked.ts';
import { createChecking, issueAt } from './checking.testing.ts';

const { checked, issuesOf, warningsOf } = createChecking();

const STEPS = `  - score: { call: computation/score }
  - ask: { do: [{ approve: { call: interaction/approve } }] }
  - post: { call: tool, with: { tool: chat/post } }
  - own: { call: greet }`;
const AT = '/document/metadata/examples/0';

const body = (example: string, steps = STEPS): string => `document:
  dsl: '1.0.3'
  namespace: x
  name: x
  version: '1.0.0'
  metadata:
    examples:
      - { name: a, input: 1, ${example} }
use: { functions: { greet: { call: tool, with: { tool: chat/greet } } } }
do:
${steps}
`;

describe('a sequence', () => {
  test.each([
    ['is no list', 'sequences: { a/b: 1 }', `8:48 ${AT}/sequences/a~1b`, 'must be a list with one entry for each call'],
    ['has a bare result', 'sequences: { a/b: [1] }', `8:49 ${AT}/sequences/a~1b/0`, '{ output: RESULT }'],
    [
      'has two results in one entry',
      'sequences: { a/b: [{ output: 1, failure: failed }] }',
      `8:49 ${AT}/sequences/a~1b/0`,
      '{ output: RESULT }',
    ],
    [
      'has no such failure',
      'sequences: { a/b: [{ failure: late }] }',
      `8:60 ${AT}/sequences/a~1b/0/failure`,
      'A call fails as one of `invalid_input`',
    ],
    [
      'is for a call that also has a result',
      'calls: { a/b: 1 }, sequences: { a/b: [] }',
      `8:62 ${AT}/sequences/a~1b`,
      '`a/b` is also in `calls`; keep one of the two.',
    ],
  ])('that %s is refused', async (_, example, at, words) => {
    expect(await issuesOf(body(example))).toEqual([issueAt(at, words)]);
  });
});

describe('the calls of an example', () => {
  test.each([
    [
      'a definition that is not called',
      'calls: { computation/scor: 1 }',
      'calls/computation~1scor The workflow does not call `computation/scor`; did you mean `computation/score`?',
    ],
    [
      'a tool that is not called',
      'failures: { mail/send: failed }',
      'failures/mail~1send The workflow does not call `mail/send`; its calls are `computation/score`, `interaction/approve`, `chat/post`, `chat/greet`.',
    ],
    [
      'no step',
      'calls: { /do/0/scor: 1 }',
      'calls/~1do~10~1scor No step at `/do/0/scor` makes a call; did you mean `/do/0/score`?',
    ],
    [
      'a step that calls nothing itself',
      'sequences: { /do/3/own: [] }',
      'sequences/~1do~13~1own No step at `/do/3/own` makes a call; its calls are at',
    ],
    [
      'an expression',
      "calls: { chat/post: { ids: [1, '${ .id }'] } }",
      'calls/chat~1post/ids/1 Results in examples are not evaluated',
    ],
    [
      'an expression for one of several calls',
      "sequences: { chat/post: [{ output: '${ .id }' }] }",
      'sequences/chat~1post/0/output Results in examples are not evaluated',
    ],
  ])('with %s have a warning', async (_, example, words) => {
    expect(await warningsOf(body(example))).toEqual([expect.stringContaining(`${AT}/${words}`)]);
  });

  test.each([
    [
      'by what is called',
      'calls: { computation/score: 1, chat/post: 1, chat/greet: 1 }, failures: { interaction/approve: failed }',
      STEPS,
    ],
    ['by steps', 'calls: { /do/0/score: 1, /do/1/ask/do/0/approve: 1, /use/functions/greet: 1 }', STEPS],
    [
      'by what only a run knows',
      'calls: { http/GET: 1, x/y: 1 }',
      '  - get: { call: http, with: { method: get, endpoint: "https://x.example" } }',
    ],
    ['by a workflow', 'calls: { workflow/other: 1 }', '  - other: { run: { workflow: { name: other } } }'],
    ['with text that has an expression in it', "calls: { chat/post: 'costs ${ 5 }' }", STEPS],
  ])('%s have no warning', async (_, example, steps) => {
    expect(await warningsOf(body(example, steps))).toEqual([]);
  });
});

describe('the results of an example', () => {
  const declarations: Declarations = {
    async schemasOf(type) {
      if (type === 'interaction') return { input: undefined, output: undefined };
      const output = { type: 'object', required: ['score'], properties: { score: { type: 'integer' } } };
      return { input: undefined, output, otherOutput: { type: 'null' } };
    },
    events: async () => ({ emits: [], receives: [], emitsAny: false, receivesAny: false }),
  };
  const usesOf = async (example: string): Promise<string[]> =>
    (await (await checked(body(example))).checkUses(declarations)).map(({ pointer, detail }) => `${pointer} ${detail}`);

  test.each([
    ['of a call', 'calls: { computation/score: { score: a } }', 'calls/computation~1score/score'],
    ['of a step', 'calls: { /do/0/score: { score: 0.5 } }', 'calls/~1do~10~1score/score'],
    [
      'of one of several calls',
      'sequences: { computation/score: [{ output: { score: 1 } }, { output: {} }] }',
      'sequences/computation~1score/1/output',
    ],
  ])('%s that its function never returns has a warning', async (_, example, pointer) => {
    expect(await usesOf(example)).toEqual([
      expect.stringContaining(`${AT}/${pointer} \`computation/score\` never returns this: `),
    ]);
  });

  test('have no warning where they match, or where nothing is declared', async () => {
    expect(await usesOf('calls: { computation/score: { score: 1 }, interaction/approve: 1, chat/post: {} }')).toEqual(
      [],
    );
    expect(await usesOf('calls: { computation/score: null }')).toEqual([]);
  });
});

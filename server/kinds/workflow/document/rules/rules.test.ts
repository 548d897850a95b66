// Mistakes against the rules that the schema of the language cannot express.
import { expect, test } from 'vitest';
import { createChecking, issueAt, type Mistake } from '../checking.testing.ts';

const { issuesOf } = createChecking();

const RULES: Mistake[] = [
  ['two steps of one name', 'do:\n  - a: { wait: PT1S }\n  - a: { wait: PT1S }', '5:5 /do/1/a', 'named `a`'],
  [
    'two branches of one name',
    'do:\n  - f: { fork: { branches: [{ a: { wait: PT1S } }, { a: { wait: PT1S } }] } }',
    '4:54 /do/0/f/fork/branches/1/a',
    'named `a`',
  ],
  [
    'a `then` that leads nowhere',
    'do:\n  - first: { wait: PT1S, then: secnd }\n  - second: { wait: PT1S }',
    '4:32 /do/0/first/then',
    'did you mean `second`?',
  ],
  [
    'a case that leads nowhere',
    'do:\n  - s: { switch: [{ c: { then: out } }] }',
    '4:32 /do/0/s/switch/0/c/then',
    'No step of this list is named `out`',
  ],
  [
    'a catch that leads nowhere',
    'do:\n  - s: { try: [], catch: { then: out } }',
    '4:34 /do/0/s/catch/then',
    'No step of this list is named `out`',
  ],
  [
    'a `then` into another list',
    'do:\n  - s: { do: [{ x: { wait: PT1S, then: t } }] }\n  - t: { wait: PT1S }',
    '4:40 /do/0/s/do/0/x/then',
    'No step of this list is named `t`',
  ],
  [
    'a branch that goes to its neighbour',
    'do:\n  - s: { fork: { branches: [{ x: { wait: PT1S, then: y } }, { y: { wait: PT1S } }] } }',
    '4:54 /do/0/s/fork/branches/0/x/then',
    'A branch of a fork cannot continue with another step',
  ],
  [
    'two defaults',
    'do:\n  - s: { switch: [{ a: { then: end } }, { b: { then: exit } }] }',
    '4:43 /do/0/s/switch/1/b',
    'one default',
  ],
  [
    'a loop variable with its `$`',
    'do:\n  - s: { for: { each: $x, in: .x }, do: [] }',
    '4:23 /do/0/s/for/each',
    'without the `$`',
  ],
  [
    'one variable for two things',
    'do:\n  - s: { for: { each: x, at: x, in: .x }, do: [] }',
    '4:10 /do/0/s/for',
    'cannot both be named `x`',
  ],
  [
    'a missing function',
    'use: { functions: { fetchPet: { wait: PT1S } } }\ndo:\n  - a: { call: fetchPt }',
    '5:16 /do/0/a/call',
    'did you mean `fetchPet`?',
  ],
  ['a mistyped call', 'do:\n  - a: { call: htpp }', '4:16 /do/0/a/call', 'did you mean `http`?'],
  [
    'a mistyped type of definition',
    'do:\n  - a: { call: computaton/score, with: {} }',
    '4:16 /do/0/a/call',
    'did you mean `computation`?',
  ],
  [
    'a name that no definition has',
    'do:\n  - a: { call: computation/Score }',
    '4:16 /do/0/a/call',
    '3 to 48 lowercase letters',
  ],
  [
    'a workflow by an expression',
    "do:\n  - a: { run: { workflow: { name: '${ .x }' } } }",
    '4:35 /do/0/a/run/workflow/name',
    'is no expression',
  ],
  [
    'a missing error',
    'do:\n  - a: { raise: { error: nope } }',
    '4:26 /do/0/a/raise/error',
    '`use.errors` has no entry `nope`',
  ],
  [
    'a missing retry policy',
    'do:\n  - a: { try: [], catch: { retry: nope } }',
    '4:35 /do/0/a/catch/retry',
    '`use.retries` has no entry `nope`',
  ],
  [
    'a missing timeout',
    'do:\n  - a: { wait: PT1S, timeout: nope }',
    '4:31 /do/0/a/timeout',
    '`use.timeouts` has no entry `nope`',
  ],
  [
    'a duration in the place of a timeout',
    'do:\n  - a: { wait: PT1S, timeout: PT5S }',
    '4:31 /do/0/a/timeout',
    'for a duration, write `{ after: PT5S }`',
  ],
  ['a missing timeout of the workflow', 'do: []\ntimeout: nope', '4:10 /timeout', '`use.timeouts` has no entry `nope`'],
  [
    'a missing policy',
    'do:\n  - a: { call: http, with: { method: get, endpoint: { uri: https://x.example, authentication: { use: nope } } } }',
    '4:102 /do/0/a/with/endpoint/authentication/use',
    '`use.authentications` has no entry `nope`',
  ],
  [
    'a missing secret',
    'do: []\nuse: { authentications: { x: { basic: { use: nope } } } }',
    '4:46 /use/authentications/x/basic/use',
    '`use.secrets` has no entry `nope`',
  ],
  [
    'a tool that is none',
    'do:\n  - a: { call: tool, with: { tool: search } }',
    '4:36 /do/0/a/with/tool',
    'SERVER/TOOL',
  ],
  ['a duration past all bounds', 'do:\n  - a: { wait: P101Y }', '4:16 /do/0/a/wait', 'at most 100 years'],
  ['a negative duration', 'do:\n  - a: { wait: { seconds: -1 } }', '4:10 /do/0/a/wait', 'at least 0'],
  ['a part of a month', 'do:\n  - a: { wait: P0.5M }', '4:16 /do/0/a/wait', 'without fractions of a month'],
  [
    'a jitter that is upside down',
    'do:\n  - a: { try: [], catch: { retry: { jitter: { from: PT2S, to: PT1S } } } }',
    '4:37 /do/0/a/catch/retry/jitter',
    'the shorter duration first',
  ],
  [
    'a negative count',
    'do:\n  - a: { try: [], catch: { retry: { limit: { attempt: { count: -1 } } } } }',
    '4:64 /do/0/a/catch/retry/limit/attempt/count',
    '0 or more',
  ],
  [
    '`every` with `cron`',
    "do: []\nschedule: { every: PT5M, cron: '0 8 * * *' }",
    '4:26 /schedule/cron',
    'cannot be combined with `every`',
  ],
  [
    '`after` with `every`',
    'do: []\nschedule: { every: PT5M, after: PT5M }',
    '4:26 /schedule/after',
    'cannot be combined with `every`',
  ],
  ['months in `every`', 'do: []\nschedule: { every: P1M }', '4:20 /schedule/every', 'vary in length'],
  ['years in `after`', 'do: []\nschedule: { after: P1Y }', '4:20 /schedule/after', 'vary in length'],
  [
    'a period that is too short',
    'do: []\nschedule: { every: { milliseconds: 999 } }',
    '4:13 /schedule/every',
    'at least one second',
  ],
  [
    'a period that an expression gives',
    "do: []\nschedule: { every: '${ .x }' }",
    '4:20 /schedule/every',
    'cannot be an expression',
  ],
  [
    'a cron expression of six fields',
    "do: []\nschedule: { cron: '0 0 8 * * *' }",
    '4:19 /schedule/cron',
    'has 6 fields; write five',
  ],
  ['a cron nickname', "do: []\nschedule: { cron: '@daily' }", '4:19 /schedule/cron', 'has 1 field; write five'],
  [
    'a cron expression of nonsense',
    "do: []\nschedule: { cron: '61 8 * * *' }",
    '4:19 /schedule/cron',
    'cannot be read',
  ],
  [
    'a day that never comes',
    "do: []\nschedule: { cron: '0 0 31 2 *' }",
    '4:19 /schedule/cron',
    'never matches any day',
  ],
  [
    'a time zone that is none',
    "do: []\nschedule: { cron: '0 8 * * *', timezone: Mars/Olympus }",
    '4:42 /schedule/timezone',
    'Europe/Berlin',
  ],
  [
    'an offset for a time zone',
    "do: []\nschedule: { cron: '0 8 * * *', timezone: '+02:00' }",
    '4:42 /schedule/timezone',
    'Europe/Berlin',
  ],
  [
    'a shape beside a schema',
    'do: []\noutput: { shape: table, schema: { document: { type: object } } }',
    '4:11 /output/shape',
    'keep either `shape` or `schema`',
  ],
  ['a shape that is none', 'do: []\noutput: { shape: tabel }', '4:18 /output/shape', 'did you mean `table`?'],
  [
    'a schema that is none',
    'do: []\ninput: { schema: { document: { type: strng } } }',
    '4:38 /input/schema/document/type',
    'must be',
  ],
  [
    'a schema of a step',
    'do:\n  - a: { wait: PT1S, export: { schema: { document: { properties: 3 } } } }',
    '4:66 /do/0/a/export/schema/document/properties',
    'must be',
  ],
  [
    'an example without its input',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { examples: [{ name: a }] } }\ndo: []",
    '1:91 /document/metadata/examples/0',
    'needs an `input`',
  ],
  [
    'an example with a mistyped key',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { examples: [{ name: a, input: 1, ouput: 1 }] } }\ndo: []",
    '1:112 /document/metadata/examples/0/ouput',
    'did you mean `output`?',
  ],
  [
    'an example that does not fit',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { examples: [{ name: a, input: 1 }] } }\ndo: []\ninput: { schema: { document: { type: object } } }",
    '1:109 /document/metadata/examples/0/input',
    'does not match the input schema',
  ],
  [
    'an answer of no call',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { examples: [{ name: a, input: 1, calls: { x: 1 } }] } }\ndo: []",
    '1:121 /document/metadata/examples/0/calls/x',
    'is not a call',
  ],
  [
    'a failure that is none',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { examples: [{ name: a, input: 1, failures: { a/b: late } }] } }\ndo: []",
    '1:129 /document/metadata/examples/0/failures/a~1b',
    'A call fails as one of `invalid_input`, `unavailable`, `unanswered`',
  ],
  [
    '`expose` that is no truth value',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { expose: 1 } }\ndo: []",
    '1:88 /document/metadata/expose',
    'true or false',
  ],
];

test.each(RULES)('given one mistake, %s is reported once, where it is', async (_name, body, at, words) => {
  expect(await issuesOf(body)).toEqual([issueAt(at, words)]);
});

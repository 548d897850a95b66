import { describe, expect, test } from 'vitest';
import { createChecking } from './checking.testing.ts';
import { SAMPLES } from './samples.testing.ts';

const { checked, issuesOf, warningsOf } = createChecking();

describe('given a sample of each feature', () => {
  test.each(Object.entries(SAMPLES))('%s: it is taken without a warning', async (_, body) => {
    expect(await warningsOf(body)).toEqual([]);
  });
});

/** One mistake each: where it is told and how. */
type Mistake = [name: string, body: string, at: string, words: string];

const SHAPE: Mistake[] = [
  ['a mistyped keyword', 'do:\n  - a:\n      sett: { x: 1 }', '4:5 /do/0/a', 'did you mean `set` by `sett`?'],
  ['a step that is not indented', 'do:\n  - a:\n    sett: { x: 1 }', '4:5 /do/0', 'a dash before each step'],
  ['a step that holds nothing', 'do:\n  - a:', '4:5 /do/0/a', 'has no task'],
  ['steps without dashes', 'do: { a: { set: { x: 1 } } }', '3:1 /do', 'a dash before its name'],
  [
    'two tasks in one step',
    'do:\n  - a:\n      set: { x: 1 }\n      wait: PT1S',
    '6:7 /do/0/a/wait',
    'cannot be combined with `set`',
  ],
  [
    'a mistyped argument',
    'do:\n  - a: { call: http, with: { methd: get, endpoint: https://x.example } }',
    '4:30 /do/0/a/with/methd',
    'did you mean `method`?',
  ],
  [
    'a missing argument',
    'do:\n  - a: { call: http, with: { method: get } }',
    '4:22 /do/0/a/with',
    '`endpoint` is missing: it must be a URI',
  ],
  ['an unknown root key', 'do: []\nmore: 1', '4:1 /more', 'Unknown field'],
  ['a mistyped root key', 'do: []\nscedule: { every: PT5M }', '4:1 /scedule', 'did you mean `schedule`?'],
  ['an empty schedule', 'do: []\nschedule: {}', '4:1 /schedule', 'must have one of `on`, `cron`, `every` and `after`'],
  ['a number for a duration', 'do:\n  - a: { wait: 5 }', '4:16 /do/0/a/wait', 'must be a duration: PT30S'],
  ['a mistyped unit', 'do:\n  - a: { wait: { second: 5 } }', '4:18 /do/0/a/wait/second', 'did you mean `seconds`?'],
  [
    'a number for a text',
    "document: { dsl: '1.0.3', namespace: x, name: 7, version: '1.0.0' }\ndo: []",
    '1:47 /document/name',
    'put it in quotes: "7"',
  ],
  [
    'a version that YAML reads as a number',
    "document: { dsl: 1.0, namespace: x, name: x, version: '1.0.0' }\ndo: []",
    '1:18 /document/dsl',
    'or another 1.0.x, in quotes',
  ],
  [
    'another version of the language',
    "document: { dsl: '1.1.0', namespace: x, name: x, version: '1.0.0' }\ndo: []",
    '1:18 /document/dsl',
    'or another 1.0.x, in quotes',
  ],
  [
    '`until` without `any`',
    'do:\n  - a: { listen: { to: { one: { with: { type: x } }, until: .x } } }',
    '4:54 /do/0/a/listen/to/until',
    'goes with `any` alone',
  ],
  [
    'two strategies',
    'do:\n  - a: { listen: { to: { one: { with: { type: x } }, any: [] } } }',
    '4:26 /do/0/a/listen/to/one',
    'cannot be combined with `any`',
  ],
  [
    'two kinds of backoff',
    'do:\n  - a: { try: [], catch: { retry: { backoff: { constant: {}, linear: {} } } } }',
    '4:62 /do/0/a/catch/retry/backoff/linear',
    'cannot be combined with `constant`',
  ],
  [
    'a value that is none of a few',
    'do:\n  - a: { listen: { to: { any: [] }, read: dat } }',
    '4:43 /do/0/a/listen/read',
    'must be `data`, `envelope` or `raw` (did you mean `data`?)',
  ],
  ['`read` without `on`', 'do: []\nschedule: { every: PT5M, read: data }', '4:1 /schedule', '`read` requires `on`'],
  [
    'a time zone without `cron`',
    'do: []\nschedule: { every: PT5M, timezone: UTC }',
    '4:1 /schedule',
    '`timezone` requires `cron`',
  ],
  ['a switch without cases', 'do:\n  - a: { switch: [] }', '4:10 /do/0/a/switch', 'at least one case'],
  [
    'numbers in an inline list',
    'do:\n  - a: { for: { in: [1] }, do: [] }',
    '4:22 /do/0/a/for/in/0',
    'write ${ [1, 2] }',
  ],
  [
    'a filter of nothing',
    'do:\n  - a: { listen: { to: { one: { with: {} } } } }',
    '4:33 /do/0/a/listen/to/one/with',
    'at least one attribute',
  ],
  [
    'a tool call without its tool',
    'do:\n  - a: { call: tool, with: {} }',
    '4:22 /do/0/a/with',
    '`tool` is missing: it must be a tool, written SERVER/TOOL',
  ],
];

const NOT_SERVED: Mistake[] = [
  ['gRPC', 'do:\n  - a: { call: grpc, with: {} }', '4:10 /do/0/a/call', 'connect a tool server'],
  ['AsyncAPI', 'do:\n  - a: { call: asyncapi, with: {} }', '4:10 /do/0/a/call', '`listen` to events'],
  ['A2A', 'do:\n  - a: { call: a2a, with: {} }', '4:10 /do/0/a/call', 'connect a tool server'],
  [
    'scripts',
    'do:\n  - a: { run: { script: { language: js, code: x } } }',
    '4:17 /do/0/a/run/script',
    'write a computation',
  ],
  ['shell commands', 'do:\n  - a: { run: { shell: { command: x } } }', '4:17 /do/0/a/run/shell', 'write a computation'],
  [
    'containers',
    'do:\n  - a: { run: { container: { image: x } } }',
    '4:17 /do/0/a/run/container',
    'write a computation',
  ],
  [
    'catalogs',
    'do: []\nuse: { catalogs: { c: { endpoint: x } } }',
    '4:8 /use/catalogs',
    'copy the function into `use.functions`',
  ],
  [
    'a function of a catalog',
    "do:\n  - a: { call: 'log:1.0.0@global' }",
    '4:16 /do/0/a/call',
    'copy it into `use.functions`',
  ],
  [
    'a function at an address',
    'do:\n  - a: { call: https://x.example/f.yaml }',
    '4:16 /do/0/a/call',
    'nothing is fetched',
  ],
  [
    'digest',
    'do: []\nuse: { authentications: { x: { digest: { username: a, password: b } } } }',
    '4:32 /use/authentications/x/digest',
    'use `basic` over https',
  ],
  [
    'a grant that needs a person',
    'do: []\nuse: { authentications: { x: { oauth2: { authority: https://x.example, grant: authorization_code } } } }',
    '4:79 /use/authentications/x/oauth2/grant',
    'must be `client_credentials`',
  ],
  [
    'a schema from outside',
    'do: []\ninput: { schema: { resource: { endpoint: https://x.example/s.json } } }',
    '4:20 /input/schema/resource',
    'write it under `document`',
  ],
  [
    'another schema language',
    'do: []\ninput: { schema: { format: avro, document: {} } }',
    '4:28 /input/schema/format',
    'write `json`',
  ],
  ['another expression language', 'do: []\nevaluate: { language: js }', '4:23 /evaluate/language', 'write `jq`'],
];

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
    '`expose` that is no truth value',
    "document: { dsl: '1.0.3', namespace: x, name: x, version: '1.0.0', metadata: { expose: 1 } }\ndo: []",
    '1:88 /document/metadata/expose',
    'true or false',
  ],
];

describe.each([
  ['the shape of the language', SHAPE],
  ['what is not supported', NOT_SERVED],
  ['rules beyond the shape', RULES],
])('given one mistake against %s', (_, mistakes) => {
  test.each(mistakes)('%s is told once, where it is', async (_name, body, at, words) => {
    const issues = await issuesOf(body);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toContain(words);
    expect(issues[0]).toMatch(/[.?]\)?$/);
    expect(issues[0]?.startsWith(`${at} `), issues[0]).toBe(true);
  });
});

test('at most 20 issues are told, in the order of the lines', async () => {
  const body = `do:\n${Array.from({ length: 30 }, (_, place) => `  - s${place}: { wait: soon }`).join('\n')}`;
  const issues = await issuesOf(body);
  expect(issues).toHaveLength(20);
  expect(issues[0]).toContain('4:17 /do/0/s0/wait');
  expect(issues[19]).toContain('/do/19/s19/wait');
});

describe('given a document that is taken', () => {
  test('it tells its description, schemas, shape and examples', async () => {
    const { description, inputSchema, outputSchema, shape, examples, expose, document } = await checked(`document:
  dsl: '1.0.1'
  namespace: x
  name: x
  version: '1.0.0'
  summary: Scores a ticket.
  metadata:
    owner: billing
    expose: true
    examples: [{ name: one, input: { id: 1 }, output: { columns: [], rows: [] }, events: [{ type: x }], calls: { computation/score: 1 } }]
input: { schema: { document: { type: object, required: [id] } } }
output: { shape: table }
do: []`);
    expect(description).toBe('Scores a ticket.');
    expect(inputSchema).toEqual({ type: 'object', required: ['id'] });
    expect(outputSchema).toHaveProperty('properties.columns');
    expect(shape).toBe('table');
    expect(examples).toEqual([
      {
        name: 'one',
        input: { id: 1 },
        output: { columns: [], rows: [] },
        events: [{ type: 'x' }],
        calls: { 'computation/score': 1 },
      },
    ]);
    expect(expose).toBe(true);
    expect(document.document.metadata).toHaveProperty('owner', 'billing');
  });

  test('it names the definitions and tools that it calls, inside functions too, each once', async () => {
    const { references, tools } = await checked(`
use: { functions: { f: { call: recall/open-tickets } } }
do:
  - a: { call: f }
  - b: { do: [{ c: { call: computation/score } }, { d: { call: computation/score } }] }
  - e: { run: { workflow: { name: handle-order } } }
  - g: { call: tool, with: { tool: chat/post } }
  - h: { call: tool, with: { tool: '\${ .tool }' } }`);
    expect(references).toEqual([
      { type: 'computation', name: 'score', use: 'calls' },
      { type: 'workflow', name: 'handle-order', use: 'calls' },
      { type: 'recall', name: 'open-tickets', use: 'calls' },
    ]);
    expect(tools).toEqual(['chat/post']);
  });
});

import { describe, expect, test } from 'vitest';
import { createChecking, issueAt, type Mistake } from './checking.testing.ts';
import { SAMPLES } from './samples.testing.ts';

const { checked, issuesOf, warningsOf } = createChecking();

describe('given a sample of each feature', () => {
  test.each(Object.entries(SAMPLES))('%s: it is taken without a warning', async (_, body) => {
    expect(await warningsOf(body)).toEqual([]);
  });
});

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

const UNSUPPORTED: Mistake[] = [
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

describe.each([
  ['the shape of the language', SHAPE],
  ['what is not supported', UNSUPPORTED],
])('given one mistake against %s', (_, mistakes) => {
  test.each(mistakes)('%s is reported once, where it is', async (_name, body, at, words) => {
    expect(await issuesOf(body)).toEqual([issueAt(at, words)]);
  });
});

test('at most 20 issues are reported, in the order of the lines', async () => {
  const body = `do:\n${Array.from({ length: 30 }, (_, index) => `  - s${index}: { wait: soon }`).join('\n')}`;
  const issues = await issuesOf(body);
  expect(issues).toHaveLength(20);
  expect(issues[0]).toContain('4:17 /do/0/s0/wait');
  expect(issues[19]).toContain('/do/19/s19/wait');
});

describe('given a document that is taken', () => {
  test('it returns its description, schemas, shape and examples', async () => {
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

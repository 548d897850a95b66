import { describe, expect, test } from 'vitest';
import { createChecking } from './checking.testing.ts';
import type { DocumentContext } from './check-context.ts';

const { warningsOf } = createChecking();

const NOTHING_THERE: Partial<DocumentContext> = {
  definitionExists: () => false,
  whyToolUnavailable: () => 'Did you mean chat/posts?',
  hostAllowed: (host) => host === 'good.example:8443',
  mcpServerExists: () => false,
  playbook: 'shop',
};

const http = (endpoint: string): string => `do:\n  - a: { call: http, with: { method: get, endpoint: ${endpoint} } }`;

describe('given context that lack what a document reaches for', () => {
  test.each([
    [
      'a definition',
      'do:\n  - a: { call: computation/score }',
      '/do/0/a/call The playbook has no active `computation/score`',
    ],
    [
      'a workflow',
      'do:\n  - a: { run: { workflow: { name: other } } }',
      '/do/0/a/run/workflow/name The playbook has no active `workflow/other`',
    ],
    [
      'a tool',
      'do:\n  - a: { call: tool, with: { tool: chat/post } }',
      '/do/0/a/with/tool The playbook cannot use the tool `chat/post`; the operator or a connection can offer it. Did you mean chat/posts?',
    ],
    [
      'a host',
      http('https://bad.example/x'),
      '/do/0/a/with/endpoint Workflows are not allowed to call the host `bad.example`',
    ],
    ['a host with its port', http("'http://good.example:9/{id}'"), 'the host `good.example:9`'],
    [
      'a host of an endpoint',
      http('{ uri: https://bad.example }'),
      '/do/0/a/with/endpoint/uri Workflows are not allowed',
    ],
    [
      'the host of an OpenAPI document',
      'do:\n  - a: { call: openapi, with: { document: { endpoint: https://bad.example }, operationId: x } }',
      '/do/0/a/with/document/endpoint Workflows are not allowed',
    ],
    [
      'the host of an authority',
      "do: []\nuse: { authentications: { x: { oidc: { authority: https://bad.example, grant: client_credentials, client: { secret: '${ .x }' } } } } }",
      '/use/authentications/x/oidc/authority Workflows are not allowed',
    ],
    ['an address without a host', http('/pets'), 'has no host'],
    [
      'an MCP server by its address',
      'do:\n  - a: { call: mcp, with: { method: tools/list, transport: { http: { endpoint: https://mcp.example } } } }',
      '/do/0/a/with/transport/http No tool server has the address `https://mcp.example`',
    ],
    [
      'an MCP server by its command',
      'do:\n  - a: { call: mcp, with: { method: tools/list, transport: { stdio: { command: chat } } } }',
      '/do/0/a/with/transport/stdio No tool server has the command `chat`',
    ],
  ])('%s: the document is taken with a warning', async (_, body, words) => {
    const warnings = await warningsOf(body, NOTHING_THERE);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(words);
    expect(await warningsOf(body.replace('/pets', 'https://x.example'))).toEqual([]);
  });

  test.each([
    ['a host that is allowed on its port', http('https://good.example:8443/x')],
    ['a host that an expression gives', http("'${ .url }'")],
    ['a host that a template gives', http("'https://{host}/x'")],
    ['a tool that an expression gives', "do:\n  - a: { call: tool, with: { tool: '${ .tool }' } }"],
  ])('%s is no warning', async (_, body) => {
    expect(await warningsOf(body, NOTHING_THERE)).toEqual([]);
  });

  test('an MCP server is looked for by its command and arguments', async () => {
    const asked: unknown[] = [];
    const body =
      'do:\n  - a: { call: mcp, with: { method: tools/list, transport: { stdio: { command: chat, arguments: [--quiet] } } } }';
    await warningsOf(body, { mcpServerExists: (transport) => asked.push(transport) > 0 });
    expect(asked).toEqual([{ command: 'chat', arguments: ['--quiet'] }]);
  });
});

describe('given a document that is taken and was perhaps not meant', () => {
  const reaching = (policy: string): string => http(`{ uri: https://x.example, authentication: ${policy} }`);

  test.each([
    [
      'a namespace other than the playbook',
      'do:\n  - a: { run: { workflow: { name: other, namespace: test } } }',
      'looked for in this playbook, `shop`',
    ],
    [
      'a version other than the latest',
      "do:\n  - a: { run: { workflow: { name: other, version: '1.0.0' } } }",
      'The latest version',
    ],
    [
      'a literal password',
      reaching('{ basic: { username: a, password: b } }'),
      '/basic/password This looks like a secret',
    ],
    ['a literal token', reaching('{ bearer: { token: b } }'), '/bearer/token This looks like a secret'],
    [
      'a literal client secret',
      reaching('{ oauth2: { authority: https://x.example, grant: client_credentials, client: { secret: b } } }'),
      '/oauth2/client/secret This looks like a secret',
    ],
    [
      'a literal header',
      'do:\n  - a: { call: http, with: { method: get, endpoint: https://x.example, headers: { X-Api-Key: b } } }',
      '/headers/X-Api-Key This looks like a secret',
    ],
    [
      'a literal variable of a server',
      'do:\n  - a: { call: mcp, with: { method: tools/list, transport: { stdio: { command: x, environment: { CHAT_TOKEN: b } } } } }',
      '/environment/CHAT_TOKEN This looks like a secret',
    ],
    [
      'an expression inside other text',
      "do:\n  - a: { set: { x: 'Hello ${ .name }' } }",
      '/do/0/a/set/x `${ }` inside other text is not evaluated. Write the whole text as one expression, for example ${ "Hello \\(.name)" }.',
    ],
    ['text behind an expression', "do:\n  - a: { set: { x: '${ .name }!' } }", 'Nothing may follow the `}`'],
    [
      'a secret that is not listed',
      "do:\n  - a: { set: { x: '${ $secrets.shop }' } }",
      'The secret `shop` is not listed in `use.secrets`',
    ],
    [
      'a timer whose runs are refused',
      'do: []\nschedule: { every: PT5M }\ninput: { schema: { document: { type: object, required: [id] } } }',
      '/schedule/every `every` starts runs with the input {}, which the input schema rejects',
    ],
    [
      'a schema that takes no events',
      'do: []\nschedule: { on: { any: [] } }\ninput: { schema: { document: { type: object } } }',
      '/schedule/on `on` starts runs with a list of events',
    ],
    [
      'an MCP method that is not supported',
      'do:\n  - a: { call: mcp, with: { method: prompts/list, transport: { stdio: { command: x } } } }',
      '`prompts/list` is not supported',
    ],
    [
      'a step that a directive hides',
      'do:\n  - exit: { wait: PT1S }',
      '/do/0/exit A `then` cannot go to a step named `exit`',
    ],
    [
      'a function that a call hides',
      'do: []\nuse: { functions: { http: { wait: PT1S } } }',
      '/use/functions/http `call: http` is part of the language',
    ],
    [
      'a variable that hides an argument',
      'do:\n  - a: { for: { each: input, in: .x }, do: [] }',
      '/do/0/a/for/each The variable `input` hides',
    ],
    [
      'a step that nothing leads to',
      'do:\n  - a: { wait: PT1S, then: end }\n  - b: { wait: PT1S }',
      '/do/1/b The step `b`',
    ],
    [
      'a mistyped filter of errors',
      'do:\n  - a: { try: [], catch: { errors: { wiht: { status: 503 } } } }',
      '/do/0/a/catch/errors/wiht `wiht` has no effect here; did you mean `with`?',
    ],
    [
      'a mistyped member of an error',
      'do:\n  - a: { try: [], catch: { errors: { with: { statsu: 503 } } } }',
      '/do/0/a/catch/errors/with/statsu `statsu` has no effect here; did you mean `status`?',
    ],
    [
      'what a run of a workflow does not return',
      'do:\n  - a: { run: { workflow: { name: other }, return: stdout } }',
      '/do/0/a/run/return `return` has no effect here',
    ],
    [
      'a mistyped member of a transport',
      'do:\n  - a: { call: mcp, with: { method: tools/list, transport: { stdio: { command: x, environmnt: {} } } } }',
      '/transport/stdio/environmnt `environmnt` has no effect here; did you mean `environment`?',
    ],
    [
      'a scheme that is not there',
      'do: []\nuse: { authentications: { x: { bearer: { use: s }, baerer: {} } }, secrets: [s] }',
      '/use/authentications/x/baerer `baerer` has no effect here; did you mean `bearer`?',
    ],
    [
      'what only other grants read',
      'do: []\nuse: { authentications: { x: { oidc: { authority: https://x.example, grant: client_credentials, username: a } } } }',
      '/use/authentications/x/oidc/username `username` has no effect here',
    ],
    [
      'a mistyped endpoint of an authority',
      'do: []\nuse: { authentications: { x: { oauth2: { authority: https://x.example, grant: client_credentials, endpoints: { tokens: /t } } } } }',
      '/use/authentications/x/oauth2/endpoints/tokens `tokens` has no effect here; did you mean `token`?',
    ],
    [
      'a merge key',
      'do:\n  - a: { set: { x: &x { y: 1 }, z: { <<: *x } } }',
      '/do/0/a/set/z/<< `<<` merges nothing, because YAML 1.2 has no merge keys',
    ],
    [
      'an integer that JSON does not keep exactly',
      'do:\n  - a: { set: { x: 9007199254740993 } }',
      '/do/0/a/set/x 9007199254740993 is larger than the integers that JSON keeps exactly',
    ],
    [
      'a condition of a catch that reads the error from the input',
      'do:\n  - a: { try: [], catch: { when: .status == 503 } }',
      '/do/0/a/catch/when `when` reads the input of the `try`; for the error, write `$error.status`.',
    ],
    [
      'a condition of a retry that does so',
      'do:\n  - a: { try: [], catch: { as: problem, retry: { exceptWhen: "${ .type | endswith(\\"x\\") }" } } }',
      '/do/0/a/catch/retry/exceptWhen `exceptWhen` reads the input of the `try`; for the error, write `$problem.type`.',
    ],
    [
      'a condition of a named retry that does so',
      'do: []\nuse: { retries: { r: { when: (.status > 500) } } }',
      '/use/retries/r/when `when` reads the input of the `try`; for the error, write `$error.status`.',
    ],
    [
      'a mistyped expectation',
      'do:\n  - a: { listen: { to: { one: { with: { type: x }, correlate: { c: { from: .x, expct: y } } } } } }',
      'did you mean `expect`?',
    ],
    [
      'an attribute that no event has',
      'do:\n  - a: { emit: { event: { with: { type: x, orderId: 1 } } } }',
      '/do/0/a/emit/event/with/orderId `orderId` is not a valid event attribute',
    ],
    [
      'an unknown keyword of a schema',
      'do: []\ninput: { schema: { document: { typ: object } } }',
      '/input/schema/document/typ',
    ],
  ])('%s is a warning', async (_, body, words) => {
    const warnings = await warningsOf(body, { playbook: 'shop' });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(words);
  });

  test.each(['$error.status == 503', '.order.status == "open"', '$error | .status > 500', '.statuses | length > 1'])(
    'the condition %s of a catch is none',
    async (condition) => {
      expect(await warningsOf(`do:\n  - a: { try: [], catch: { when: '${condition}' } }`)).toEqual([]);
    },
  );

  test('`latest` of the own playbook, expressions and listed secrets are none', async () => {
    const body = `use: { secrets: [shop] }
do:
  - a: { run: { workflow: { name: other, namespace: shop, version: latest } } }
  - b: { call: http, with: { method: get, endpoint: { uri: https://x.example, authentication: { bearer: { token: '\${ $secrets.shop }' } } } } }`;
    expect(await warningsOf(body, { playbook: 'shop' })).toEqual([]);
  });
});

describe('given a workflow that events start', () => {
  const ON = 'schedule: { on: { one: { with: { type: opened } } } }\n';
  const ADVICE = 'its input is the list of their data; for a field of the first, write `.[0].title`.';

  test.each([
    ['the first step', "do:\n  - a: { set: { title: '${ .data.title }' } }", '/do/0/a/set/title'],
    ['the first of its steps', "do:\n  - a: { do: [ { b: { set: '${ .title }' } } ] }", '/do/0/a/do/0/b/set'],
    ['what transforms its input', 'do:\n  - a: { input: { from: .title }, set: .x }', '/do/0/a/input/from'],
  ])('then a field of the list that %s reads is warned about', async (_, body, pointer) => {
    expect(await warningsOf(`${ON}${body}`)).toEqual([expect.stringMatching(new RegExp(`${pointer} .*`))]);
    expect((await warningsOf(`${ON}${body}`))[0]).toContain(ADVICE);
  });

  test.each([
    ['envelope', '.title', 'the list of the events; for a field of the first, write `.[0].data.title`.'],
    ['envelope', '.data.title', 'the list of the events; for a field of the first, write `.[0].data.title`.'],
    ['envelope', '.subject', 'the list of the events; for a field of the first, write `.[0].subject`.'],
    ['raw', '.title', 'their data as text; for a field of the first, write `.[0] | fromjson | .title`.'],
  ])('then with `read: %s`, the warning says what %s should be', async (read, expression, words) => {
    const on = `schedule: { on: { one: { with: { type: opened } } }, read: ${read} }\n`;
    expect(await warningsOf(`${on}do:\n  - a: { set: { title: '\${ ${expression} }' } }`)).toEqual([
      expect.stringContaining(words),
    ]);
  });

  test.each([
    ['an entry', "do:\n  - a: { set: { title: '${ .[0].title }' } }"],
    ['a later step', "do:\n  - a: { set: { title: x } }\n  - b: { set: '${ .title }' }"],
    ['a transformed input', "input: { from: '.[0]' }\ndo:\n  - a: { set: { title: '${ .title }' } }"],
  ])('then %s is not', async (_, body) => {
    expect(await warningsOf(`${ON}${body}`)).toEqual([]);
  });
});

test.each([
  ['0 8 13 * 5', true],
  ['0 8 1,15 * MON', true],
  ['0 8 L * 5#2', true],
  ['0 8 13 * +5', false],
  ['0 8 13 * *', false],
  ['0 8 ? * 5L', false],
  ['0 8 15W * ?', false],
])('given the cron expression %s, then that either day matches is a warning: %s', async (cron, isWarned) => {
  const warnings = await warningsOf(`do: []\nschedule: { cron: '${cron}' }`);
  expect(warnings.map((warning) => warning.includes('/schedule/cron The day of the month and'))).toEqual(
    isWarned ? [true] : [],
  );
});

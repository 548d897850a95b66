import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createExpressions } from '../../lib/jq/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { ENDLESS } from '../../lib/schemas/endless.testing.ts';
import { createTemplates } from '../../lib/templates/index.ts';
import { createTestSources } from '../../lib/yaml/sources.testing.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import { createInteractionKind } from './index.ts';

const expressions = createExpressions();
const schemas = createSchemaChecker();
const textWork = createTextWork();
afterAll(() => Promise.all([expressions.close(), schemas.close(), textWork.close()]));
const kind = createInteractionKind({
  sources: createTestSources(),
  expressions,
  schemas,
  templates: createTemplates(textWork),
  requestUrl: () => '',
  tools: { whyUnavailable: (_place, server, tool) => (server === 'gone' ? `There is no ${tool}.` : undefined) },
});
const SURROUNDINGS = { org: 'local', playbook: 'desk', definitionExists: () => false };
const check = (source: string) => kind.check(source, SURROUNDINGS);

const HEAD = 'ask:\n  to: ada\n  message: Well?\n';
const ASK = `${HEAD}  answer: {}\n`;
const DELIVER = `${ASK}  deliver:\n    tool: chat/post\n`;

describe('a document is refused with its line', () => {
  test.each([
    ['', '1:1', 'An interaction is an object'],
    ['description: x', '1:1', 'needs one of `ask`, `tell` and `call`'],
    ['tell: { to: a, message: b }\ncall: { tool: a/b }', '2:1', 'keep `tell` or this'],
    ['tell: { to: a, mesage: b }', '1:16', 'did you mean `message`'],
    ['tell: { to: a }', '1:1', 'is missing the required field `message`'],
    ['tell: { to: 1, message: b }', '1:13', 'must be a string'],
    ['call: { tool: nameless }', '1:15', 'tool'],
    ['call: { tool: a/b, endings: [timeout] }', '1:30', 'must be one of'],
    [`${ASK}  expires: P1Y\n`, '5:12', 'PT1M to P90D'],
    [`${ASK}  expires: PT59S\n`, '5:12', 'PT1M to P90D'],
    [`${HEAD}  answer: { type: strng }\n`, '4:19', 'must be one of "array"'],
    ['output: {}\ntell: { to: a, message: b }', '1:1', 'leave `output` out'],
    ['output: { shape: tabel }\ncall: { tool: a/b }', '1:1', '{ shape: NAME }'],
    [
      'input: { type: object, properties: { a: {} }, additionalProperties: false }\ntell: { to: "{{ input.b }}", message: b }',
      '2:13',
      'no field `input.b`',
    ],
    ['tell: { to: "{{ owner }}", message: b }', '1:13', 'Unknown variable `owner`'],
    ['tell: { to: "{{ request.to }}", message: b }', '1:13', 'Unknown variable `request`'],
    ['tell: { to: a, message: "{{ request.expires }}" }', '1:25', 'no field `request.expires`'],
    ['tell: { to: a, message: "{% include x %}" }', '1:25', 'Unknown tag `include`'],
    ['call:\n  tool: a/b\n  arguments: { x: "${ .a | }" }', '3:19', ''],
    ['call:\n  tool: a/b\n  arguments: { x: "${ $message }" }', '3:19', 'message'],
    [`${DELIVER}    conversation: "{{ input.thread }}"\n`, '7:19', 'a jq expression'],
    [`${DELIVER}    replies: { tool: chat/read, messages: "\${ . }" }\n`, '7:5', 'requires `conversation`'],
    [
      `${DELIVER}    conversation: "\${ .t }"\n    replies: { tool: chat/read, messages: "\${ . }" }\n`,
      '8:5',
      'requires `answerer`',
    ],
    [
      `${DELIVER}    conversation: "\${ .t }"\n    answerer: ada\n    replies: { tool: chat/read, every: PT1S, messages: "\${ . }" }\n`,
      '9:40',
      'PT5S to PT1H',
    ],
    [
      `${ASK}examples: [{ name: n, input: {}, output: { a: 1 } }]\n`.replace('{}\n', '{ type: string }\n'),
      '5:34',
      'does not match',
    ],
    [
      'input: { required: [a] }\ntell: { to: a, message: b }\nexamples: [{ name: n, input: {} }]',
      '3:23',
      'does not match',
    ],
    ['tell: { to: a, message: b }\nexamples: [{ input: {} }]', '2:12', 'name'],
  ])('%j', async (source, at, words) => {
    const checked = await check(source);
    const [issue] = checked.ok ? [] : checked.issues;
    expect(issue?.detail).toContain(words);
    expect(`${issue?.line}:${issue?.column}`).toBe(at);
    expect(issue?.pointer).toMatch(/^\/source/);
  });

  test('where its examples cannot be checked in time, all of them together', async () => {
    const input = JSON.stringify(ENDLESS);
    const examples = '[{ name: n, input: {} }, { name: m, input: {} }]';
    expect(await check(`input: ${input}\ntell: { to: a, message: b }\nexamples: ${examples}`)).toMatchObject({
      ok: false,
      issues: [{ line: 3, detail: expect.stringContaining('the inputs of the examples takes more than a second') }],
    });
  });
});

test('what may be meant otherwise is a warning', async () => {
  const source = `input: { type: object, properties: { owner: { type: string } } }\ntell: { to: "{{ input.owner }}", message: m }`;
  expect(await check(source)).toMatchObject({
    ok: true,
    document: { warnings: [{ pointer: '/source/tell/to', line: 2, detail: expect.stringContaining('is optional') }] },
  });
  expect(await check(`${DELIVER}    answerer: ada\n`)).toMatchObject({
    document: { warnings: [{ detail: '`answerer` has no effect without `replies`.' }] },
  });
});

test('tools that the playbook may not use now are warnings, each where it is named', async () => {
  const replies =
    "    conversation: '${ .a }'\n    answerer: ada\n    replies: { tool: gone/read, messages: '${ [] }' }\n    telling: { tool: gone/tell }\n";
  const asked = await check(`${DELIVER}${replies}`.replace('chat/post', 'gone/post'));
  expect(asked.ok && asked.document.warnings.map(({ pointer, detail }) => [pointer, detail])).toEqual([
    ['/source/ask/deliver/tool', 'There is no post. Runs are rejected until that changes.'],
    ['/source/ask/deliver/replies/tool', 'There is no read. Runs are rejected until that changes.'],
    ['/source/ask/deliver/telling/tool', 'There is no tell. Runs are rejected until that changes.'],
  ]);
  for (const source of ['tell: { to: a, message: b, deliver: { tool: gone/x } }', 'call: { tool: gone/x }']) {
    // oxlint-disable-next-line no-await-in-loop -- one document after the other
    expect(await check(source)).toMatchObject({ document: { warnings: [{ line: 1 }] } });
  }
});

test('a document says what it needs, gives and does', async () => {
  const asked = await check(`description: Asks.\n${DELIVER}expose: true\nexamples: [{ name: one, input: {} }]\n`);
  expect(asked).toMatchObject({
    ok: true,
    document: { description: 'Asks.', outputSchema: {}, expose: true, references: [], warnings: [] },
  });
  const overview = asked.ok ? asked.document.overview : '';
  for (const words of [
    'Asks `ada` through `chat/post`',
    'at most 7 days',
    '**Tools** `chat/post`',
    '**Examples** one',
  ]) {
    expect(overview).toContain(words);
  }
  expect(await check('output: { shape: metric }\ncall: { tool: a/b }')).toMatchObject({
    document: { shape: 'metric' },
  });
  expect(await check('tell: { to: a, message: b }')).toMatchObject({
    document: { outputSchema: { required: ['delivered'] } },
  });
});

test('an example is rendered, and reported where it cannot be', async () => {
  const source = 'tell: { to: "{{ input.owner }}", message: "{{ request.expires_at }}" }';
  const tried = async (tried: string, input: JsonObject) => {
    const checked = await kind.check(tried, SURROUNDINGS);
    if (!checked.ok) throw new Error(checked.issues[0]?.detail);
    const example = { name: 'n', input };
    const { signal } = new AbortController();
    return kind.tryExample?.({
      playbookKey: SURROUNDINGS,
      source: tried,
      document: checked.document,
      example,
      now: 0,
      signal,
    });
  };
  expect(await tried(source, { owner: 'ada' })).toEqual([]);
  expect(await tried(source, {})).toEqual([expect.stringContaining('`tell.to` cannot be rendered')]);
  expect(await tried('call: { tool: a/b, arguments: { n: "${ .a + {} }" } }', { a: 1 })).toEqual([
    expect.stringContaining('`call.arguments.n`'),
  ]);
});

// Tools as each provider gets them, checked against what the providers document, and calls by the tools' own names.
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, memberOf } from '../../../shared/json.ts';
import type { ModelRequest, ModelTool } from '../../kinds/models.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { adaptTools } from './adapted-tools.ts';
import { anthropic, events, gemini, response } from './answers.testing.ts';
import { environmentOf, FAMILIES } from './families.testing.ts';
import { givenGateway } from './gateway.testing.ts';
import { answerJson, bodyOf, chatAnswer, givenModels } from './models.testing.ts';

const text = { type: 'string' };
const tool = (name: string, inputSchema: JsonObject): ModelTool => ({
  name,
  description: `It is ${name}.`,
  inputSchema,
});
const UNION = {
  anyOf: [
    { type: 'object', properties: { id: text }, required: ['id'] },
    { type: 'object', properties: { 'the name': text }, required: ['the name'] },
  ],
};
const FILTER: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['filter[x]'],
  properties: {
    'filter[x]': text,
    $top: { type: 'integer' },
    größe: { $ref: '#/definitions/size' },
    list: { type: 'array' },
  },
  definitions: { size: { type: 'object', properties: { 'w/h': text, inner: { $ref: '#/definitions/size' } } } },
};
const TOOLS = [
  tool('shop__find', UNION),
  tool('shop__filter', FILTER),
  tool('shop__bare', { properties: { a: true } }),
  tool('shop__text', { type: 'string' }),
  tool('9lives', {
    type: 'object',
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
    properties: { a: text, b: text },
  }),
];

interface Sent {
  name: string;
  schema: JsonObject;
}

/** The tools of a request, in the form of any of the protocols. */
function toolsIn(body: JsonObject): Sent[] {
  const tools = [body['tools'], memberOf(body['toolConfig'], 'tools')].flat().filter(isJsonObject);
  return tools.flatMap((one) => {
    const declared = [one['functionDeclarations'] ?? one['function'] ?? one['toolSpec'] ?? one].flat() as JsonObject[];
    return declared.map(({ name, parameters, parametersJsonSchema, input_schema: schema, inputSchema }) => ({
      name: String(name),
      schema: (parameters ?? parametersJsonSchema ?? schema ?? memberOf(inputSchema, 'json')) as JsonObject,
    }));
  });
}

function* objectsIn(value: Json): Generator<JsonObject> {
  if (isJsonObject(value)) yield value;
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) yield* objectsIn(member);
}
const propertyNames = (schema: JsonObject): string[] =>
  [...objectsIn(schema)].flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : []));

/** What each provider refuses a request for. */
function refusal(prefix: string, { name, schema }: Sent): string | undefined {
  const written = JSON.stringify(schema);
  const isGoogle = prefix.startsWith('google');
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name) || (isGoogle && !/^[a-zA-Z_]/.test(name))) return 'name';
  if (schema['type'] !== 'object') return 'type';
  if (['anyOf', 'oneOf', 'allOf', 'enum', 'not', '$ref'].some((keyword) => keyword in schema)) return 'top';
  if ([...objectsIn(schema)].some((one) => one['type'] === 'array' && one['items'] === undefined)) return 'items';
  if (/"\$schema"|"\$id"/.test(written)) return 'dialect';
  if (isGoogle && /"(?:\$ref|\$defs|definitions|oneOf|allOf|const|not|pattern)":/.test(written)) return 'subset';
  if (
    prefix === 'amazon-bedrock' &&
    Object.keys(schema).some((keyword) => !['type', 'properties', 'required'].includes(keyword))
  )
    return 'top keywords';
  const form = isGoogle ? /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/ : /^[a-zA-Z0-9_.-]{1,64}$/;
  const isAnyName = prefix === 'openai' || prefix === 'azure';
  return isAnyName || propertyNames(schema).every((property) => form.test(property)) ? undefined : 'property';
}

test.each(Object.keys(FAMILIES))(
  '%s gets tools that it takes, and the one that cannot be adapted is left out',
  async (prefix) => {
    const bodies: JsonObject[] = [];
    const url = await serveHttp(async (request, to) => {
      bodies.push(await bodyOf(request));
      answerJson(to, 400, { error: { message: 'Seen.' } });
    });
    const { ask, logged } = givenModels(environmentOf(prefix, url.origin));
    const answer = await ask(`${prefix}/m`, { tools: TOOLS });
    const sent = toolsIn(bodies[0] ?? {});
    expect(sent.map((one) => [one.name, refusal(prefix, one)])).toEqual([
      ['shop__find', undefined],
      ['shop__filter', undefined],
      ['shop__bare', undefined],
      [prefix.startsWith('google') ? '_9lives' : '9lives', undefined],
    ]);
    expect(answer).toMatchObject({
      leftOut: [{ tool: 'shop__text', reason: expect.stringContaining('not an object') }],
    });
    expect(logged[0]).toMatchObject({
      level: 40,
      provider: prefix,
      run_id: 'run-1',
      tool: 'shop__text',
      reason: expect.any(String),
    });
  },
);

const MOST: readonly [prefix: string, most: number][] = [
  ['openai', 128],
  ['azure', 128],
  ['groq', 128],
  ['google', 128],
  ['a-gateway', 128],
  ['anthropic', 130],
];
test.each(MOST)('of 130 tools %s gets the first %i', async (prefix, most) => {
  const many = Array.from({ length: 130 }, (_, index) => tool(`act_${index}`, { type: 'object' }));
  const { tools, leftOut } = await adaptTools({ prefix }, many);
  expect(tools).toHaveLength(most);
  expect(leftOut.map(({ tool: name }) => name)).toEqual(many.slice(most).map(({ name }) => name));
  for (const { reason } of leftOut) expect(reason).toContain('at most 128 tools');
});

test('a call by another name of a tool, or by its own, is taken back as well', async () => {
  const find = { ...tool('9lives', UNION), otherNames: ['9/lives', 'lives'] };
  const { ownCall } = await adaptTools({ prefix: 'google' }, [find]);
  for (const name of ['_9lives', '9lives', '9/lives', 'lives']) {
    expect(ownCall(name, '{"input":{"the_name":"Ada"}}')).toEqual({
      tool: '9lives',
      arguments: '{"the name":"Ada"}',
    });
  }
});

test.each([
  ['openai', 1024],
  ['a-gateway', 1024],
  ['anthropic', 4000],
])('of a description of 4000 characters %s gets %i', async (prefix, length) => {
  const { tools } = await adaptTools({ prefix }, [
    { ...tool('long', {}), description: 'x'.repeat(4000) },
    { ...tool('none', {}), description: ' ' },
  ]);
  expect(tools[0]?.description).toHaveLength(length);
  expect(tools[1]).not.toHaveProperty('description');
});

test('names that would become equal stay distinct, and map back to the originals', async () => {
  const long = 'x'.repeat(70);
  const { tools, nameFor, ownCall } = await adaptTools(
    { prefix: 'google' },
    [`${long}1`, `${long}2`, 'a b', 'a.b', 'ä'].map((name) => tool(name, { type: 'object' })),
  );
  const names = tools.map(({ name }) => name);
  expect(new Set(names).size).toBe(5);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
  expect(names.map((name) => ownCall(name, '{}').tool)).toEqual([`${long}1`, `${long}2`, 'a b', 'a.b', 'ä']);
  expect(nameFor('a.b')).toBe(names[3]);
  expect(ownCall('unknown', '{x')).toEqual({ tool: 'unknown', arguments: '{x' });
});

describe('given a model that calls them', () => {
  const calls = [
    ['shop__find', { input: { the_name: 'Ada' } }, { 'the name': 'Ada' }],
    ['shop__find', { 'the name': 'Ada' }, { 'the name': 'Ada' }],
    [
      'shop__filter',
      { filter_x_: 'a', _top: 1, gro_e: { w_h: 'b', inner: { w_h: 'c' } } },
      { 'filter[x]': 'a', $top: 1, größe: { 'w/h': 'b', inner: { 'w/h': 'c' } } },
    ],
    ['shop__filter', { 'filter[x]': 'a' }, { 'filter[x]': 'a' }],
  ] as const;
  /** It takes any name of a property. */
  const ownCalls = calls.map(
    ([name, args, ownArguments]) => [name, 'input' in args ? { input: ownArguments } : ownArguments] as const,
  );
  const own = calls.map(([name, , args]) => ({ tool: name, arguments: JSON.stringify(args) }));
  const PROTOCOLS: Readonly<Record<string, string>> = {
    anthropic: JSON.stringify(
      anthropic(
        'tool_use',
        calls.map(([name, input], index) => ({ type: 'tool_use', id: `c${index}`, name, input })),
      ),
    ),
    google: events(
      gemini({
        content: { role: 'model', parts: calls.map(([name, args]) => ({ functionCall: { name, args } })) },
        finishReason: 'STOP',
      }),
    ),
    openai: JSON.stringify(
      response(
        ownCalls.map(([name, args], index) => ({
          type: 'function_call',
          id: `f${index}`,
          call_id: `c${index}`,
          name,
          arguments: JSON.stringify(args),
          status: 'completed',
        })),
      ),
    ),
    mistral: JSON.stringify(
      chatAnswer(
        {
          content: '',
          tool_calls: calls.map(([name, args], index) => ({
            id: `c${index}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
        { finish_reason: 'tool_calls' },
      ),
    ),
  };
  test.each(Object.keys(PROTOCOLS))('calls by %s have the own names of tools and properties', async (prefix) => {
    const url = await serveHttp((_request, to) => {
      const body = PROTOCOLS[prefix] ?? '';
      to.writeHead(200, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/event-stream' }).end(body);
    });
    const { ask } = givenModels(environmentOf(prefix, url.origin));
    const answer = await ask(`${prefix}/m`, { tools: TOOLS.filter(({ name }) => name !== 'shop__text') });
    expect(answer.turn?.toolCalls.map(({ id: _id, ...call }) => call)).toEqual(own);
    expect(answer).not.toHaveProperty('leftOut');
  });

  test('its earlier calls go back as it made them, with results under the same names', async () => {
    const made = chatAnswer(
      {
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'shop__filter', arguments: '{"filter_x_":"a"}' } },
        ],
      },
      { finish_reason: 'tool_calls' },
    );
    const { ask, bodies, logged } = await givenGateway([(to) => answerJson(to, 200, made)]);
    const first = await ask({ tools: TOOLS });
    const raw = first.turn?.raw ?? { content: [] };
    const results = [{ callId: 'c1', tool: 'shop__filter', text: 'found', isError: false }];
    const messages: ModelRequest['messages'] = [
      { role: 'user', text: 'Find it.' },
      { role: 'assistant', raw },
      { role: 'tool', results },
    ];
    await ask({ tools: TOOLS, messages });
    expect(bodies[1]?.['messages']).toMatchObject([
      {},
      { tool_calls: [{ id: 'c1', function: { name: 'shop__filter', arguments: '{"filter_x_":"a"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'found' },
    ]);
    // The warning about the tool that is left out is logged once for a run.
    expect(logged).toHaveLength(1);
  });
});

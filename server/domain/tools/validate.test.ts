import { expect, onTestFinished, test } from 'vitest';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { type Caller, DEVELOPER } from '../../operations/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { checkArguments } from './check-arguments.ts';
import { givenTools, programOf } from './tools.testing.ts';

const schemas = createSchemaChecker();
const checked = (schema: JsonObject, args: JsonObject = {}) => checkArguments(schemas, schema, args);
const EVERYTHING = { everything: { ...programOf('server-everything'), allowed: ['echo', 'gone'] } };
const ECHO = { server: 'everything', tool: 'echo' };

test('arguments are checked, and each issue points into them', async () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' }, 'b/c': { type: 'integer' } } };
  expect(await checked(schema, { a: 'x' })).toEqual({ valid: true, issues: [] });
  const { valid, issues } = await checked(schema, { a: 1, 'b/c': 1.5 });
  expect(valid).toBe(false);
  expect(issues.map(({ path }) => path)).toEqual(['/a', '/b~1c']);
});

test('what a schema says is harmless in a message', async () => {
  const description = 'The \u001b[31mname\u202e';
  const { issues } = await checked({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', description } },
  });
  expect(issues[0]?.message).toContain(String.raw`(The \u001b[31mname\u202e)`);
});

test('of many issues 20 are returned, with the number of the others', async () => {
  const { issues } = await checked(
    { type: 'object', additionalProperties: { type: 'string' } },
    Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`n${index}`, index])),
  );
  expect(issues).toHaveLength(21);
  expect(issues[20]?.message).toContain('5 more');
});

test.each<[string, JsonObject, RegExp]>([
  ['a pattern', { properties: { a: { pattern: '(a+)+$' } } }, /regular expression/],
  ['patterns of names', { patternProperties: { '^x': {} } }, /regular expression/],
  ['another dialect', { $schema: 'http://json-schema.org/draft-03/schema#', type: 'object' }, /\$schema/],
  ['a pattern of an older draft', { $schema: 'http://json-schema.org/draft-07/schema#', pattern: 'a' }, /regular/],
  ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, /\$ref/],
  ['no schema', { type: 'nonsense' }, /cannot be checked/],
])('a schema with %s is not checked, and nothing is refused', async (_name, schema, words) => {
  expect(await checked(schema)).toEqual({ valid: null, issues: [{ path: '', message: expect.stringMatching(words) }] });
});

test.each([
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema#',
])('a schema of %s is checked', async ($schema) => {
  const schema = { $schema, type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
  expect(await checked(schema, { a: 'x' })).toEqual({ valid: true, issues: [] });
  expect(await checked(schema, { a: 1 })).toMatchObject({ valid: false, issues: [{ path: '/a' }] });
});

test('every tool of the official servers is checked', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const { tools } = await givenTools({
    everything: programOf('server-everything'),
    files: programOf('server-filesystem', folder.path),
    memory: programOf('server-memory'),
  });
  const playbookKey = { org: 'local', playbook: 'desk' };
  for (const server of ['everything', 'files', 'memory']) {
    // oxlint-disable-next-line no-await-in-loop -- one server after the other
    const listed = await tools.list(playbookKey, server);
    expect(listed.length).toBeGreaterThan(0);
    for (const { tool, inputSchema } of listed) {
      // oxlint-disable-next-line no-await-in-loop -- one schema after the other
      const { valid, issues } = await checked(inputSchema(), { nothing: 'like it' });
      expect([tool, valid, issues]).not.toContain(null);
    }
  }
});

test('a property may be named pattern', async () => {
  expect(
    await checked({ properties: { pattern: { type: 'string' } }, enum: [{ pattern: 'x' }] }, { pattern: 'x' }),
  ).toEqual({
    valid: true,
    issues: [],
  });
});

test('given a tool, dry_run says what prevents a call, and calls nothing', async () => {
  const { ask, events, retire } = await givenTools(EVERYTHING);
  const run = {
    would_run: true,
    needs: 'playbook:write',
    caller_may: true,
    playbook_retired: false,
    allowed: true,
    arguments: null,
    server: { reachable: 'yes' },
  };
  expect(await ask('dry_run', ECHO)).toMatchObject(run);
  expect(await ask('dry_run', ECHO, { arguments: { message: 1 } })).toMatchObject({
    ...run,
    arguments: { valid: expect.toSatisfy((valid) => valid !== true) },
  });
  const reader: Caller = { ...DEVELOPER, id: 'key:reader', may: (permission) => permission.endsWith(':read') };
  expect(await ask('dry_run', ECHO, {}, { caller: reader })).toMatchObject({ would_run: false, caller_may: false });
  const denied = { server: 'everything', tool: 'get-sum' };
  expect(await ask('dry_run', denied)).toMatchObject({ would_run: false, allowed: false, read_only: true });
  expect(await ask('dry_run', denied, { arguments: {} })).toMatchObject({ arguments: { valid: null } });
  await retire();
  expect(await ask('dry_run', ECHO)).toMatchObject({ would_run: false, playbook_retired: true });
  expect(await ask('introspect', ECHO)).toMatchObject(ECHO);
  expect(await events()).toEqual([]);
});

test('a tool that cannot be used is refused alike everywhere, and nothing is recorded', async () => {
  const { refusal, events } = await givenTools(EVERYTHING);
  const cases = [
    [{ server: 'other', tool: 'echo' }, 'tool_server_not_configured'],
    [{ server: 'everything', tool: 'get-sum' }, 'tool_not_allowed'],
    [{ server: 'everything', tool: 'gone' }, 'tool_not_listed'],
  ] as const;
  for (const [tool, because] of cases) {
    for (const operation of ['introspect', 'validate', 'dry_run', 'execute']) {
      if (operation === 'dry_run' && because === 'tool_not_allowed') continue;
      expect(await refusal(operation, tool, operation === 'introspect' ? {} : { arguments: {} })).toMatchObject({
        reason: 'unavailable',
        kind: 'tool_not_offered',
        because,
      });
    }
  }
  expect(await events()).toEqual([]);
});

test('a name that was mistyped is refused with the one that was meant', async () => {
  const { refusal, tools } = await givenTools({ everything: { ...EVERYTHING.everything, allowed: ['e*', 'n*'] } });
  const playbookKey = { org: 'local', playbook: 'desk' };
  const detailOf = async (tool: JsonObject) => (await refusal('introspect', tool)).detail;
  // Nothing is known of a server that was not asked, and saving a definition asks none.
  expect(tools.whyUnavailable(playbookKey, 'everything', 'ecko')).toBeUndefined();
  expect(await detailOf({ server: 'everythin', tool: 'echo' })).toContain('Did you mean everything?');
  expect(await detailOf({ server: 'everything', tool: 'ecko' })).toContain('Did you mean echo?');
  expect(await detailOf({ server: 'everything', tool: 'nothing-like-it' })).not.toContain('Did you mean');
  expect(tools.whyUnavailable(playbookKey, 'everything', 'ecko')).toBe(
    'The tool server everything did not list a tool ecko when it was last queried. Did you mean echo?',
  );
  expect(tools.whyUnavailable(playbookKey, 'everything', 'echo')).toBeUndefined();
  expect(tools.whyUnavailable(playbookKey, 'everything', '*')).toBeUndefined();
  expect(tools.whyUnavailable(playbookKey, 'other', '*')).toContain('No tool server other is configured');
  expect(tools.whyUnavailable(playbookKey, 'everything', 'get-sum')).toContain('not allowed by the operator');
});

test('a pattern that allows no tool is logged once', async () => {
  const { everything } = EVERYTHING;
  const { ask, logged } = await givenTools({ everything: { ...everything, allowed: ['echo', 'eco', 'old_*'] } });
  await ask('search', {});
  await ask('search', {});
  const warnings = logged.map((line) => JSON.parse(line) as JsonObject).filter((line) => 'allowed' in line);
  expect(warnings).toMatchObject([
    { level: 40, tool_server: 'everything', allowed: 'eco', meant: 'echo' },
    { level: 40, tool_server: 'everything', allowed: 'old_*' },
  ]);
});

test('a server that cannot be started is unreachable, and the message does not show its command', async () => {
  const { ask, refusal } = await givenTools({ broken: { type: 'stdio', command: '/nowhere/to-be-found' } });
  const tool = { server: 'broken', tool: 'any' };
  const failed = { reason: 'unavailable', kind: 'tool_server_failed', because: 'unreachable', retryAfter: 1 };
  expect(await refusal('introspect', tool)).toMatchObject(failed);
  expect(await refusal('execute', tool)).toMatchObject(failed);
  expect(await ask('dry_run', tool, { arguments: {} })).toMatchObject({
    would_run: false,
    read_only: null,
    arguments: { valid: null },
    server: { reachable: 'no', because: 'unreachable' },
  });
  const found = await ask('search', {});
  expect(found).toMatchObject({ servers: [{ name: 'broken', because: 'unreachable' }], tools: [], scopes: [] });
  expect(JSON.stringify(found)).not.toContain('nowhere');
});

test('arguments past 16 KiB are refused before anything is asked; a retired playbook calls nothing', async () => {
  const { refusal, retire } = await givenTools({ broken: { type: 'stdio', command: '/nowhere/to-be-found' } });
  const tool = { server: 'broken', tool: 'any' };
  expect(await refusal('execute', tool, { arguments: { text: 'x'.repeat(16 * 1024) } })).toMatchObject({
    reason: 'invalid_input',
    issues: [{ pointer: '/arguments' }],
  });
  await retire();
  expect(await refusal('execute', tool)).toMatchObject({ reason: 'conflict', kind: 'retired' });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';
import { overviewWithUses } from './present.ts';
import type { DefinitionRow } from './sql.ts';

let server: TestServer;
const BASE = '/v1/orgs/local/playbooks/desk';
const ALL = `${BASE}/definitions/computation`;
const program = (value: unknown): string =>
  `export const description = "Gives a value.";\nexport default () => (${JSON.stringify(value)});\n`;
const eventTypes = async (): Promise<string[]> =>
  (await server.get(`${BASE}/events?limit=100&order=asc`)).body.events.map(({ type }: { type: string }) => type);

beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(() => server.close());

describe('a definition', () => {
  test('has a version for each document that was saved, and the same document again is none', async () => {
    const first = await server.post(ALL, { name: 'versions', source: program(1) });
    expect(first).toMatchObject({
      status: 201,
      body: { version: 1, media_type: 'text/typescript', description: 'Gives a value.', source: program(1) },
    });
    const before = (await eventTypes()).length;
    expect((await server.put(`${ALL}/versions`, { source: program(1) })).body).toEqual(first.body);
    expect(await eventTypes()).toHaveLength(before);
    expect((await server.put(`${ALL}/versions`, { source: program(2) })).body).toMatchObject({
      version: 2,
      source: program(2),
    });
    const { body: older } = await server.get(`${ALL}/versions/versions/1`);
    expect(older).toMatchObject({ source: program(1), version: 1, updated_at: first.body.created_at });
    expect((await server.get(`${ALL}/versions/versions/3`)).status).toBe(404);
    const page = await server.get(`${ALL}/versions/versions?limit=1`);
    expect(page.body).toMatchObject({ versions: [{ version: 2, saved_by: 'developer' }], has_more: true });
    expect((await server.get(`${ALL}/versions/versions?limit=1&cursor=${page.body.next_cursor}`)).body).toMatchObject({
      versions: [{ version: 1 }],
      has_more: false,
      next_cursor: null,
    });
  });

  test('is not saved if another version was saved since the expected one', async () => {
    await server.post(ALL, { name: 'expected', source: program(1) });
    const save = (value: number, expected_version: number) =>
      server.put(`${ALL}/expected`, { source: program(value), expected_version });
    expect(await save(2, 1)).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await save(3, 1)).toMatchObject({
      status: 409,
      body: { kind: 'changed', detail: expect.stringContaining('has version 2, saved by developer') },
    });
    // The answer to the first save was lost, and it is sent again.
    expect(await save(2, 1)).toMatchObject({ status: 200, body: { version: 2 } });
    const both = await Promise.all([save(4, 2), save(5, 2)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await save(6, 0)).status).toBe(422);
  });

  test('that uses others is checked against what they declare', async () => {
    const declares =
      'export const output = { type: "object", properties: { score: { type: "integer" } } };\nexport default () => ({ score: 1 });\n';
    await server.post(ALL, { name: 'declares', source: declares });
    const steps = `do:
  - a: { call: computation/declares }
  - b: { set: { of: "\${ .scor }" } }
  - c: { call: computation/declare }
`;
    const source = `document: { dsl: '1.0.3', namespace: desk, name: uses, version: '1.0.0' }\n${steps}`;
    const warnings = [
      { pointer: '/source/do/1/b/set/of', line: 4, detail: expect.stringContaining('did you mean `score`?') },
      { pointer: '/source/do/2/c/call', line: 5, detail: expect.stringContaining('mean `computation/declares`?') },
    ];
    const checked = await server.post(`${BASE}/definitions/workflow/check`, { source });
    expect(checked.body).toMatchObject({ valid: true, warnings });
    const itself = { source: `${source}  - d: { call: workflow/uses }\n`, name: 'uses' };
    expect((await server.post(`${BASE}/definitions/workflow/check`, itself)).body.warnings).toHaveLength(2);
    const saved = await server.post(`${BASE}/definitions/workflow`, { name: 'uses', source });
    expect(saved).toMatchObject({ status: 201, body: { warnings } });
    expect((await server.get(`${BASE}/definitions/workflow/uses`)).body).toEqual(saved.body);
  });

  test.each([
    [
      'interaction',
      'description: Asks.\nask:\n  to: ada\n  message: Yes?\n  answer: { type: object, const: ID }\n',
      '/ask/answer/const',
    ],
    [
      'reasoning',
      '---\nmodel: openai/gpt-5-mini\nprovider_options: { openai: { base: &base { a: 1 }, seed: ID, more: { <<: *base } } }\n---\nHello.\n',
      '/provider_options/openai/seed',
    ],
    [
      'prediction',
      'description: Tickets.\ndataset: { value: tickets }\nperiod: month\ncontext: 36\nhorizon: 12\ntrainer: { inbox: boss }\nexamples:\n  - { name: north, input: { series: x }, output: { id: ID } }\n',
      '/examples/0/output/id',
    ],
    [
      'workflow',
      "document: { dsl: '1.0.3', namespace: desk, name: uses, version: '1.0.0' }\ndo: [ { a: { set: { id: ID } } } ]\n",
      '/do/0/a/set/id',
    ],
  ])('of type %s has a warning for each integer that JSON does not keep exactly', async (type, text, pointer) => {
    const source = text.replace('ID', '12345678901234567890');
    const { body } = await server.post(`${BASE}/definitions/${type}/check`, { source });
    expect(body).toMatchObject({ valid: true });
    expect(body.warnings).toContainEqual(
      expect.objectContaining({
        pointer: `/source${pointer}`,
        detail: expect.stringContaining('is read as 12345678901234567000'),
      }),
    );
    const merging = body.warnings.filter(({ detail }: { detail: string }) => detail.startsWith('`<<` merges nothing'));
    expect(merging).toHaveLength(source.includes('<<') ? 1 : 0);
  });

  test('that was retired can be read, not changed or run, and its name is never used again', async () => {
    await server.post(ALL, { name: 'ended', source: program(1) });
    const retired = await server.post(`${ALL}/ended/retire`, {});
    expect(retired.body).toMatchObject({ status: 'retired', retired_at: expect.any(String) });
    expect((await server.post(`${ALL}/ended/retire`, {})).body).toEqual(retired.body);
    expect((await server.get(`${ALL}/ended`)).status).toBe(200);
    expect(await server.put(`${ALL}/ended`, { source: program(2) })).toMatchObject({
      status: 409,
      body: { kind: 'retired' },
    });
    expect(await server.post(`${ALL}/ended/run`, {})).toMatchObject({ status: 409, body: { kind: 'retired' } });
    expect(await server.post(ALL, { name: 'ended', source: program(2) })).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringMatching(/which was retired; names are never reused\. Choose another name\.$/),
      },
    });
    const names = async (query: string) =>
      (await server.get(ALL + query)).body.definitions.map(({ name }: { name: string }) => name);
    expect(await names('')).not.toContain('ended');
    expect(await names('?include_retired=true')).toContain('ended');
  });

  test('is listed without its source and overview', async () => {
    await server.post(ALL, { name: 'listed', source: program(1) });
    const [entry] = (await server.get(ALL)).body.definitions;
    expect(entry).not.toHaveProperty('source');
    expect(entry).not.toHaveProperty('overview');
  });

  test('whose document is wrong is refused with line and column, and nothing is saved', async () => {
    const before = await eventTypes();
    const refused = await server.post(ALL, { name: 'wrong', source: 'export default () => {\n  return 1 +;\n};\n' });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/source', detail: expect.stringMatching(/^Line 2, column \d+: /) }] },
    });
    expect(await eventTypes()).toEqual(before);
    expect((await server.get(`${ALL}/wrong`)).status).toBe(404);
  });

  test('is created once when many create it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => server.post(ALL, { name: 'race', source: program(n) })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('can be looked at without saving it', async () => {
    const before = await eventTypes();
    const source = 'export const output = { type: "object" };\nexport default () => 1;';
    // Where the machine is too busy to check the types in time, a warning at line 1 says to ask again.
    await expect
      .poll(async () => (await server.post(`${ALL}/check`, { source, include: ['declarations'] })).body, {
        timeout: 30_000,
      })
      .toMatchObject({
        valid: true,
        issues: [],
        warnings: [{ line: 2 }],
        overview: expect.stringContaining('**Needs**'),
        declarations: expect.stringContaining('type Input = any;'),
      });
    const typed = await server.post(`${ALL}/check`, {
      source: 'export const input = { type: "object", properties: { n: { enum: [1, 2] } } };\nexport default () => 1;',
      include: ['declarations'],
    });
    expect(typed.body.declarations).toContain('type Input = { "n"?: (1) | (2); };');
    const wrong = await server.post(`${ALL}/check`, { source: 'enum A { b }\nexport default () => 1;' });
    expect(wrong.body).toMatchObject({
      valid: false,
      issues: [{ pointer: '/source', line: 1, column: 1 }],
      warnings: [],
    });
    expect(await eventTypes()).toEqual(before);
  }, 60_000);

  test('of a type without definitions is an empty list, and of an unknown type is not found', async () => {
    expect((await server.get(`${BASE}/definitions/prediction`)).body).toEqual({ definitions: [] });
    expect((await server.get(`${BASE}/definitions/other`)).status).toBe(404);
  });

  test('names the active definitions that use it behind its overview', () => {
    const row = { document: JSON.stringify({ overview: 'Scores.\n' }) } as DefinitionRow;
    expect(overviewWithUses(row, [])).toBe('Scores.');
    expect(overviewWithUses(row, [{ from_type: 'workflow', from_name: 'triage', use: 'calls' }])).toBe(
      'Scores.\n\n**Used by** workflow/triage, which calls it.',
    );
    const uses = [
      { from_type: 'recall', from_name: 'log', use: 'keeps a view of the runs of' },
      { from_type: 'recall', from_name: 'log', use: 'keeps a view of the versions of' },
      { from_type: 'workflow', from_name: 'log', use: 'calls' },
    ] as const;
    expect(overviewWithUses(row, uses)).toBe(
      'Scores.\n\n**Used by** recall/log, which keeps a view of the runs of it and keeps a view of the versions of it.\n\n**Used by** workflow/log, which calls it.',
    );
  });
});

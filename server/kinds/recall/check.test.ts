// What checking a recall function says, with the real sandbox and TypeScript, and how its examples are executed.
import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox, createTypeChecker } from '../../lib/sandbox/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import type { CheckedDocument } from '../checked.ts';
import type { Ending } from '../run.ts';
import { createRecallKind } from './index.ts';

const sandbox = createSandbox();
const types = createTypeChecker({ waitMs: 60_000, deadlineMs: 60_000 });
const schemas = createSchemaChecker();
afterAll(() => Promise.all([sandbox.close(), types.close(), schemas.close()]));

const kind = createRecallKind({ sandbox, types, schemas });
const SURROUNDINGS = {
  org: 'local',
  playbook: 'desk',
  definitionExists: (_type: string, name: string) => name === 'known',
};

const TRIED = { playbookKey: SURROUNDINGS, signal: new AbortController().signal };
const READS = 'export const reads = [{ events: {} }];\n';
const INITIAL = 'export const initial = { open: {}, last: null, all: [], count: 0 };\n';
const EVOLVE = 'export function evolve(state, event) { return state; }\n';
const ANSWER = 'export function answer(state, input) { return state.count; }\n';
const GOOD = READS + INITIAL + EVOLVE + ANSWER;

async function issuesOf(source: string): Promise<string[]> {
  const checked = await kind.check(source, SURROUNDINGS);
  return (checked.ok ? checked.document.warnings : checked.issues).map(({ detail }) => detail);
}
async function document(source: string): Promise<CheckedDocument> {
  const checked = await kind.check(source, SURROUNDINGS);
  if (!checked.ok) throw new Error(checked.issues[0]?.detail);
  return checked.document;
}

describe('a program without', () => {
  test.each([
    ['reads', GOOD.replace(READS, ''), /needs `export const reads = /],
    ['initial', GOOD.replace(INITIAL, ''), /needs `export const initial = /],
    ['evolve', GOOD.replace(EVOLVE, ''), /needs `export function evolve\(state, event\)/],
    ['answer', GOOD.replace(ANSWER, ''), /needs `export function answer\(state, input\)/],
    ['a function as evolve', GOOD.replace(EVOLVE, 'export const evolve = 5;\n'), /needs `export function evolve/],
    ['plain JSON as initial', GOOD.replace(INITIAL, 'export const initial = () => ({});\n'), /`initial` is a function/],
  ])('%s is refused', async (_name, source, words) => {
    expect(await issuesOf(source)).toEqual([expect.stringMatching(words)]);
  });
});

test('another export is refused, with the nearest that there is', async () => {
  expect(await issuesOf(`${GOOD}export const read = 1;\n`)).toEqual([
    expect.stringMatching(/`read` is not a valid export.*`reads`/),
  ]);
  expect(await issuesOf(`${GOOD}export default () => 1;\n`)).toEqual([
    expect.stringMatching(/`default` is not a valid export/),
  ]);
});

describe('reads', () => {
  test.each([
    ['no list', '{ events: {} }', /must be a list with at least one filter/],
    ['an empty list', '[]', /must be a list with at least one filter/],
    ['too many', 'Array(101).fill({ events: {} })', /has 101 filters; the maximum is 100/],
    ['a text', '["ticket.opened"]', /Filter 1 of `reads` must be one of \{ events: /],
    ['two in one', '[{ events: {}, runs: { subject: "workflow/known" } }]', /Filter 1 of `reads` must be one of/],
    [
      'an unknown filter',
      '[{ events: {} }, { event: {} }]',
      /Filter 2 of `reads` has an unknown field `event`; did you mean `events`\?$/,
    ],
    ['an unknown field', '[{ events: { typ: "a" } }]', /unknown field `typ` under `events`; did you mean `type`/],
    ['a number', '[{ events: { type: 5 } }]', /needs a string as `events.type`/],
    ['an empty text', '[{ events: { type: "" } }]', /needs a string as `events.type`/],
    ['no object', '[{ events: "ticket.opened" }]', /must have an object under `events`/],
    ['runs of nothing', '[{ runs: {} }]', /needs `runs.subject`, the definition as TYPE\/NAME/],
    ['runs of no type', '[{ runs: { subject: "program/known" } }]', /needs `runs.subject`/],
    ['runs of more than a name', '[{ runs: { subject: "workflow/known/too" } }]', /needs `runs.subject`/],
    ['changes of a bad name', '[{ changes: { source: "computation/K" } }]', /needs `changes.source`/],
    [
      'changes of a subject',
      '[{ changes: { subject: "computation/known" } }]',
      /unknown field `subject` under `changes`/,
    ],
  ])('with %s are refused where they stand', async (_name, reads, words) => {
    const issues = await issuesOf(`\n${GOOD.replace('[{ events: {} }]', reads)}`);
    expect(issues).toEqual([expect.stringMatching(words)]);
    expect(issues[0]).toMatch(/^Line 2, column 14: /);
  });

  test('say which definitions are used, and warn of those that are not there', async () => {
    const reads = `[{ runs: { subject: 'workflow/known' } }, { changes: { source: 'computation/unknown' } }, { runs: { subject: 'workflow/known' } }]`;
    const { references, warnings, overview } = await document(GOOD.replace('[{ events: {} }]', reads));
    expect(references).toEqual([
      { type: 'workflow', name: 'known', use: 'keeps a view of the runs of' },
      { type: 'computation', name: 'unknown', use: 'keeps a view of the versions of' },
    ]);
    expect(warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('The playbook has no active `computation/unknown`'),
    ]);
    expect(overview).toContain('- runs of workflow/known, as they start and end');
  });
});

describe('types', () => {
  const OUTPUT =
    "export const input = { type: 'object', properties: { n: { type: 'number' } } };\nexport const output = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };\n";
  const body = (evolve: string, answer = 'return { n: input.n ?? 0 };'): string =>
    `${READS}${INITIAL}${OUTPUT}export function evolve(state, event) { ${evolve} }\nexport const answer = (state, input) => { ${answer} };\n`;

  test.each([
    [
      'what grows in the state',
      'state.open[event.event.data.id] = 1; state.all.push(2); state.more = 1; state.last = 5; return state;',
    ],
    ['an attribute of the event', 'state.count += event.event.priority + event.event.id.length; return state;'],
  ])('of %s fit', async (_name, evolve) => {
    expect(await issuesOf(body(evolve))).toEqual([]);
  });

  test.each([
    [
      'a member of the state',
      'state.count.push(1); return state;',
      undefined,
      /Property 'push' does not exist on type 'number'/,
    ],
    ['what a view of events does not get', 'return event.run_id ? state : {};', undefined, /run_id/],
    [
      'data that stands deeper',
      'return event.data ? state : {};',
      undefined,
      /Property 'data' does not exist.*write `event\.event\.data`/,
    ],
    ['the input', 'return state;', 'return { n: input.m };', /Property 'm' does not exist/],
    ['the output', 'return state;', 'return { m: 1 };', /The output lacks the field `n`, which `output` requires/],
  ])('of %s that do not fit are warnings', async (_name, evolve, answer, words) => {
    expect(await issuesOf(body(evolve, answer))).toEqual([expect.stringMatching(words)]);
  });

  test("of a parameter are the author's own where there are some", async () => {
    const source = GOOD.replace('evolve(state, event)', 'evolve(state: { count: string }, event)');
    expect(await issuesOf(source)).toEqual([expect.stringMatching(/A parameter.* does not match `evolve`/)]);
  });
});

describe('an example', () => {
  const given = (
    examples: string,
  ): string => `export const reads = [{ events: { type: 'opened' } }, { runs: { subject: 'workflow/known' } }];
export const initial = [];
export function evolve(state, event) {
  if (event.kind === 'event' && event.event.data === 'poison') throw new Error('no');
  state.push(event.kind === 'event' ? [event.event.id, event.event.source, event.at] : [event.change, event.by]);
  return state;
}
export const answer = (state, input) => ({ state, input, now: Date.now() });
export const examples = [${examples}];
`;
  async function ending(example: string, by = kind): Promise<Ending | undefined> {
    const source = given(example);
    const checked = await document(source);
    const [first] = checked.examples;
    const now = Date.UTC(2026, 0, 1);
    return first && by.runExample?.({ ...TRIED, source, document: checked, example: first, now });
  }

  test('is folded from CloudEvents and from what `evolve` gets, those that `reads` keeps', async () => {
    const events = `{ type: 'opened' }, { type: 'closed' }, { type: 'opened', id: 'x', source: '/s', time: '2026-02-01T01:00:00+01:00' },
      { kind: 'run', change: 'started', type: 'workflow', name: 'known' }, { kind: 'run', change: 'started', type: 'workflow', name: 'other' },
      { kind: 'event', by: 'key:a', event: { type: 'opened', id: 'y', source: '/t' } }`;
    expect(await ending(`{ name: 'a', events: [${events}], input: 5 }`)).toEqual({
      status: 'succeeded',
      output: {
        state: [
          ['event-1', '/examples', '2026-01-01T00:00:00.000Z'],
          ['x', '/s', '2026-02-01T00:00:00.000Z'],
          ['started', 'developer'],
          ['y', '/t', '2026-01-01T00:00:00.000Z'],
        ],
        input: 5,
        now: Date.UTC(2026, 0, 1),
      },
      record: {},
    });
  });

  test('without events answers from `initial`', async () => {
    expect(await ending("{ name: 'a', events: [], input: 1 }")).toMatchObject({ output: { state: [] } });
  });

  test('names the event that `evolve` cannot take', async () => {
    const events = "{ type: 'opened' }, { type: 'opened', data: 'poison' }";
    expect(await ending(`{ name: 'a', events: [${events}], input: 1 }`)).toMatchObject({
      status: 'rejected',
      rejection: { kind: 'stalled', detail: expect.stringMatching(/fails for event-2: Line 4, .*Error: no\./) },
    });
  });

  test('blames none of its events where they take too long together', async () => {
    const late = createRecallKind({
      sandbox: { ...sandbox, tryFold: async () => 'late' },
      types,
      schemas,
    });
    expect(await ending("{ name: 'a', events: [{ type: 'opened' }], input: 1 }", late)).toMatchObject({
      rejection: { kind: 'stalled', detail: expect.stringMatching(/fails for these events: .*two seconds/) },
    });
  });

  test.each([
    ['without events', "{ name: 'a', input: 1 }", /Example 1 must have `events`, a list of events; \[\] for none/],
    ['with a text as an event', "{ name: 'a', input: 1, events: ['x'] }", /must have `events`/],
    [
      'with an unknown field',
      "{ name: 'a', input: 1, events: [], calls: {} }",
      /unknown field `calls`; known fields: name, events, input, output/,
    ],
  ])('%s is refused', async (_name, example, words) => {
    expect(await issuesOf(given(example))).toEqual([expect.stringMatching(words)]);
  });
});

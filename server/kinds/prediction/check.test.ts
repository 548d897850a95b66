import { afterAll, describe, expect, test } from 'vitest';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { createTestSources } from '../../lib/yaml/sources.testing.ts';
import { createPredictionKind } from './index.ts';

const schemas = createSchemaChecker();
afterAll(() => schemas.close());
const kind = createPredictionKind({ sources: createTestSources(), schemas });
const check = (source: string, names: readonly string[] = []) =>
  kind.check(source, { org: 'local', playbook: 'desk', definitionExists: (_type, name) => names.includes(name) });

const SOURCE = `description: Tickets by month.
dataset: { value: tickets }
period: month
context: 36
horizon: 12
trainer: { inbox: forecasters }
`;

/** The document with members written anew, the first of them at its own line. */
function written(change: Readonly<Record<string, string>>): string {
  const lines = SOURCE.trimEnd()
    .split('\n')
    .map((line) => {
      const name = line.slice(0, line.indexOf(':'));
      return change[name] === undefined ? line : `${name}: ${change[name]}`;
    });
  const added = Object.entries(change).filter(([name]) => !SOURCE.includes(`${name}:`));
  return [...lines, ...added.map(([name, value]) => `${name}: ${value}`)].join('\n');
}

describe('a document is refused with its line', () => {
  test.each([
    ['', '1:1', 'A prediction function is an object'],
    ['period: month', '1:1', 'is missing the required field `dataset`'],
    [SOURCE.replace('trainer', 'trainner'), '6:1', 'did you mean `trainer`'],
    [written({ input: '{}' }), '7:1', 'unknown field `input`'],
    [written({ dataset: '{ valeu: x }' }), '2:12', 'did you mean `value`'],
    [written({ dataset: '{ unit: EUR }' }), '2:1', 'is missing the required field `value`'],
    [written({ dataset: '{ value: series }' }), '2:19', 'holds the name of the series'],
    [written({ dataset: '{ value: x, known: [a, x] }' }), '2:33', 'is `value` already'],
    [written({ dataset: '{ value: x, static: [a, a] }' }), '2:22', 'must not contain duplicate'],
    [written({ period: 'months' }), '3:9', 'must be one of "hour"'],
    [written({ season: '0' }), '7:9', '`season`'],
    [written({ context: '11' }), '4:10', 'at least one season, 12 periods. Write `context: 12`'],
    [written({ context: '12', season: '13' }), '4:10', 'or a shorter `season`'],
    [written({ context: '4000' }), '4:10', 'at most 2048'],
    [written({ horizon: '0' }), '5:10', '`horizon`'],
    [written({ horizon: '[]' }), '5:1', 'at least 1 item'],
    [written({ horizon: '[1, 1]' }), '5:1', 'must not contain duplicate'],
    [written({ horizon: '1.5' }), '5:10', 'a whole number or a list'],
    [written({ coverage: '0' }), '7:11', '`coverage`'],
    [written({ coverage: '1' }), '7:11', '`coverage`'],
    [written({ windows: '0' }), '7:10', '`windows`'],
    [written({ trainer: 'forecasters' }), '6:10', '{ inbox: PARTY } or { interaction: NAME }'],
    [written({ trainer: '{ inbx: a }' }), '6:12', 'did you mean `inbox`'],
    [written({ trainer: '{}' }), '6:1', 'write { inbox: PARTY } or { interaction: NAME }'],
    [written({ trainer: '{ inbox: a, interaction: ask-them }' }), '6:22', 'keep `inbox` or this'],
    [written({ trainer: '{ interaction: ask-them, expires: P1D }' }), '6:35', 'of its own'],
    [written({ trainer: '{ inbox: a, expires: P1Y }' }), '6:31', 'PT1M to P90D'],
    [written({ trainer: '{ interaction: NAME }' }), '6:25', 'interaction'],
    [written({ activate: '{ beat: 2 }' }), '7:19', '`activate.beat`'],
    [written({ activate: '{ approval: all }' }), '7:23', 'none, or { interaction: NAME }'],
    [written({ shadow: '{ period: 3 }' }), '7:11', 'did you mean `periods`'],
    [written({ builds_per_day: '0' }), '7:17', '`builds_per_day`'],
    [written({ examples: '[{ name: n, input: { series: north, horizon: 13 } }]' }), '7:56', 'at most 12'],
  ])('%j', async (source, at, words) => {
    const checked = await check(source);
    const [issue] = checked.ok ? [] : checked.issues;
    expect(issue?.detail).toContain(words);
    expect(`${issue?.line}:${issue?.column}`).toBe(at);
    expect(issue?.pointer).toMatch(/^\/source/);
  });
});

test('a question may name each horizon up to a number, or those of a list', async () => {
  const schemaWith = async (horizon: string) => {
    const checked = await check(written({ horizon }));
    return checked.ok ? checked.document.inputSchema : undefined;
  };
  expect(await schemaWith('12')).toMatchObject({
    properties: { horizon: { type: 'integer', minimum: 1, maximum: 12 } },
  });
  expect(await schemaWith('[12, 1, 3]')).toMatchObject({ properties: { horizon: { enum: [1, 3, 12] } } });
});

test('a checked document has the shape series and says what it needs and does', async () => {
  const checked = await check(SOURCE);
  expect(checked).toMatchObject({
    ok: true,
    document: { description: 'Tickets by month.', shape: 'series', expose: false, references: [], warnings: [] },
  });
  expect(checked.ok && checked.document.overview).toMatchInlineSnapshot(`
    "Tickets by month.

    **Needs**

    - \`series\` (string): Question: the name of the series to predict.
    - \`horizon\` (integer): Question: how many periods ahead to predict. Default: every horizon of the function.
    - \`build\` (object): Build: asks the trainer for models and scores them; {} uses the newest dataset.

    **Produces**

    The shape \`series\`.

    **Dataset**

    A CSV file with one row per series and month, and these columns:

    - series and label of the month: \`series\`, \`period\`
    - value: \`tickets\`

    **Does** Predicts 1 to 12 months ahead from the last 36 (season 12) with the active model version, and answers within its request. A build asks the trainer for models, scores them and may activate the best one.

    **Trainer** Asks \`forecasters\` in the inbox and waits at most 7 days. At most 20 builds a day.

    **Gate**

    Models are compared on up to 6 windows of the past; intervals are to hold 80% of the values. A version is activated if it

    - scores at least 2% better than the best baseline and the active version,
    - wins 60% of the judge windows, rounded to whole windows,
    - covers at least 70% of the values

    **Model versions** are numbered from 1, apart from the versions of the document. \`standing\` shows the active one."
  `);
});

test('interactions that it asks are references, and those that are missing are warnings', async () => {
  const source = written({
    trainer: '{ interaction: train-models }',
    activate: '{ approval: { interaction: approve-model } }',
  });
  expect(await check(source, ['train-models'])).toMatchObject({
    ok: true,
    document: {
      references: [
        { type: 'interaction', name: 'train-models', use: 'sends builds to' },
        { type: 'interaction', name: 'approve-model', use: 'has its versions approved by' },
      ],
      warnings: [{ line: 7, detail: expect.stringContaining('no active `interaction/approve-model`') }],
    },
  });
});

// What people view without a run: the series of the newest dataset, a forecast, and the model versions.
import Type, { type Static } from 'typebox';
import { LIMITS } from '../../../shared/limits.ts';
import { type ShapeOutput, SHAPES } from '../../../shared/shapes/index.ts';
import { type PredictionFunction, readFunction } from '../../kinds/prediction/index.ts';
import { invalidInput, Refused } from '../../lib/rejection.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import {
  type Call,
  defineOperation,
  type Operation,
  PAGE_FIELDS,
  pageEnd,
  pageOf,
  type PageRequest,
  pageRequest,
} from '../../operations/index.ts';
import { readVersion, requireActiveDefinition } from '../definitions/index.ts';
import type { Datasets } from './datasets.ts';
import { type FunctionKey, selectVersions } from './models-sql.ts';
import type { AskQuestion } from './questions.ts';
import { specOf, type VersionDetails } from './specs.ts';
import type { Versions } from './versions.ts';

const PATH = Type.Object({
  playbook: Type.String({ description: "The playbook's id." }),
  name: Type.String({ description: 'The name of the function.' }),
});
const READ = { readOnly: true, destructive: false, idempotent: true };
const tag = 'Predictions';
const PAGE_END = {
  has_more: Type.Boolean({ description: 'Whether there are more pages.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'The cursor of the next page.' }),
};

const SeriesSchema = Type.Object(
  {
    series: Type.String({ description: 'The name of the series.' }),
    first: Type.String({ description: 'The period of its first value.' }),
    last: Type.String({ description: 'The period of its last value.' }),
    points: Type.Array(
      Type.Object(
        {
          at: Type.String({ description: 'The period.' }),
          value: Type.Union([Type.Number(), Type.Null()], { description: 'The value; null is missing.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'The latest periods up to the last value, as many as the context of the function.' },
    ),
  },
  { additionalProperties: false },
);

const figure = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const ScoresSchema = Type.Object(
  {
    score: figure('The mean scaled pinball loss; lower is better.'),
    mase: figure('The mean absolute scaled error.'),
    coverage: figure('The share of values inside the interval.'),
    width: figure('The mean scaled width of the interval.'),
  },
  { additionalProperties: false, description: 'Its scores on the judge windows.' },
);

const ForecastSchema = Type.Object(
  {
    output: Type.Unsafe<ShapeOutput<'series'>>({ ...SHAPES.series, description: 'The output of a run.' }),
    version: Type.Integer({ minimum: 1, description: 'The model version that predicted it.' }),
    coverage: figure('The share of values that the intervals are to hold; null where it was not measured.'),
    dataset: Type.String({ description: 'SHA-256 of the dataset that it starts from.' }),
  },
  { additionalProperties: false },
);

const VersionSchema = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'The model version, from 1.' }),
    candidate: Type.String({ description: 'SHA-256 of the model.' }),
    run_id: Type.String({ description: 'The build that made it.' }),
    scores: ScoresSchema,
    active: Type.Boolean({ description: 'Whether it answers questions.' }),
  },
  { additionalProperties: false },
);

export interface BrowsingOptions {
  log: EventLog;
  sources: Pick<Sources, 'valueOf'>;
  datasets: Pick<Datasets, 'newestOf' | 'open'>;
  versions: Pick<Versions, 'active'>;
  ask: AskQuestion;
}

export function browsingOperations(options: BrowsingOptions): Operation[] {
  return [
    defineOperation({
      name: 'list_series',
      tag,
      title: 'List the series of a prediction function',
      description: `The series of the newest dataset with the columns of the function, in the order of the file, with their latest values; a page at a time. \`dataset\` is null if there is no such dataset. A page of long series has fewer than \`limit\`. A cursor is refused once there is a newer dataset.`,
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/prediction/{name}/series',
      path: PATH,
      fields: Type.Object(
        {
          search: Type.Optional(
            Type.String({ maxLength: 200, description: 'Only series whose name contains this text, in any case.' }),
          ),
          ...PAGE_FIELDS,
        },
        { additionalProperties: false },
      ),
      output: Type.Object(
        {
          dataset: Type.Union([Type.String(), Type.Null()], { description: 'SHA-256 of the dataset.' }),
          items: Type.Array(SeriesSchema, { maxItems: LIMITS.pageMost, description: 'The series.' }),
          ...PAGE_END,
        },
        { additionalProperties: false },
      ),
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: READ,
      mcp: false,
      addition: true,
      handle: (call, { playbook, name, ...fields }) =>
        listSeries(options, call, { org: call.org, playbook, name }, fields),
    }),
    defineOperation({
      name: 'read_forecast',
      tag,
      title: 'Read a forecast',
      description:
        'The answer to a question to a prediction function, without a run: pages that show a forecast again and again record nothing. Run the function where the answer is used for a decision.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/prediction/{name}/forecast',
      path: PATH,
      fields: Type.Object(
        {
          series: Type.String({ minLength: 1, maxLength: 256, description: 'The name of the series.' }),
          horizon: Type.Optional(
            Type.Integer({ minimum: 1, description: 'Only the period that many ahead; default: every horizon.' }),
          ),
        },
        { additionalProperties: false },
      ),
      output: ForecastSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: READ,
      mcp: false,
      addition: true,
      handle: (call, { playbook, name, ...question }) =>
        readForecast(options, call, { org: call.org, playbook, name }, question),
    }),
    defineOperation({
      name: 'list_versions',
      tag,
      title: 'List the model versions of a prediction function',
      description:
        'The model versions that builds of the function made, newest first, a page at a time, with their scores on the judge windows and which of them is active.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/prediction/{name}/models',
      path: PATH,
      fields: Type.Object(PAGE_FIELDS, { additionalProperties: false }),
      output: Type.Object(
        { versions: Type.Array(VersionSchema, { description: 'The model versions.' }), ...PAGE_END },
        { additionalProperties: false },
      ),
      problems: ['not_found', 'conflict'],
      hints: READ,
      mcp: false,
      addition: true,
      async handle(call, { playbook, name, ...fields }) {
        const request = pageRequest(call, fields, 'models');
        const { entries, end } = await listVersions(options, { org: call.org, playbook, name }, request);
        return { versions: entries, ...end };
      },
    }),
  ];
}

/** @throws Refused where the function is unknown or retired */
async function requireFunction({ log, sources }: BrowsingOptions, key: FunctionKey): Promise<PredictionFunction> {
  const source = await log.read(async (tx) => {
    const definition = { ...key, type: 'prediction' } as const;
    const { version } = await requireActiveDefinition(tx, definition);
    return (await readVersion(tx, definition, Number(version))).source;
  });
  return readFunction(source, sources);
}

async function readForecast(
  options: BrowsingOptions,
  { signal }: Call,
  key: FunctionKey,
  { series, horizon }: { series: string; horizon?: number },
): Promise<Static<typeof ForecastSchema>> {
  const prediction = await requireFunction(options, key);
  if (horizon !== undefined && !prediction.horizons.includes(horizon)) {
    const detail = `The horizons of prediction/${key.name} are ${prediction.horizons.join(', ')}.`;
    throw invalidInput([{ pointer: '/horizon', detail }]);
  }
  const question = options.ask({ ...key, signal }, prediction, { series, horizon });
  const { output, record } = await question.catch((error: unknown) => {
    throw error instanceof Refused && error.rejection.reason === 'invalid_input'
      ? invalidInput([{ pointer: '/series', detail: error.rejection.detail }])
      : error;
  });
  return { output, ...record } as Static<typeof ForecastSchema>;
}

async function listSeries(
  options: BrowsingOptions,
  call: Call,
  key: FunctionKey,
  { search, ...page }: { search?: string; limit?: number; cursor?: string },
) {
  const { log, datasets } = options;
  const prediction = await requireFunction(options, key);
  const newest = await log.read((tx) => datasets.newestOf(tx, key, prediction));
  if (newest === undefined) return { dataset: null, items: [], has_more: false, next_cursor: null };
  // Positions are those of one dataset.
  const list = `series-${newest.dataset}`;
  const { after, limit } = pageRequest(call, page, list);
  const panel = await datasets.open(key, newest.dataset, specOf(prediction), call.signal);
  const query = { search, after, limit, periods: prediction.context };
  const { items, hasMore } = await panel.series(query, { signal: call.signal });
  const end = pageEnd(list, hasMore ? items.at(-1)?.position : undefined);
  return {
    dataset: newest.dataset,
    items: items.map(({ series, first, last, points }) => ({ series, first, last, points })),
    ...end,
  };
}

async function listVersions({ log, versions }: BrowsingOptions, key: FunctionKey, request: PageRequest) {
  const { rows, active } = await log.read(async (tx) => {
    await requireActiveDefinition(tx, { ...key, type: 'prediction' });
    return {
      rows: await selectVersions(tx, key, request.after, request.limit + 1),
      active: await versions.active(tx, key),
    };
  });
  const read = rows.map(({ version, candidate, run_id, details }): Static<typeof VersionSchema> => {
    const { scores } = JSON.parse(details) as VersionDetails;
    return { version, candidate, run_id, scores: { ...scores.judge }, active: version === active?.version };
  });
  return pageOf(read, request, 'models', ({ version }) => version);
}

// What people view without a run: the series of the newest dataset, a forecast, and the model versions.
import Type, { type Static } from 'typebox';
import { flag, integer, list, object, objects, optional, orNull, text } from '../../../shared/schemas/fields.ts';
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
  playbook: text("The playbook's id."),
  name: text('The name of the function.'),
});
const READ = { readOnly: true, destructive: false, idempotent: true };
const tag = 'Predictions';
const PAGE_END = {
  has_more: flag('Whether there are more pages.'),
  next_cursor: orNull('The cursor of the next page.', Type.String()),
};

const SeriesSchema = object({
  series: text('The name of the series.'),
  first: text('The period of its first value.'),
  last: text('The period of its last value.'),
  points: objects('The latest periods up to the last value, as many as the context of the function.', {
    at: text('The period.'),
    value: orNull('The value; null is missing.', Type.Number()),
  }),
});

const figure = (description: string) => orNull(description, Type.Number());
const ScoresSchema = object('Its scores on the judge windows.', {
  score: figure('The mean scaled pinball loss; lower is better.'),
  mase: figure('The mean absolute scaled error.'),
  coverage: figure('The share of values inside the interval.'),
  width: figure('The mean scaled width of the interval.'),
});

const ForecastSchema = object({
  output: Type.Unsafe<ShapeOutput<'series'>>({ ...SHAPES.series, description: 'The output of a run.' }),
  version: integer('The model version that predicted it.', { minimum: 1 }),
  coverage: figure('The share of values that the intervals are to hold; null where it was not measured.'),
  dataset: text('SHA-256 of the dataset that it starts from.'),
});

const VersionSchema = object({
  version: integer('The model version, from 1.', { minimum: 1 }),
  candidate: text('SHA-256 of the model.'),
  run_id: text('The build that made it.'),
  scores: ScoresSchema,
  active: flag('Whether it answers questions.'),
});

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
      fields: object({
        search: optional(text('Only series whose name contains this text, in any case.', { maxLength: 200 })),
        ...PAGE_FIELDS,
      }),
      output: object({
        dataset: orNull('SHA-256 of the dataset.', Type.String()),
        items: list('The series.', SeriesSchema, { maxItems: LIMITS.pageMost }),
        ...PAGE_END,
      }),
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
      fields: object({
        series: text('The name of the series.', { minLength: 1, maxLength: 256 }),
        horizon: optional(integer('Only the period that many ahead; default: every horizon.', { minimum: 1 })),
      }),
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
      fields: object(PAGE_FIELDS),
      output: object({ versions: list('The model versions.', VersionSchema), ...PAGE_END }),
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
  const listName = `series-${newest.dataset}`;
  const { after, limit } = pageRequest(call, page, listName);
  const panel = await datasets.open(key, newest.dataset, specOf(prediction), call.signal);
  const query = { search, after, limit, periods: prediction.context };
  const { items, hasMore } = await panel.series(query, { signal: call.signal });
  const end = pageEnd(listName, hasMore ? items.at(-1)?.position : undefined);
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

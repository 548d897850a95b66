// What the pages of a prediction function read. The keys make the events of the function refetch it.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { Answer, Definition, EventRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import type { DefinitionKey } from '../../api/queries.ts';

export type ListedSeries = Answer<'list_series'>['items'][number];
export type ModelVersion = Answer<'list_versions'>['versions'][number];
export type Scores = ModelVersion['scores'];
export type Standing = Extract<Definition['standing'], { builds_left: number }>;

/** What every tab of a prediction function gets. */
export interface PredictionTabProps {
  definitionKey: DefinitionKey;
  definition: Definition;
}

export function standingOf({ standing }: Definition): Standing | undefined {
  return standing !== undefined && 'builds_left' in standing ? standing : undefined;
}

const SERIES_PAGE = 50;
const PAGE = 100;

const keyOf = ({ playbook, name }: DefinitionKey) => [playbook, 'definitions', 'prediction', name] as const;

/** The series of the newest dataset. */
export function seriesQuery(key: DefinitionKey, dataset: string | undefined, search: string) {
  const { playbook, name } = key;
  return infiniteQueryOptions({
    queryKey: [...keyOf(key), 'series', dataset, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call(
        'list_series',
        { playbook, name, search: search === '' ? undefined : search, limit: SERIES_PAGE, cursor: pageParam },
        signal,
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

export function modelVersionsQuery(key: DefinitionKey) {
  const { playbook, name } = key;
  return infiniteQueryOptions({
    queryKey: [...keyOf(key), 'models'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call('list_versions', { playbook, name, limit: PAGE, cursor: pageParam }, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** The question of the first example that asks one: what a function shows without being asked. */
export function firstQuestion({ details: { examples = [] } }: Pick<Definition, 'details'>): NamedQuestion | undefined {
  for (const { name, input } of examples) {
    const { series, horizon } = isJsonObject(input) ? input : {};
    if (typeof series === 'string') return { name, series, horizon: typeof horizon === 'number' ? horizon : undefined };
  }
  return undefined;
}

export interface NamedQuestion {
  /** The name of the example. */
  name: string;
  series: string;
  horizon: number | undefined;
}

/** A forecast of the active version. No run is recorded. */
export function forecastQuery(key: DefinitionKey, { series, horizon }: NamedQuestion) {
  const { playbook, name } = key;
  return queryOptions({
    queryKey: [...keyOf(key), 'forecast', series, horizon],
    queryFn: ({ signal }) => call('read_forecast', { playbook, name, series, horizon }, signal),
  });
}

/** The builds of a function, newest first: the events that record their datasets. A page may have none of its builds. */
export function buildsQuery(key: DefinitionKey) {
  const { playbook, name } = key;
  return infiniteQueryOptions({
    queryKey: [...keyOf(key), 'builds'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }) => {
      const input = { playbook, type: 'dataset_assembled', limit: PAGE, cursor: pageParam };
      const { events, next_cursor } = await call('list_playbook_events', input, signal);
      const own = events.filter(({ metadata }) => metadata.definition?.name === name);
      return { runIds: own.flatMap(({ metadata }) => metadata.run_id ?? []), next_cursor };
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** The events of a build, oldest first. */
export function buildEventsQuery(playbook: string, runId: string) {
  return queryOptions({
    // Under the key of the run, so that every event of the run makes it stale.
    queryKey: [playbook, 'run', runId, 'build'],
    queryFn: async ({ signal }): Promise<EventRecord[]> => {
      const { events } = await call('get_run_history', { playbook, run_id: runId, limit: PAGE }, signal);
      return events;
    },
  });
}

/** The horizons that questions may name, by the input schema of the function. */
export function horizonsOf(schema: JsonObject | undefined): number[] {
  const properties = schema?.['properties'];
  const horizon = isJsonObject(properties) ? properties['horizon'] : undefined;
  if (!isJsonObject(horizon)) return [];
  const { enum: named, maximum } = horizon;
  if (Array.isArray(named)) return named.filter((one) => typeof one === 'number');
  return typeof maximum === 'number' ? Array.from({ length: maximum }, (_, index) => index + 1) : [];
}

/** The command that trains the models of waiting builds, with the server of this page: it may not be the default one. */
export function trainCommand(playbook: string): string {
  return `npx cuebook train ${playbook} --server ${location.origin}`;
}

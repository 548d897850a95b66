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
/** The latest builds of a playbook that are searched for those of a function. */
const MOST_BUILDS = 100;

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

/** The latest builds of a function, newest first: the events that record their datasets. */
export function buildsQuery(key: DefinitionKey) {
  const { playbook, name } = key;
  return queryOptions({
    queryKey: [...keyOf(key), 'builds'],
    queryFn: async ({ signal }) => {
      const input = { playbook, type: 'dataset_assembled', limit: MOST_BUILDS };
      const { events } = await call('list_playbook_events', input, signal);
      const own = events.filter(({ metadata }) => metadata.definition?.name === name);
      return own.flatMap(({ metadata }) => (metadata.run_id === undefined ? [] : [metadata.run_id]));
    },
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

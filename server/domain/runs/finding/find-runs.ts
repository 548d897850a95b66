// The runs that match a filter, in bounded work:
// 1. A definition, event, origin, calling run and status fill a page however far apart their runs are: indexes find all but
//    the last.
// 2. With any other filter a page looks at no more than `lookedAt` runs, and a search of texts at `searched` runs or
//    `characters`. The answer says where it stopped, and the next page continues there.
// 3. A range of time begins where its first runs are, not at the newest run.
import type { PlaybookKey, ReadTransaction } from '../../../kernel/log/index.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import { selectRunsTogether } from '../history/trigger-events.ts';
import { searchRun } from './contains-text.ts';
import { type RowFilter, selectRuns, selectStartDown, type Span, type StartOfRun } from './select-runs.ts';
import { spanOfTime } from './span-of-time.ts';

export interface RunFilter extends Omit<RowFilter, 'caller' | 'together'> {
  /** The run that called them. */
  calledBy?: string | undefined;
  /** What their id, input or output contains. */
  search?: string | undefined;
}

export interface FoundRuns {
  rows: RunRow[];
  /** The last run of a page that others follow, or at which a bounded search stopped; undefined at the end of the list. */
  last?: StartOfRun;
  /** True if the search stopped before the page was full. */
  isBounded: boolean;
}

export interface SearchBounds {
  /** Runs. */
  lookedAt: number;
  searched: number;
  /** Characters of inputs and outputs. */
  characters: number;
}

const BOUNDS: SearchBounds = { lookedAt: 5000, searched: 500, characters: 16 * 1024 * 1024 };
/** How many runs are read at a time while their texts are searched. */
const SEARCHED_AT_A_TIME = 50;

/** @param before the start position that the last page ended with; undefined for the first page */
export async function findRuns(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  { calledBy, search, ...filter }: RunFilter,
  before: number | undefined,
  limit: number,
  bounds: SearchBounds = BOUNDS,
): Promise<FoundRuns> {
  const caller = calledBy === undefined ? undefined : await selectRun(tx, playbookKey, calledBy);
  if (calledBy !== undefined && caller === undefined) return { rows: [], isBounded: false };
  const together = filter.event === undefined ? [] : await selectRunsTogether(tx, playbookKey, filter.event);
  const rowFilter: RowFilter = {
    ...filter,
    ...(together.length === 0 ? {} : { together }),
    ...(caller === undefined ? {} : { caller: { runId: caller.run_id, topRunId: caller.top_run_id } }),
  };
  const whole = { from: 0, before: before ?? Number.MAX_SAFE_INTEGER };
  const span = await spanOfTime(tx, playbookKey, filter, whole);
  const most = search === undefined ? bounds.lookedAt : bounds.searched;
  const end = isScan(filter, search) ? await selectStartDown(tx, playbookKey, span, most) : undefined;
  const looked = end === undefined ? span : { ...span, from: end.position };
  if (search !== undefined)
    return searchRuns(tx, playbookKey, { filter: rowFilter, search, end }, looked, limit, bounds);
  return pageOfRows(await selectRuns(tx, playbookKey, rowFilter, looked, limit + 1), limit, end);
}

function isScan({ since, until, topLevel, startedBy }: RowFilter, search: string | undefined): boolean {
  return [since, until, topLevel, startedBy, search].some((value) => value !== undefined);
}

function pageOfRows(read: readonly RunRow[], limit: number, end: StartOfRun | undefined): FoundRuns {
  const rows = read.slice(0, limit);
  const last = read.length > limit ? rows.at(-1) : undefined;
  if (last !== undefined) return { rows, last: startOf(last), isBounded: false };
  return { rows, ...(end === undefined ? {} : { last: end }), isBounded: end !== undefined };
}

interface TextSearch {
  filter: RowFilter;
  search: string;
  end: StartOfRun | undefined;
}

async function searchRuns(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  { filter, search, end }: TextSearch,
  span: Span,
  limit: number,
  bounds: SearchBounds,
): Promise<FoundRuns> {
  const found: RunRow[] = [];
  let characters = 0;
  for (let { before } = span; ; ) {
    const rows = await selectRuns(tx, playbookKey, filter, { ...span, before }, SEARCHED_AT_A_TIME);
    for (const row of rows) {
      const { isFound, read } = await searchRun(tx, row, search);
      characters += read;
      if (isFound) found.push(row);
      if (found.length > limit) return pageOfRows(found, limit, end);
      if (characters > bounds.characters) return { rows: found, last: startOf(row), isBounded: true };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < SEARCHED_AT_A_TIME) return pageOfRows(found, limit, end);
    before = Number(last.started_position);
  }
}

function startOf(row: RunRow): StartOfRun {
  return { position: Number(row.started_position), startedAt: row.started_at };
}

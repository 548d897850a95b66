// Runs in the order of lists, newest first, by what their rows hold.
import type { PlaybookKey, ReadTransaction } from '../../../kernel/log/index.ts';
import { RUN_COLUMNS, type RunRow } from '../history/sql.ts';

export interface RowFilter {
  type?: string | undefined;
  name?: string | undefined;
  /** The id of the recorded event that started them. */
  event?: string | undefined;
  /** The runs that the event started together with others. */
  together?: readonly string[] | undefined;
  /** The run that they continue from. */
  origin?: string | undefined;
  /** The run that called them, with the run at the top of its tree. */
  caller?: { runId: string; topRunId: string } | undefined;
  status?: string | undefined;
  /** Keeps what first started from this time on, and before `until`: ISO 8601 UTC with milliseconds. */
  since?: string | undefined;
  until?: string | undefined;
  /** Only runs that no run called. */
  topLevel?: boolean | undefined;
  startedBy?: string | undefined;
}

/** Start positions, `from` included and `before` not. */
export interface Span {
  from: number;
  before: number;
}

interface Condition {
  sql: string;
  parameters: (string | number)[];
}

function conditionOf(playbookKey: PlaybookKey, filter: RowFilter, { from, before }: Span): Condition {
  const parameters: (string | number)[] = [playbookKey.org, playbookKey.playbook, before];
  const filters: string[] = [];
  const keep = (comparison: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    parameters.push(value);
    filters.push(`AND ${comparison} $${parameters.length}`);
  };
  // With both bounds SQLite takes the index of starts, even if another index finds the few runs of a definition.
  if (from > 0) keep('started_position >=', from);
  keep('type =', filter.type);
  keep('name =', filter.name);
  if (filter.event !== undefined && filter.together !== undefined) {
    parameters.push(filter.event, ...filter.together);
    const [event, ...runs] = parameters.map((_, at) => `$${at + 1}`).slice(-1 - filter.together.length);
    filters.push(`AND (trigger_event_id = ${event} OR run_id IN (${runs.join(', ')}))`);
  } else keep('trigger_event_id =', filter.event);
  keep('origin_run_id =', filter.origin);
  keep('status =', filter.status);
  keep('started_at >=', filter.since);
  keep('started_at <', filter.until);
  keep('started_by =', filter.startedBy);
  if (filter.topLevel === true) filters.push('AND called_by IS NULL');
  if (filter.topLevel === false) filters.push('AND called_by IS NOT NULL');
  if (filter.caller !== undefined) {
    filters.push('AND called_by IS NOT NULL');
    keep('top_run_id =', filter.caller.topRunId);
    // Run ids have no character that LIKE reads otherwise.
    keep('called_by LIKE', `%"run_id":"${filter.caller.runId}"%`);
  }
  const sql = `FROM runs WHERE org = $1 AND playbook = $2 AND started_position < $3
    ${filters.join(' ')}`;
  return { sql, parameters };
}

/** Runs by their first start, newest first. */
export function selectRuns(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  filter: RowFilter,
  span: Span,
  limit: number,
): Promise<RunRow[]> {
  const { sql, parameters } = conditionOf(playbookKey, filter, span);
  return tx.all(`SELECT ${RUN_COLUMNS} ${sql} ORDER BY started_position DESC LIMIT $${parameters.length + 1}`, [
    ...parameters,
    limit,
  ]);
}

export interface StartOfRun {
  position: number;
  startedAt: string;
}

interface StartRow {
  started_position: number | string;
  started_at: string;
}

const startOf = (row: StartRow | undefined): StartOfRun | undefined =>
  row && { position: Number(row.started_position), startedAt: row.started_at };

/** The run that is `count` runs down the unfiltered list; undefined if fewer are left. */
export async function selectStartDown(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  span: Span,
  count: number,
): Promise<StartOfRun | undefined> {
  const { sql, parameters } = conditionOf(playbookKey, {}, span);
  return startOf(
    await tx.get<StartRow>(
      `SELECT started_position, started_at ${sql} ORDER BY started_position DESC
       LIMIT 1 OFFSET $${parameters.length + 1}`,
      [...parameters, count - 1],
    ),
  );
}

/** The oldest run of a span. */
export async function selectFirstStart(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  span: Span,
): Promise<StartOfRun | undefined> {
  const { sql, parameters } = conditionOf(playbookKey, {}, span);
  return startOf(
    await tx.get<StartRow>(`SELECT started_position, started_at ${sql} ORDER BY started_position LIMIT 1`, parameters),
  );
}

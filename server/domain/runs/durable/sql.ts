// What a run that waits keeps beside its events: records of their own, written in the same transactions, not rebuilt.
import type { Json } from '../../../../shared/json.ts';
import type { CloudEvent } from '../../../kinds/durable.ts';
import {
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  STORED_BY_KEY,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';

export const durableRunMigrations: readonly Migration[] = [
  {
    id: 'durable-runs/1',
    sql: `
      CREATE TABLE run_parts (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        part TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (org, playbook, run_id, part)
      ) ${STORED_BY_KEY};
      CREATE TABLE run_waiters (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        waiting_run_id TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      ) ${STORED_BY_KEY};
      CREATE TABLE run_calls (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        number BIGINT NOT NULL,
        event_id TEXT NOT NULL,
        PRIMARY KEY (org, playbook, run_id, number)
      ) ${STORED_BY_KEY};
      CREATE TABLE run_mailbox (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        event_id TEXT NOT NULL,
        place BIGINT NOT NULL,
        event TEXT NOT NULL,
        taken BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id, event_id)
      ) ${STORED_BY_KEY};`,
  },
];

/** One run. */
export interface RunKey extends PlaybookKey {
  run_id: string;
}

const of = ({ org, playbook, run_id }: RunKey): [string, string, string] => [org, playbook, run_id];
const RUN = 'org = $1 AND playbook = $2 AND run_id = $3';

/** A part of the run's state, as JSON. */
export async function selectPartText(tx: ReadTransaction, run: RunKey, part: string): Promise<string | undefined> {
  const row = await tx.get<{ value: string }>(`SELECT value FROM run_parts WHERE ${RUN} AND part = $4`, [
    ...of(run),
    part,
  ]);
  return row?.value;
}

export async function selectPart(tx: ReadTransaction, run: RunKey, part: string): Promise<Json | undefined> {
  const text = await selectPartText(tx, run, part);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

/** What one statement writes at most: SQLite and PostgreSQL bound the parameters of a statement. */
const PARTS_A_STATEMENT = 50;

export async function writeParts(
  tx: WriteTransaction,
  run: RunKey,
  parts: readonly (readonly [string, string | undefined])[],
): Promise<void> {
  const put = parts.filter((part): part is readonly [string, string] => part[1] !== undefined);
  for (let start = 0; start < put.length; start += PARTS_A_STATEMENT) {
    const some = put.slice(start, start + PARTS_A_STATEMENT);
    const rows = some.map((_part, place) => `($1, $2, $3, $${4 + 2 * place}, $${5 + 2 * place})`);
    await tx.run(
      `INSERT INTO run_parts (org, playbook, run_id, part, value) VALUES ${rows.join(', ')}
       ON CONFLICT (org, playbook, run_id, part) DO UPDATE SET value = excluded.value`,
      [...of(run), ...some.flat()],
    );
  }
  const gone = parts.filter(([, value]) => value === undefined).map(([part]) => part);
  for (let start = 0; start < gone.length; start += PARTS_A_STATEMENT) {
    const some = gone.slice(start, start + PARTS_A_STATEMENT);
    const names = some.map((_part, place) => `$${4 + place}`).join(', ');
    await tx.run(`DELETE FROM run_parts WHERE ${RUN} AND part IN (${names})`, [...of(run), ...some]);
  }
}

/** What is stored of a run so that it can continue. Events that it took stay: a rerun takes them again. */
export async function dropRunState(tx: WriteTransaction, run: RunKey): Promise<void> {
  for (const table of ['run_parts', 'run_calls']) {
    await tx.run(`DELETE FROM ${table} WHERE ${RUN}`, of(run));
  }
  await tx.run(`DELETE FROM run_mailbox WHERE ${RUN} AND taken = 0`, of(run));
}

/** Who waits for a run to end. */
export interface Waiter {
  /** Empty where a task is to get the ending. */
  waiting_run_id: string;
  /** As JSON: what the kind of the waiting run gets back, or `{ task }`, the kind of the task. */
  data: string;
}

export async function putWaiter(tx: WriteTransaction, run: RunKey, waiter: Waiter): Promise<void> {
  await tx.run(
    `INSERT INTO run_waiters (org, playbook, run_id, waiting_run_id, data) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org, playbook, run_id) DO NOTHING`,
    [...of(run), waiter.waiting_run_id, waiter.data],
  );
}

export async function hasWaiter(tx: ReadTransaction, run: RunKey): Promise<boolean> {
  return (await tx.get(`SELECT 1 AS there FROM run_waiters WHERE ${RUN}`, of(run))) !== undefined;
}

export async function selectWaiter(tx: ReadTransaction, run: RunKey): Promise<Waiter | undefined> {
  return tx.get(`SELECT waiting_run_id, data FROM run_waiters WHERE ${RUN}`, of(run));
}

/** Removes the waiter and returns it. @param isExpected false for a run that nearly never has one */
export async function takeWaiter(tx: WriteTransaction, run: RunKey, isExpected = true): Promise<Waiter | undefined> {
  const take = `DELETE FROM run_waiters WHERE ${RUN} RETURNING waiting_run_id, data`;
  return tx.get(take, of(run), isExpected ? undefined : 'no row');
}

/** The event that recorded a call's start, where it started. */
export async function selectCall(tx: ReadTransaction, run: RunKey, number: number): Promise<string | undefined> {
  const row = await tx.get<{ event_id: string }>(`SELECT event_id FROM run_calls WHERE ${RUN} AND number = $4`, [
    ...of(run),
    number,
  ]);
  return row?.event_id;
}

/** A call that is sent again has a start of its own, which takes the place of the one before. */
export async function putCall(tx: WriteTransaction, run: RunKey, number: number, eventId: string): Promise<void> {
  await tx.run(
    `INSERT INTO run_calls (org, playbook, run_id, number, event_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org, playbook, run_id, number) DO UPDATE SET event_id = excluded.event_id`,
    [...of(run), number, eventId],
  );
}

export async function dropCall(tx: WriteTransaction, run: RunKey, number: number): Promise<void> {
  await tx.run(`DELETE FROM run_calls WHERE ${RUN} AND number = $4`, [...of(run), number]);
}

/** Events that wait, oldest first. */
export async function selectMailbox(tx: ReadTransaction, run: RunKey): Promise<CloudEvent[]> {
  const rows = await tx.all<{ event: string }>(
    `SELECT event FROM run_mailbox WHERE ${RUN} AND taken = 0 ORDER BY place`,
    of(run),
  );
  return rows.map(({ event }) => JSON.parse(event) as CloudEvent);
}

/** How many events were ever sent to the run, and how many of them wait. */
export async function countSent(tx: ReadTransaction, run: RunKey): Promise<{ sent: number; waiting: number }> {
  const row = await tx.get<{ sent: number | string; taken: number | string | null }>(
    `SELECT COUNT(*) AS sent, SUM(taken) AS taken FROM run_mailbox WHERE ${RUN}`,
    of(run),
  );
  const sent = Number(row?.sent ?? 0);
  return { sent, waiting: sent - Number(row?.taken ?? 0) };
}

/** The event that was sent to the run under this id. */
export async function selectSent(
  tx: ReadTransaction,
  run: RunKey,
  eventId: string,
): Promise<{ event: CloudEvent; isTaken: boolean } | undefined> {
  const row = await tx.get<{ event: string; taken: number | string }>(
    `SELECT event, taken FROM run_mailbox WHERE ${RUN} AND event_id = $4`,
    [...of(run), eventId],
  );
  return row && { event: JSON.parse(row.event) as CloudEvent, isTaken: Number(row.taken) === 1 };
}

export async function putSent(tx: WriteTransaction, run: RunKey, event: CloudEvent, place: number): Promise<void> {
  await tx.run(
    `INSERT INTO run_mailbox (org, playbook, run_id, event_id, place, event, taken) VALUES ($1, $2, $3, $4, $5, $6, 0)`,
    [...of(run), event.id, place, JSON.stringify(event)],
  );
}

/** The run has taken the event. The row stays, so that sending the event again finds it. */
export async function markTaken(tx: WriteTransaction, run: RunKey, eventId: string): Promise<void> {
  await tx.run(`UPDATE run_mailbox SET taken = 1 WHERE ${RUN} AND event_id = $4`, [...of(run), eventId]);
}

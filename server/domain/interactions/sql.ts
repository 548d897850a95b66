import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { InteractionRequest } from '../../../shared/schemas/index.ts';
import type { Migration, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';

export const interactionMigrations: readonly Migration[] = [
  {
    id: 'interactions/1',
    sql: `
      CREATE TABLE requests (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        place BIGINT NOT NULL,
        event_id TEXT NOT NULL,
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        to_party TEXT NOT NULL,
        delivery_server TEXT,
        delivery_tool TEXT,
        takes_answer BIGINT NOT NULL,
        requested_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        standing TEXT NOT NULL,
        attempts BIGINT NOT NULL,
        delivering_at TEXT,
        delivery_event_id TEXT,
        conversation TEXT,
        answerer TEXT,
        reply_refusals BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      );
      CREATE UNIQUE INDEX requests_by_place ON requests (org, playbook, place);
      CREATE INDEX requests_by_party ON requests (org, playbook, to_party, place);
      CREATE TABLE request_counts (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        open BIGINT NOT NULL,
        PRIMARY KEY (org, playbook)
      );
      CREATE TABLE request_replies (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        reply TEXT NOT NULL,
        conversation TEXT NOT NULL,
        taken BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id, reply)
      );
      CREATE INDEX request_replies_taken ON request_replies (org, playbook, conversation) WHERE taken = 1;
      CREATE TABLE request_tellings (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        about TEXT NOT NULL,
        attempts BIGINT NOT NULL,
        open_event_id TEXT,
        PRIMARY KEY (org, playbook, run_id, about)
      );`,
  },
  { id: 'interactions/2', sql: 'DROP TABLE request_tellings;' },
];

export type Standing = InteractionRequest['standing'];

/** An open request. */
export interface RequestRow {
  org: string;
  playbook: string;
  run_id: string;
  /** Its position in the list: that of its event in the playbook's order of reading. */
  place: number;
  event_id: string;
  type: DefinitionType;
  name: string;
  version: number;
  to_party: string;
  delivery_server: string | null;
  delivery_tool: string | null;
  /** 1 for a question, 0 for a notification. */
  takes_answer: number;
  requested_at: string;
  expires_at: string;
  standing: Standing;
  /** Tries to deliver it so far. */
  attempts: number;
  /** When the last try started, and the event that says so. */
  delivering_at: string | null;
  delivery_event_id: string | null;
  /** As JSON. */
  conversation: string | null;
  answerer: string | null;
  reply_refusals: number;
}

const COLUMNS = `org, playbook, run_id, place, event_id, type, name, version, to_party, delivery_server, delivery_tool,
  takes_answer, requested_at, expires_at, standing, attempts, delivering_at, delivery_event_id, conversation, answerer,
  reply_refusals`;

/** One run. */
export interface RunKey extends PlaybookKey {
  run_id: string;
}

const RUN = 'org = $1 AND playbook = $2 AND run_id = $3';
const of = ({ org, playbook, run_id }: RunKey): [string, string, string] => [org, playbook, run_id];

export async function selectRequest(tx: ReadTransaction, run: RunKey): Promise<RequestRow | undefined> {
  return tx.get(`SELECT ${COLUMNS} FROM requests WHERE ${RUN}`, of(run));
}

export interface RequestFilter {
  /** Only requests of these runs. */
  runs?: readonly string[];
  to?: string | undefined;
  type?: string | undefined;
  function?: string | undefined;
}

const FILTER_COLUMNS = { to: 'to_party', type: 'type', function: 'name' } as const;

/** Open requests, newest first, those before `before`. */
export async function selectRequests(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  filter: RequestFilter,
  before: number | undefined,
  limit: number,
): Promise<RequestRow[]> {
  if (filter.runs?.length === 0) return [];
  const parameters: (string | number)[] = [
    playbookKey.org,
    playbookKey.playbook,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  ];
  const filters = (['to', 'type', 'function'] as const).flatMap((field) => {
    const value = filter[field];
    if (value === undefined) return [];
    parameters.push(value);
    return [`AND ${FILTER_COLUMNS[field]} = $${parameters.length}`];
  });
  if (filter.runs !== undefined) {
    const parameterNames = filter.runs.map((runId) => `$${parameters.push(runId)}`);
    filters.push(`AND run_id IN (${parameterNames.join(', ')})`);
  }
  return tx.all(
    `SELECT ${COLUMNS} FROM requests WHERE org = $1 AND playbook = $2 AND place < $3 ${filters.join(' ')}
     ORDER BY place DESC LIMIT $4`,
    parameters,
  );
}

/** The number of open requests; no other transaction opens one until this one ends. */
export async function lockCount(tx: WriteTransaction, { org, playbook }: PlaybookKey): Promise<number> {
  await tx.run(
    `INSERT INTO request_counts (org, playbook, open) VALUES ($1, $2, 0)
     ON CONFLICT (org, playbook) DO UPDATE SET open = request_counts.open`,
    [org, playbook],
  );
  const row = await tx.get<{ open: number | string }>(
    `SELECT open FROM request_counts WHERE org = $1 AND playbook = $2`,
    [org, playbook],
  );
  return Number(row?.open ?? 0);
}

async function count(tx: WriteTransaction, { org, playbook }: PlaybookKey, change: 1 | -1): Promise<void> {
  await tx.run(
    `INSERT INTO request_counts (org, playbook, open) VALUES ($1, $2, $3)
     ON CONFLICT (org, playbook) DO UPDATE SET open = request_counts.open + $3`,
    [org, playbook, change],
  );
}

export async function insertRequest(tx: WriteTransaction, row: RequestRow): Promise<void> {
  await tx.run(
    `INSERT INTO requests (${COLUMNS})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, NULL, NULL, NULL, $16, 0)`,
    [
      ...of(row),
      row.place,
      row.event_id,
      row.type,
      row.name,
      row.version,
      row.to_party,
      row.delivery_server,
      row.delivery_tool,
      row.takes_answer,
      row.requested_at,
      row.expires_at,
      row.standing,
      row.answerer,
    ],
  );
  await count(tx, row, 1);
}

/** The request is closed. What of its conversation was taken as an answer stays: it answers nothing else. */
export async function deleteRequest(tx: WriteTransaction, run: RunKey): Promise<void> {
  if ((await tx.get(`DELETE FROM requests WHERE ${RUN} RETURNING run_id`, of(run))) === undefined) return;
  await tx.run(`DELETE FROM request_replies WHERE ${RUN} AND taken = 0`, of(run));
  await count(tx, run, -1);
}

/** A request that is being withdrawn stays so, whatever becomes of its delivery. */
const MOVED = `standing = CASE WHEN standing = 'cancelling' THEN standing ELSE $4 END`;

export async function cancelRequest(tx: WriteTransaction, run: RunKey): Promise<void> {
  await tx.run(`UPDATE requests SET standing = 'cancelling' WHERE ${RUN}`, of(run));
}

export async function deliveryStarted(
  tx: WriteTransaction,
  run: RunKey,
  started: { attempt: number; at: string; eventId: string },
): Promise<void> {
  await tx.run(`UPDATE requests SET ${MOVED}, attempts = $5, delivering_at = $6, delivery_event_id = $7 WHERE ${RUN}`, [
    ...of(run),
    'delivering',
    started.attempt,
    started.at,
    started.eventId,
  ]);
}

/** @param started the event that began the try: one of an earlier request of the run moves nothing */
export async function deliveryEnded(
  tx: WriteTransaction,
  run: RunKey,
  started: string | null,
  { standing, conversation = null }: { standing: Standing; conversation?: string | null },
): Promise<void> {
  await tx.run(`UPDATE requests SET ${MOVED}, conversation = $5 WHERE ${RUN} AND delivery_event_id = $6`, [
    ...of(run),
    standing,
    conversation,
    started,
  ]);
}

/** What names a conversation among those of a playbook. */
function conversationKey({ delivery_server, conversation }: RequestRow): string {
  return `${delivery_server ?? ''} ${conversation ?? 'null'}`;
}

export async function putReply(tx: WriteTransaction, row: RequestRow, reply: string, isTaken: boolean): Promise<void> {
  await tx.run(
    `INSERT INTO request_replies (org, playbook, run_id, reply, conversation, taken) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org, playbook, run_id, reply) DO NOTHING`,
    [...of(row), reply, conversationKey(row), isTaken ? 1 : 0],
  );
  if (!isTaken) await tx.run(`UPDATE requests SET reply_refusals = reply_refusals + 1 WHERE ${RUN}`, of(row));
}

/** Replies that answer nothing any more: refused by this request, or taken as the answer of any other. */
export async function selectSeenReplies(tx: ReadTransaction, row: RequestRow): Promise<Set<string>> {
  const rows = await tx.all<{ reply: string }>(
    `SELECT reply FROM request_replies WHERE ${RUN}
     UNION SELECT reply FROM request_replies WHERE org = $1 AND playbook = $2 AND conversation = $4 AND taken = 1`,
    [...of(row), conversationKey(row)],
  );
  return new Set(rows.map(({ reply }) => reply));
}

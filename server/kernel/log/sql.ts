import type { JsonObject } from '../../../shared/json.ts';
import type { EventMetadata, ContentReference, PlaybookKey, NumberedEvent, StoredEvent } from './event.ts';
import { placeholders } from './many-rows.ts';
import { type Migration, ROW_NUMBER } from './migration.ts';
import type { ReadTransaction, WriteTransaction } from './store.ts';

export const logMigrations: readonly Migration[] = [
  {
    id: 'log/1',
    sql: `
      CREATE TABLE events (
        global_position ${ROW_NUMBER},
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        id TEXT NOT NULL,
        stream TEXT NOT NULL,
        position BIGINT NOT NULL,
        read_position BIGINT,
        type TEXT NOT NULL,
        unique_key TEXT,
        tree TEXT,
        at TEXT NOT NULL,
        data TEXT NOT NULL,
        kept TEXT NOT NULL,
        metadata TEXT NOT NULL
      );
      CREATE UNIQUE INDEX events_by_id ON events (org, playbook, id);
      CREATE UNIQUE INDEX events_by_stream ON events (org, playbook, stream, position);
      CREATE UNIQUE INDEX events_by_reading ON events (org, playbook, read_position);
      CREATE INDEX events_by_type ON events (org, playbook, type, read_position);
      CREATE INDEX events_by_tree ON events (org, playbook, tree, read_position) WHERE tree IS NOT NULL;
      CREATE UNIQUE INDEX events_by_key ON events (org, playbook, unique_key) WHERE unique_key IS NOT NULL;
      CREATE TABLE streams (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        stream TEXT NOT NULL,
        position BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, stream)
      );`,
  },
];

/** SQLite answers a number, PostgreSQL a text. */
type StoredInteger = number | string;

export interface EventRow {
  global_position: StoredInteger;
  org: string;
  playbook: string;
  id: string;
  stream: string;
  position: StoredInteger;
  read_position: StoredInteger | null;
  type: string;
  data: string;
  kept: string;
  metadata: string;
}

const COLUMNS = 'global_position, org, playbook, id, stream, position, read_position, type, data, kept, metadata';

function toEvent(row: EventRow): NumberedEvent {
  const data: JsonObject = JSON.parse(row.data);
  // Most keep nothing apart.
  const kept: Record<string, ContentReference> = row.kept === '{}' ? {} : JSON.parse(row.kept);
  const metadata: EventMetadata = JSON.parse(row.metadata);
  return {
    org: row.org,
    playbook: row.playbook,
    id: row.id,
    stream: row.stream,
    position: Number(row.position),
    readPosition: row.read_position === null ? null : Number(row.read_position),
    globalPosition: Number(row.global_position),
    type: row.type,
    data,
    kept,
    metadata,
  };
}

/** An event that is to be recorded, at its places. */
export interface PlacedEvent extends StoredEvent {
  /** What makes it the only one of its playbook. */
  key: string | undefined;
}

const INSERTED = [
  'org',
  'playbook',
  'id',
  'stream',
  'position',
  'read_position',
  'type',
  'unique_key',
  'tree',
  'at',
  'data',
  'kept',
  'metadata',
] as const;

/** Records a page of events of one stream. */
export async function insertEvents(tx: WriteTransaction, events: readonly PlacedEvent[]): Promise<StoredEvent[]> {
  await tx.run(
    `INSERT INTO events (${INSERTED.join(', ')}) VALUES ${placeholders(events.length, INSERTED.length)}`,
    events.flatMap((event) => [
      event.org,
      event.playbook,
      event.id,
      event.stream,
      event.position,
      event.readPosition,
      event.type,
      event.key ?? null,
      event.metadata.correlation_id,
      event.metadata.at,
      JSON.stringify(event.data),
      JSON.stringify(event.kept),
      JSON.stringify(event.metadata),
    ]),
  );
  return events.map(({ key: _key, ...event }) => event);
}

/** Stands for the order of reading among the streams; no stream has this name. */
const READING = '';

/** Where the order of reading ended at the last commit; 0 for a playbook without events. */
export async function selectReadCounter(tx: ReadTransaction, { org, playbook }: PlaybookKey): Promise<number> {
  const row = await tx.get<{ position: StoredInteger }>(
    `SELECT position FROM streams WHERE org = $1 AND playbook = $2 AND stream = $3`,
    [org, playbook, READING],
  );
  return Number(row?.position ?? 0);
}

export interface ReadEnd extends PlaybookKey {
  end: number;
}

export async function putReadEnds(tx: WriteTransaction, ends: readonly ReadEnd[]): Promise<void> {
  for (const { org, playbook, end } of ends) {
    await tx.run(
      `INSERT INTO streams (org, playbook, stream, position) VALUES ($1, $2, $3, $4)
       ON CONFLICT (org, playbook, stream) DO UPDATE SET position = excluded.position`,
      [org, playbook, READING, end],
    );
  }
}

/** The last position of a stream; 0 for one that does not exist. */
export async function selectStreamEnd(tx: ReadTransaction, place: PlaybookKey, stream: string): Promise<number> {
  const row = await tx.get<{ position: StoredInteger }>(
    `SELECT position FROM events WHERE org = $1 AND playbook = $2 AND stream = $3 ORDER BY position DESC LIMIT 1`,
    [place.org, place.playbook, stream],
  );
  return Number(row?.position ?? 0);
}

/** The last place in the order of reading; 0 where there is none. */
export async function selectReadEnd(tx: ReadTransaction, place: PlaybookKey): Promise<number> {
  const row = await tx.get<{ read_position: StoredInteger }>(
    `SELECT read_position FROM events WHERE org = $1 AND playbook = $2 AND read_position IS NOT NULL
     ORDER BY read_position DESC LIMIT 1`,
    [place.org, place.playbook],
  );
  return Number(row?.read_position ?? 0);
}

export async function selectEvent(
  tx: ReadTransaction,
  place: PlaybookKey,
  id: string,
): Promise<NumberedEvent | undefined> {
  const row = await tx.get<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE org = $1 AND playbook = $2 AND id = $3 AND read_position IS NOT NULL`,
    [place.org, place.playbook, id],
  );
  return row === undefined ? undefined : toEvent(row);
}

export async function selectEventByKey(
  tx: ReadTransaction,
  place: PlaybookKey,
  key: string,
): Promise<NumberedEvent | undefined> {
  const row = await tx.get<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE org = $1 AND playbook = $2 AND unique_key = $3`,
    [place.org, place.playbook, key],
  );
  return row === undefined ? undefined : toEvent(row);
}

export interface StreamPage {
  stream: string;
  order: 'asc' | 'desc';
  /** The position that the last page ended with; undefined at the beginning. */
  after: number | undefined;
  limit: number;
}

export async function selectStream(
  tx: ReadTransaction,
  place: PlaybookKey,
  page: StreamPage,
): Promise<NumberedEvent[]> {
  const [compare, direction, start] = page.order === 'asc' ? ['>', 'ASC', 0] : ['<', 'DESC', Number.MAX_SAFE_INTEGER];
  const rows = await tx.all<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE org = $1 AND playbook = $2 AND stream = $3 AND position ${compare} $4
     ORDER BY position ${direction} LIMIT $5`,
    [place.org, place.playbook, page.stream, page.after ?? start, page.limit],
  );
  return rows.map(toEvent);
}

export interface ReadingPage {
  type?: string | undefined;
  /** Keeps what was recorded from this time on, ISO 8601 UTC with milliseconds. */
  since?: string | undefined;
  /** Keeps what this run, at the top of its tree, and every run below it recorded. */
  tree?: string | undefined;
  order: 'asc' | 'desc';
  /** The read position that the last page ended with; undefined at the beginning. */
  after?: number | undefined;
  limit: number;
}

export async function selectReading(
  tx: ReadTransaction,
  place: PlaybookKey,
  page: ReadingPage,
): Promise<NumberedEvent[]> {
  const [compare, direction, start] = page.order === 'asc' ? ['>', 'ASC', 0] : ['<', 'DESC', Number.MAX_SAFE_INTEGER];
  const parameters: (string | number)[] = [place.org, place.playbook, page.after ?? start, page.limit];
  const filters: string[] = [];
  const keep = (column: string, operator: string, value: string | undefined): void => {
    if (value === undefined) return;
    parameters.push(value);
    filters.push(`AND ${column} ${operator} $${parameters.length}`);
  };
  keep('type', '=', page.type);
  keep('at', '>=', page.since);
  keep('tree', '=', page.tree);
  const rows = await tx.all<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE org = $1 AND playbook = $2 AND read_position ${compare} $3 ${filters.join(' ')}
     ORDER BY read_position ${direction} LIMIT $4`,
    parameters,
  );
  return rows.map(toEvent);
}

export interface TypedPage {
  types: readonly string[];
  order: 'asc' | 'desc';
  /** The read position that the last page ended with; undefined at the beginning. */
  after?: number | undefined;
  limit: number;
}

/** Events of some types in the order of reading: its cost does not grow with the events of other types between them. */
export async function selectTyped(tx: ReadTransaction, place: PlaybookKey, page: TypedPage): Promise<NumberedEvent[]> {
  const [compare, direction, start] = page.order === 'asc' ? ['>', 'ASC', 0] : ['<', 'DESC', Number.MAX_SAFE_INTEGER];
  const ofType = page.types.map(
    (_type, index) =>
      `SELECT * FROM (SELECT global_position, read_position FROM events
       WHERE org = $1 AND playbook = $2 AND type = $${index + 5} AND read_position ${compare} $3
       ORDER BY read_position ${direction} LIMIT $4) AS typed${index}`,
  );
  const rows = await tx.all<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE global_position IN (
       SELECT global_position FROM (${ofType.join(' UNION ALL ')}) AS found ORDER BY read_position ${direction} LIMIT $4
     ) ORDER BY read_position ${direction}`,
    [place.org, place.playbook, page.after ?? start, page.limit, ...page.types],
  );
  return rows.map(toEvent);
}

/** Every event of the store in the order it was recorded, a page at a time. */
export async function selectAll(tx: ReadTransaction, after: number, limit: number): Promise<NumberedEvent[]> {
  const rows = await tx.all<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE global_position > $1 ORDER BY global_position LIMIT $2`,
    [after, limit],
  );
  return rows.map(toEvent);
}

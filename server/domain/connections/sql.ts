import type { Connection } from '../../../shared/schemas/index.ts';
import type { Migration, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';

export const connectionMigrations: readonly Migration[] = [
  {
    id: 'connections/1',
    sql: `
      CREATE TABLE connections (
        org TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        entry TEXT NOT NULL,
        credential TEXT NOT NULL,
        status TEXT NOT NULL,
        added_by TEXT NOT NULL,
        added_at TEXT NOT NULL,
        connected_at TEXT,
        connected_by TEXT,
        broken TEXT,
        PRIMARY KEY (org, id)
      );
      CREATE UNIQUE INDEX connections_by_name ON connections (org, name) WHERE status <> 'removed';
      CREATE TABLE connection_counts (
        org TEXT PRIMARY KEY,
        present BIGINT NOT NULL
      );
      CREATE TABLE connection_links (
        org TEXT NOT NULL,
        connection TEXT NOT NULL,
        token_sha256 TEXT NOT NULL,
        expires_at BIGINT NOT NULL,
        PRIMARY KEY (org, connection)
      );`,
  },
  { id: 'connections/2', sql: 'ALTER TABLE connections ADD COLUMN asked_by TEXT;' },
];

/** A connection without the parts of its credential that the secret store holds. */
export type StoredConnection = Omit<Connection, 'credential_ends_with'>;

interface ConnectionRow extends Omit<StoredConnection, 'entry' | 'credential' | 'asked_by'> {
  entry: string;
  credential: string;
  asked_by: string | null;
}

const COLUMNS =
  'id, name, kind, entry, credential, status, added_by, asked_by, added_at, connected_at, connected_by, broken';

function toConnection(row: ConnectionRow): StoredConnection {
  const { id, name, kind, entry, credential, status, added_by, asked_by, ...rest } = row;
  const asked = asked_by === null ? {} : { asked_by };
  return {
    id,
    name,
    kind,
    entry: JSON.parse(entry),
    credential: JSON.parse(credential),
    status,
    added_by,
    ...asked,
    ...rest,
  };
}

export async function selectConnection(
  tx: ReadTransaction,
  org: string,
  id: string,
): Promise<StoredConnection | undefined> {
  const row = await tx.get<ConnectionRow>(`SELECT ${COLUMNS} FROM connections WHERE org = $1 AND id = $2`, [org, id]);
  return row === undefined ? undefined : toConnection(row);
}

/** Newest first. */
export async function selectConnections(tx: ReadTransaction, org: string): Promise<StoredConnection[]> {
  const rows = await tx.all<ConnectionRow>(
    `SELECT ${COLUMNS} FROM connections WHERE org = $1 ORDER BY added_at DESC, id DESC`,
    [org],
  );
  return rows.map(toConnection);
}

/** Of every org, those that were not removed. */
export async function selectPresent(tx: ReadTransaction): Promise<{ org: string; connection: StoredConnection }[]> {
  const rows = await tx.all<ConnectionRow & { org: string }>(
    `SELECT org, ${COLUMNS} FROM connections WHERE status <> 'removed' ORDER BY org, id`,
  );
  return rows.map(({ org, ...row }) => ({ org, connection: toConnection(row) }));
}

export async function insertConnection(tx: WriteTransaction, org: string, connection: StoredConnection): Promise<void> {
  await tx.run(
    `INSERT INTO connections (org, id, name, kind, entry, credential, status, added_by, asked_by, added_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      org,
      connection.id,
      connection.name,
      connection.kind,
      JSON.stringify(connection.entry),
      JSON.stringify(connection.credential),
      connection.status,
      connection.added_by,
      connection.asked_by ?? null,
      connection.added_at,
    ],
  );
  await tx.run(
    `INSERT INTO connection_counts (org, present) VALUES ($1, 1)
     ON CONFLICT (org) DO UPDATE SET present = connection_counts.present + 1`,
    [org],
  );
}

/** Those of the org that were not removed. */
export async function countPresent(tx: ReadTransaction, org: string): Promise<number> {
  const row = await tx.get<{ present: number | string }>('SELECT present FROM connection_counts WHERE org = $1', [org]);
  return Number(row?.present ?? 0);
}

export async function setConnected(
  tx: WriteTransaction,
  org: string,
  id: string,
  { at, by }: { at: string; by: string },
): Promise<void> {
  await tx.run(
    `UPDATE connections SET status = 'connected', connected_at = $3, connected_by = $4 WHERE org = $1 AND id = $2`,
    [org, id, at, by],
  );
}

export async function setBroken(tx: WriteTransaction, org: string, id: string, broken: string): Promise<void> {
  await tx.run(`UPDATE connections SET status = 'broken', broken = $3 WHERE org = $1 AND id = $2`, [org, id, broken]);
}

export async function setRemoved(tx: WriteTransaction, org: string, id: string): Promise<void> {
  await tx.run(`UPDATE connections SET status = 'removed' WHERE org = $1 AND id = $2`, [org, id]);
  await tx.run('UPDATE connection_counts SET present = present - 1 WHERE org = $1', [org]);
}

export interface OpenConnectLink {
  token_sha256: string;
  /** Milliseconds since 1970. */
  expires_at: number;
}

export async function insertLink(
  tx: WriteTransaction,
  org: string,
  connection: string,
  link: OpenConnectLink,
): Promise<void> {
  await tx.run('INSERT INTO connection_links (org, connection, token_sha256, expires_at) VALUES ($1, $2, $3, $4)', [
    org,
    connection,
    link.token_sha256,
    link.expires_at,
  ]);
}

export async function selectLink(
  tx: ReadTransaction,
  org: string,
  connection: string,
): Promise<OpenConnectLink | undefined> {
  const row = await tx.get<{ token_sha256: string; expires_at: number | string }>(
    'SELECT token_sha256, expires_at FROM connection_links WHERE org = $1 AND connection = $2',
    [org, connection],
  );
  return row === undefined ? undefined : { ...row, expires_at: Number(row.expires_at) };
}

export async function deleteLink(tx: WriteTransaction, org: string, connection: string): Promise<void> {
  await tx.run('DELETE FROM connection_links WHERE org = $1 AND connection = $2', [org, connection]);
}

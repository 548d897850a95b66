import { readUnopenedDatabase, type Migration, type ReadTransaction, type WriteTransaction } from '../log/index.ts';
import type { SecretPlace } from './seal.ts';

export const secretMigrations: readonly Migration[] = [
  {
    id: 'secrets/1',
    sql: `
      CREATE TABLE sealed_values (
        org TEXT NOT NULL,
        owner TEXT NOT NULL,
        key_id TEXT NOT NULL,
        shown TEXT,
        sealed TEXT NOT NULL,
        PRIMARY KEY (org, owner)
      );`,
  },
];

export interface SealedRow {
  org: string;
  owner: string;
  key_id: string;
  shown: string | null;
  sealed: string;
}

const COLUMNS = 'org, owner, key_id, shown, sealed';

export async function putSealed(tx: WriteTransaction, { org, owner, key_id, shown, sealed }: SealedRow): Promise<void> {
  await tx.run(
    `INSERT INTO sealed_values (${COLUMNS}) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org, owner) DO UPDATE SET key_id = $3, shown = $4, sealed = $5`,
    [org, owner, key_id, shown, sealed],
  );
}

export function selectSealed(tx: ReadTransaction, { org, owner }: SecretPlace): Promise<SealedRow | undefined> {
  return tx.get<SealedRow>(`SELECT ${COLUMNS} FROM sealed_values WHERE org = $1 AND owner = $2`, [org, owner]);
}

export function selectAllSealed(tx: ReadTransaction): Promise<SealedRow[]> {
  return tx.all<SealedRow>(`SELECT ${COLUMNS} FROM sealed_values ORDER BY org, owner`);
}

export async function isAnythingSealed(tx: ReadTransaction): Promise<boolean> {
  return (await tx.get('SELECT 1 AS one FROM sealed_values LIMIT 1')) !== undefined;
}

/** The ids of the keys that values are sealed under. */
export async function selectKeyIds(tx: ReadTransaction): Promise<string[]> {
  const rows = await tx.all<{ key_id: string }>('SELECT DISTINCT key_id FROM sealed_values');
  return rows.map(({ key_id }) => key_id);
}

export async function deleteSealed(tx: WriteTransaction, { org, owner }: SecretPlace): Promise<void> {
  await tx.run('DELETE FROM sealed_values WHERE org = $1 AND owner = $2', [org, owner]);
}

/**
 * Who has a value in the secret store of a database that is not open yet, or that another process has open. Needs no
 * key. Empty where there is no such database, or it cannot be read: opening it reports why.
 */
export function listSecretOwners(file: string, org: string): string[] {
  try {
    return readUnopenedDatabase(file, (rows) =>
      rows<{ owner: string }>('SELECT owner FROM sealed_values WHERE org = $1', [org]).map(({ owner }) => owner),
    );
  } catch {
    return [];
  }
}

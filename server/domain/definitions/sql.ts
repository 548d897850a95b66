import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import {
  createMemory,
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  type Remembering,
  type Store,
  type WriteTransaction,
} from '../../kernel/log/index.ts';
import { createYielder } from '../../lib/event-loop.ts';

export const definitionMigrations: readonly Migration[] = [
  {
    id: 'definitions/1',
    sql: `
      CREATE TABLE definitions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        status TEXT NOT NULL,
        version BIGINT NOT NULL,
        version_event_id TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_by TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        updated_by TEXT NOT NULL,
        retired_at TEXT,
        PRIMARY KEY (org, playbook, type, name)
      );
      CREATE TABLE definition_versions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        type TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        event_id TEXT NOT NULL,
        saved_at TEXT NOT NULL,
        saved_by TEXT NOT NULL,
        document TEXT NOT NULL,
        PRIMARY KEY (org, playbook, type, name, version)
      );
      CREATE TABLE definition_references (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        from_type TEXT NOT NULL,
        from_name TEXT NOT NULL,
        to_type TEXT NOT NULL,
        to_name TEXT NOT NULL,
        use TEXT NOT NULL,
        PRIMARY KEY (org, playbook, from_type, from_name, to_type, to_name, use)
      );
      CREATE INDEX definition_references_by_target ON definition_references (org, playbook, to_type, to_name);`,
  },
];

/** Which definition: its playbook, type and name. */
export interface DefinitionKey extends PlaybookKey {
  type: DefinitionType;
  name: string;
}

/** A definition with one of its versions, as the read tables hold it. */
export interface DefinitionRow {
  type: DefinitionType;
  name: string;
  status: 'active' | 'retired';
  version: number;
  created_at: string;
  created_by: string;
  updated_at: string;
  updated_by: string;
  retired_at: string | null;
  /** The event that saved the version; it holds the source. */
  event_id: string;
  saved_at: string;
  saved_by: string;
  /** The contents of the version's document, as JSON text. */
  document: string;
}

const SELECT = `
  SELECT d.type, d.name, d.status, v.version, d.created_at, d.created_by, d.updated_at, d.updated_by, d.retired_at,
    v.event_id, v.saved_at, v.saved_by, v.document
  FROM definitions d JOIN definition_versions v
    ON v.org = d.org AND v.playbook = d.playbook AND v.type = d.type AND v.name = d.name`;

const keyValues = ({ org, playbook, type, name }: DefinitionKey): [string, string, string, string] => [
  org,
  playbook,
  type,
  name,
];

/** The named version, or the current one. */
export async function selectDefinition(
  tx: ReadTransaction,
  key: DefinitionKey,
  version?: number,
): Promise<DefinitionRow | undefined> {
  const where = `WHERE d.org = $1 AND d.playbook = $2 AND d.type = $3 AND d.name = $4`;
  return version === undefined
    ? tx.get(`${SELECT} ${where} AND v.version = d.version`, keyValues(key))
    : tx.get(`${SELECT} ${where} AND v.version = $5`, [...keyValues(key), version]);
}

type Current = Pick<DefinitionRow, 'status' | 'event_id'>;
const known = createMemory<Current>(1000);
const textOf = (key: DefinitionKey): string => keyValues(key).join('\0');

/** Undefined if it is not remembered. */
export function rememberedCurrent(tx: Remembering, key: DefinitionKey): Current | undefined {
  return known.get(tx, textOf(key));
}

/** The event that saved the current version, and whether the definition is active. */
export async function selectCurrent(tx: ReadTransaction, key: DefinitionKey): Promise<Current | undefined> {
  const remembered = rememberedCurrent(tx, key);
  if (remembered !== undefined) return remembered;
  const row = await tx.get<Current>(
    `SELECT status, version_event_id AS event_id FROM definitions
     WHERE org = $1 AND playbook = $2 AND type = $3 AND name = $4`,
    keyValues(key),
  );
  known.set(tx, textOf(key), row);
  return row;
}

/** Rows that are read in one part: their documents may be large. */
const READ_AT_ONCE = 20;

/** Every definition of a type, by name, a part at a time: other work runs between two parts, and no transaction is kept open. */
export async function* eachDefinition(
  store: Pick<Store, 'read'>,
  playbookKey: PlaybookKey,
  type: DefinitionType,
): AsyncGenerator<DefinitionRow> {
  const yieldIfLong = createYielder();
  const readBehind = (name: string): Promise<DefinitionRow[]> =>
    store.read((tx) =>
      tx.all<DefinitionRow>(
        `${SELECT} WHERE d.org = $1 AND d.playbook = $2 AND d.type = $3 AND d.name > $4 AND v.version = d.version
         ORDER BY d.name LIMIT $5`,
        [playbookKey.org, playbookKey.playbook, type, name, READ_AT_ONCE],
      ),
    );
  for (let after = ''; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- between two parts
    await yieldIfLong();
    // oxlint-disable-next-line no-await-in-loop -- a part is read when it is asked for
    const rows = await readBehind(after);
    for (const row of rows) {
      yield row;
      // oxlint-disable-next-line no-await-in-loop -- between two rows
      await yieldIfLong();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < READ_AT_ONCE) return;
    after = last.name;
  }
}

/** A definition without its contents. */
export interface CurrentDefinition {
  type: DefinitionType;
  name: string;
  status: 'active' | 'retired';
  /** The current version, and the event that saved it. */
  version: number;
  event_id: string;
}

/** Every definition of a playbook, by type and name. */
export async function selectAllCurrent(tx: ReadTransaction, playbookKey: PlaybookKey): Promise<CurrentDefinition[]> {
  const all = await tx.all<CurrentDefinition>(
    `SELECT type, name, status, version, version_event_id AS event_id FROM definitions
     WHERE org = $1 AND playbook = $2 ORDER BY name`,
    [playbookKey.org, playbookKey.playbook],
  );
  const rank = ({ type }: CurrentDefinition): number => DEFINITION_TYPES.indexOf(type);
  return all.map((one) => ({ ...one, version: Number(one.version) })).toSorted((a, b) => rank(a) - rank(b));
}

/** Which active definitions there are. */
export async function selectActiveNames(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
): Promise<{ type: DefinitionType; name: string }[]> {
  return tx.all(`SELECT type, name FROM definitions WHERE org = $1 AND playbook = $2 AND status = 'active'`, [
    playbookKey.org,
    playbookKey.playbook,
  ]);
}

/** Versions below `before`, newest first. */
export async function selectVersions(
  tx: ReadTransaction,
  key: DefinitionKey,
  before: number,
  limit: number,
): Promise<DefinitionRow[]> {
  return tx.all(
    `${SELECT} WHERE d.org = $1 AND d.playbook = $2 AND d.type = $3 AND d.name = $4 AND v.version < $5
     ORDER BY v.version DESC LIMIT $6`,
    [...keyValues(key), before, limit],
  );
}

export interface UsedBy {
  from_type: DefinitionType;
  from_name: string;
  use: string;
}

/** The active definitions of the playbook that use this one. */
export async function selectUsedBy(tx: ReadTransaction, key: DefinitionKey): Promise<UsedBy[]> {
  return tx.all(
    `SELECT r.from_type, r.from_name, r.use FROM definition_references r
     JOIN definitions d ON d.org = r.org AND d.playbook = r.playbook AND d.type = r.from_type AND d.name = r.from_name
     WHERE r.org = $1 AND r.playbook = $2 AND r.to_type = $3 AND r.to_name = $4 AND d.status = 'active'
     ORDER BY r.from_type, r.from_name, r.use`,
    keyValues(key),
  );
}

interface SavedVersion {
  version: number;
  /** The event that saved it. */
  eventId: string;
  at: string;
  by: string;
}

export async function insertDefinition(
  tx: WriteTransaction,
  key: DefinitionKey,
  { version, eventId, at, by }: SavedVersion,
): Promise<void> {
  await tx.run(
    `INSERT INTO definitions
       (org, playbook, type, name, status, version, version_event_id, created_at, created_by, updated_at, updated_by)
     VALUES ($1, $2, $3, $4, 'active', $5, $6, $7, $8, $7, $8)`,
    [...keyValues(key), version, eventId, at, by],
  );
}

export async function moveDefinition(
  tx: WriteTransaction,
  key: DefinitionKey,
  { version, eventId, at, by }: SavedVersion,
): Promise<void> {
  known.set(tx, textOf(key), undefined);
  await tx.run(
    `UPDATE definitions SET version = $5, version_event_id = $6, updated_at = $7, updated_by = $8
     WHERE org = $1 AND playbook = $2 AND type = $3 AND name = $4`,
    [...keyValues(key), version, eventId, at, by],
  );
}

export async function insertVersion(
  tx: WriteTransaction,
  key: DefinitionKey,
  { version, eventId, at, by }: SavedVersion,
  document: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO definition_versions (org, playbook, type, name, version, event_id, saved_at, saved_by, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [...keyValues(key), version, eventId, at, by, document],
  );
}

export async function replaceReferences(
  tx: WriteTransaction,
  key: DefinitionKey,
  references: readonly { type: string; name: string; use: string }[],
): Promise<void> {
  await tx.run(
    `DELETE FROM definition_references WHERE org = $1 AND playbook = $2 AND from_type = $3 AND from_name = $4`,
    keyValues(key),
  );
  for (const { type, name, use } of references) {
    await tx.run(
      `INSERT INTO definition_references (org, playbook, from_type, from_name, to_type, to_name, use)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [...keyValues(key), type, name, use],
    );
  }
}

export async function retireDefinitionRow(
  tx: WriteTransaction,
  key: DefinitionKey,
  at: string,
  by: string,
): Promise<void> {
  known.set(tx, textOf(key), undefined);
  await tx.run(
    `UPDATE definitions SET status = 'retired', retired_at = $5, updated_at = $5, updated_by = $6
     WHERE org = $1 AND playbook = $2 AND type = $3 AND name = $4`,
    [...keyValues(key), at, by],
  );
}

import type { RecallStanding } from '../../../shared/schemas/index.ts';
import type { Migration, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';

export const viewMigrations: readonly Migration[] = [
  {
    id: 'views/1',
    sql: `
      CREATE TABLE views (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        reads TEXT NOT NULL,
        target BIGINT NOT NULL,
        checkpoint BIGINT NOT NULL,
        folded BIGINT NOT NULL,
        state TEXT NOT NULL,
        at TEXT NOT NULL,
        stalled TEXT,
        PRIMARY KEY (org, playbook, name)
      );
      CREATE TABLE view_counts (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        active BIGINT NOT NULL,
        PRIMARY KEY (org, playbook)
      );`,
  },
  {
    id: 'views/2',
    sql: `
      CREATE TABLE view_leases (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        holder TEXT NOT NULL,
        PRIMARY KEY (org, playbook, name)
      );`,
  },
];

/** Which view: one of each active recall function. */
export interface ViewKey extends PlaybookKey {
  name: string;
}

/** A view as it is stored: its state and how far it has read are written together, always. */
export interface ViewRow {
  /** The version of the function that keeps it. */
  version: number;
  /** The version's filters, as JSON text. */
  reads: string;
  /** Where the order of reading ended when the version was saved: up to there the view is being built. */
  target: number;
  /** The position in the order of reading up to which the state holds everything. */
  checkpoint: number;
  /** Events that are in the state. */
  folded: number;
  /** JSON text; empty before the first event: then it is the program's `initial`. */
  state: string;
  /** When the state was stored. */
  at: string;
  /** What stalled it, as JSON text. */
  stalled: string | null;
}

/** What stalled a view, in its row. */
export type StalledBy = NonNullable<RecallStanding['stalled_by']>;

const KEY = 'org = $1 AND playbook = $2 AND name = $3';
const keyOf = ({ org, playbook, name }: ViewKey): [string, string, string] => [org, playbook, name];

export async function selectView(tx: ReadTransaction, key: ViewKey): Promise<ViewRow | undefined> {
  const row = await tx.get<ViewRow>(
    `SELECT version, reads, target, checkpoint, folded, state, at, stalled FROM views WHERE ${KEY}`,
    keyOf(key),
  );
  return (
    row && {
      ...row,
      version: Number(row.version),
      target: Number(row.target),
      checkpoint: Number(row.checkpoint),
      folded: Number(row.folded),
    }
  );
}

/** The views of a playbook. */
export async function selectViewKeysIn(tx: ReadTransaction, { org, playbook }: PlaybookKey): Promise<ViewKey[]> {
  return tx.all('SELECT org, playbook, name FROM views WHERE org = $1 AND playbook = $2 ORDER BY name', [
    org,
    playbook,
  ]);
}

export async function selectViewKeys(tx: ReadTransaction): Promise<ViewKey[]> {
  return tx.all('SELECT org, playbook, name FROM views ORDER BY org, playbook, name');
}

/** Begins the view of a version; the view of the version before it is dropped. */
export async function beginView(
  tx: WriteTransaction,
  key: ViewKey,
  { version, reads, target, at }: Pick<ViewRow, 'version' | 'reads' | 'target' | 'at'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO views (org, playbook, name, version, reads, target, checkpoint, folded, state, at)
     VALUES ($1, $2, $3, $4, $5, $6, 0, 0, '', $7)
     ON CONFLICT (org, playbook, name) DO UPDATE SET version = $4, reads = $5, target = $6, checkpoint = 0, folded = 0,
       state = '', at = $7, stalled = NULL`,
    [...keyOf(key), version, reads, target, at],
  );
}

/** Stores how far a view has come; false where it is not the one that was read, so that nothing is stored. */
export async function advanceView(
  tx: WriteTransaction,
  key: ViewKey,
  before: Pick<ViewRow, 'version' | 'checkpoint'>,
  after: Pick<ViewRow, 'checkpoint' | 'folded' | 'state' | 'at' | 'stalled'>,
): Promise<boolean> {
  const advanced = await tx.get(
    `UPDATE views SET checkpoint = $6, folded = $7, state = $8, at = $9, stalled = $10
     WHERE ${KEY} AND version = $4 AND checkpoint = $5 AND stalled IS NULL RETURNING version`,
    [
      ...keyOf(key),
      before.version,
      before.checkpoint,
      after.checkpoint,
      after.folded,
      after.state,
      after.at,
      after.stalled,
    ],
  );
  return advanced !== undefined;
}

export async function deleteView(tx: WriteTransaction, key: ViewKey): Promise<void> {
  await tx.run(`DELETE FROM views WHERE ${KEY}`, keyOf(key));
}

/** Counts a playbook's active recall functions up or down; answers how many there are then. */
export async function countViews(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  change: 1 | -1,
): Promise<number> {
  const row = await tx.get<{ active: number | string }>(
    `INSERT INTO view_counts (org, playbook, active) VALUES ($1, $2, $3)
     ON CONFLICT (org, playbook) DO UPDATE SET active = view_counts.active + $3 RETURNING active`,
    [org, playbook, change],
  );
  return Number(row?.active);
}

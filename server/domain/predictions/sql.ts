import type { Migration, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import { pendingMigrations } from './pending-sql.ts';

export const predictionMigrations: readonly Migration[] = [
  {
    id: 'predictions/1',
    sql: `
      CREATE TABLE prediction_counts (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        active BIGINT NOT NULL,
        PRIMARY KEY (org, playbook)
      );`,
  },
  {
    id: 'predictions/2',
    sql: `
      CREATE TABLE datasets (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        dataset TEXT NOT NULL,
        number BIGINT NOT NULL,
        upload TEXT NOT NULL,
        summary TEXT NOT NULL,
        at TEXT NOT NULL,
        by TEXT NOT NULL,
        PRIMARY KEY (org, playbook, dataset)
      );
      CREATE UNIQUE INDEX datasets_by_number ON datasets (org, playbook, number);
      CREATE TABLE upload_pieces (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        upload TEXT NOT NULL,
        place BIGINT NOT NULL,
        content BYTEA NOT NULL,
        PRIMARY KEY (org, playbook, upload, place)
      );
      CREATE TABLE unfinished_uploads (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        upload TEXT NOT NULL,
        PRIMARY KEY (org, playbook, upload)
      );`,
  },
  {
    id: 'predictions/3',
    sql: `
      CREATE TABLE prediction_builds (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        name TEXT NOT NULL,
        day TEXT NOT NULL,
        dataset TEXT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      );
      CREATE INDEX prediction_builds_by_day ON prediction_builds (org, playbook, name, day);
      CREATE TABLE build_candidates (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        candidate TEXT NOT NULL,
        bytes BIGINT NOT NULL,
        opset BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id, candidate)
      );
      CREATE TABLE model_files (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        candidate TEXT NOT NULL,
        upload TEXT NOT NULL,
        PRIMARY KEY (org, playbook, candidate)
      );
      CREATE TABLE model_versions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        run_id TEXT NOT NULL,
        candidate TEXT NOT NULL,
        details TEXT NOT NULL,
        PRIMARY KEY (org, playbook, name, version)
      );
      CREATE UNIQUE INDEX model_versions_by_run ON model_versions (org, playbook, run_id);
      CREATE TABLE built_versions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, name, version)
      );
      CREATE TABLE active_versions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        rule TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (org, playbook, name)
      );`,
  },
  ...pendingMigrations,
  {
    id: 'predictions/6',
    sql: `
      CREATE TABLE build_refusals (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        refused BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      );`,
  },
];

/** Counts a playbook's active prediction functions up or down; answers how many there are then. */
export async function countFunctions(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  change: 1 | -1,
): Promise<number> {
  const row = await tx.get<{ active: number | string }>(
    `INSERT INTO prediction_counts (org, playbook, active) VALUES ($1, $2, $3)
     ON CONFLICT (org, playbook) DO UPDATE SET active = prediction_counts.active + $3 RETURNING active`,
    [org, playbook, change],
  );
  return Number(row?.active);
}

export interface DatasetRow {
  /** SHA-256 of the file. */
  dataset: string;
  /** The upload that holds the file's pieces. */
  upload: string;
  /** What `upload_dataset` reports, as JSON text. */
  summary: string;
}

/** A dataset with its number among those of its playbook. */
export interface StoredDatasetRow extends DatasetRow {
  number: number;
  /** When it was stored. */
  at: string;
}

export async function selectDataset(
  tx: ReadTransaction,
  { org, playbook }: PlaybookKey,
  dataset: string,
): Promise<DatasetRow | undefined> {
  return tx.get('SELECT dataset, upload, summary FROM datasets WHERE org = $1 AND playbook = $2 AND dataset = $3', [
    org,
    playbook,
    dataset,
  ]);
}

/** Datasets of a playbook, newest first. @param before the number of the last one that was read */
export async function selectDatasets(
  tx: ReadTransaction,
  { org, playbook }: PlaybookKey,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before: number | undefined; limit: number },
): Promise<StoredDatasetRow[]> {
  const rows = await tx.all<StoredDatasetRow>(
    `SELECT dataset, number, upload, summary, at FROM datasets
     WHERE org = $1 AND playbook = $2 AND number < $3 ORDER BY number DESC LIMIT $4`,
    [org, playbook, before, limit],
  );
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}

/** Stores a dataset as the newest of its playbook. */
export async function insertDataset(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  { dataset, upload, summary }: DatasetRow,
  { at, by }: { at: string; by: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO datasets (org, playbook, dataset, number, upload, summary, at, by)
     SELECT $1, $2, $3, COALESCE(MAX(number), 0) + 1, $4, $5, $6, $7 FROM datasets WHERE org = $1 AND playbook = $2`,
    [org, playbook, dataset, upload, summary, at, by],
  );
}

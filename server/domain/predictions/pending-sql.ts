// Rows of versions that wait for their shadow evaluation or their approval. What waits is folded from events; the
// approvals that were asked for and the predictions of a shadow are records of their own.
import type { Migration, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import type { FunctionKey } from './models-sql.ts';

export const pendingMigrations: readonly Migration[] = [
  {
    id: 'predictions/4',
    sql: `
      CREATE TABLE pending_versions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        waits_for TEXT NOT NULL,
        since TEXT NOT NULL,
        shadow TEXT,
        PRIMARY KEY (org, playbook, name)
      );
      CREATE TABLE asked_approvals (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        run_id TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        PRIMARY KEY (org, playbook, run_id)
      );
      CREATE INDEX asked_approvals_by_function ON asked_approvals (org, playbook, name);
      CREATE TABLE shadow_predictions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        dataset TEXT NOT NULL,
        block BIGINT NOT NULL,
        series TEXT NOT NULL,
        levels BYTEA NOT NULL,
        output BYTEA NOT NULL,
        active_output BYTEA,
        PRIMARY KEY (org, playbook, name, version, dataset, block)
      );`,
  },
  {
    id: 'predictions/5',
    sql: `
      CREATE TABLE ended_waits (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        version BIGINT NOT NULL,
        because TEXT NOT NULL,
        newer BIGINT,
        PRIMARY KEY (org, playbook, name, version)
      );`,
  },
];

const PLACE = 'org = $1 AND playbook = $2';
const FUNCTION = `${PLACE} AND name = $3`;
const functionOf = ({ org, playbook, name }: FunctionKey): [string, string, string] => [org, playbook, name];

/** How far a shadow evaluation is. */
export interface ShadowProgress {
  /** The active version that it is compared with. */
  activeVersion: number;
  /** The dataset from which both predicted, its last period, and how many periods had been graded then. */
  from: { dataset: string; origin: string; periods: number };
  /** The dataset that was used last, for predictions or grades, and the last period that was graded. */
  dataset: string;
  until: string;
  periods: number;
  values: number;
  score: number | null;
  activeScore: number | null;
}

export interface PendingVersion {
  version: number;
  for: 'shadow' | 'approval';
  since: string;
  /** Null before the first predictions. */
  shadow: ShadowProgress | null;
}

export async function selectPending(tx: ReadTransaction, key: FunctionKey): Promise<PendingVersion | undefined> {
  const row = await tx.get<{ version: number | string; waits_for: string; since: string; shadow: string | null }>(
    `SELECT version, waits_for, since, shadow FROM pending_versions WHERE ${FUNCTION}`,
    functionOf(key),
  );
  return (
    row && {
      version: Number(row.version),
      for: row.waits_for as PendingVersion['for'],
      since: row.since,
      shadow: row.shadow === null ? null : (JSON.parse(row.shadow) as ShadowProgress),
    }
  );
}

/** A function has one pending version at most: a newer one takes its place. */
export async function putPending(tx: WriteTransaction, key: FunctionKey, pending: PendingVersion): Promise<void> {
  await tx.run(
    `INSERT INTO pending_versions (org, playbook, name, version, waits_for, since, shadow)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (org, playbook, name) DO UPDATE SET version = excluded.version, waits_for = excluded.waits_for,
       since = excluded.since, shadow = excluded.shadow`,
    [
      ...functionOf(key),
      pending.version,
      pending.for,
      pending.since,
      pending.shadow === null ? null : JSON.stringify(pending.shadow),
    ],
  );
}

export async function deletePending(tx: WriteTransaction, key: FunctionKey): Promise<void> {
  await tx.run(`DELETE FROM pending_versions WHERE ${FUNCTION}`, functionOf(key));
}

/** Why a version waits no longer although nothing was decided about it; to be recorded. */
export interface EndedWait {
  version: number;
  because: 'superseded' | 'retired';
  /** The newer version that replaced it. */
  newer: number | null;
}

export async function insertEndedWait(tx: WriteTransaction, key: FunctionKey, wait: EndedWait): Promise<void> {
  await tx.run(
    `INSERT INTO ended_waits (org, playbook, name, version, because, newer) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org, playbook, name, version) DO NOTHING`,
    [...functionOf(key), wait.version, wait.because, wait.newer],
  );
}

export async function selectEndedWaits(tx: ReadTransaction, key: FunctionKey): Promise<EndedWait[]> {
  const rows = await tx.all<EndedWait>(
    `SELECT version, because, newer FROM ended_waits WHERE ${FUNCTION} ORDER BY version`,
    functionOf(key),
  );
  return rows.map(({ version, because, newer }) => ({
    version: Number(version),
    because,
    newer: newer === null ? null : Number(newer),
  }));
}

export async function deleteEndedWait(tx: WriteTransaction, key: FunctionKey, version: number): Promise<void> {
  await tx.run(`DELETE FROM ended_waits WHERE ${FUNCTION} AND version = $4`, [...functionOf(key), version]);
}

/** The functions of a playbook with a version that waits for its shadow evaluation. */
export async function selectShadowed(tx: ReadTransaction, { org, playbook }: PlaybookKey): Promise<FunctionKey[]> {
  return tx.all(`SELECT org, playbook, name FROM pending_versions WHERE ${PLACE} AND waits_for = 'shadow'`, [
    org,
    playbook,
  ]);
}

/** The functions of all playbooks for which something is to be done. */
export async function selectAllPending(tx: ReadTransaction): Promise<FunctionKey[]> {
  return tx.all('SELECT org, playbook, name FROM pending_versions UNION SELECT org, playbook, name FROM ended_waits');
}

/** The interaction run that was asked to approve a version. */
export interface AskedApproval {
  run_id: string;
  name: string;
  version: number;
}

export async function insertApproval(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  asked: AskedApproval,
): Promise<void> {
  await tx.run('INSERT INTO asked_approvals (org, playbook, run_id, name, version) VALUES ($1, $2, $3, $4, $5)', [
    playbookKey.org,
    playbookKey.playbook,
    asked.run_id,
    asked.name,
    asked.version,
  ]);
}

/** The approvals of a function that have not been given or refused. */
export async function selectApprovals(tx: ReadTransaction, key: FunctionKey): Promise<AskedApproval[]> {
  const rows = await tx.all<AskedApproval>(
    `SELECT run_id, name, version FROM asked_approvals WHERE ${FUNCTION}`,
    functionOf(key),
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

/** Takes the approval away that a run was asked for, and answers it. */
export async function takeApproval(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  runId: string,
): Promise<AskedApproval | undefined> {
  const row = await tx.get<AskedApproval>(
    `DELETE FROM asked_approvals WHERE ${PLACE} AND run_id = $3 RETURNING run_id, name, version`,
    [org, playbook, runId],
  );
  return row && { ...row, version: Number(row.version) };
}

/** The predictions of one shadow: of a version, from a dataset. */
export interface ShadowKey extends FunctionKey {
  version: number;
  dataset: string;
}

/** Predictions of some series: what the models returned, and the levels by which it is scaled. */
export interface PredictionBlock {
  /** The names of the series, as a JSON text. */
  series: string;
  /** Float64: mean and scale of each series. */
  levels: Buffer;
  /** Float32: [series, horizon, 3]. */
  output: Buffer;
  /** The same of the active version; null where it could not predict. */
  active_output: Buffer | null;
}

const SHADOW = `${FUNCTION} AND version = $4 AND dataset = $5`;
const shadowOf = (key: ShadowKey): [string, string, string, number, string] => [
  ...functionOf(key),
  key.version,
  key.dataset,
];

export async function putBlock(
  tx: WriteTransaction,
  key: ShadowKey,
  number: number,
  { series, levels, output }: Omit<PredictionBlock, 'active_output'>,
): Promise<void> {
  // What an evaluation that broke off left behind is overwritten.
  await tx.run(
    `INSERT INTO shadow_predictions (org, playbook, name, version, dataset, block, series, levels, output)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (org, playbook, name, version, dataset, block) DO UPDATE SET series = excluded.series,
       levels = excluded.levels, output = excluded.output, active_output = NULL`,
    [...shadowOf(key), number, series, levels, output],
  );
}

export async function putActiveOutput(
  tx: WriteTransaction,
  key: ShadowKey,
  number: number,
  output: Buffer | null,
): Promise<void> {
  await tx.run(`UPDATE shadow_predictions SET active_output = $7 WHERE ${SHADOW} AND block = $6`, [
    ...shadowOf(key),
    number,
    output,
  ]);
}

export async function selectBlock(
  tx: ReadTransaction,
  key: ShadowKey,
  number: number,
): Promise<PredictionBlock | undefined> {
  return tx.get(`SELECT series, levels, output, active_output FROM shadow_predictions WHERE ${SHADOW} AND block = $6`, [
    ...shadowOf(key),
    number,
  ]);
}

/** Removes some of the predictions that are not those of `kept`. Answers how many blocks those were. */
export async function deleteBlocks(
  tx: WriteTransaction,
  key: FunctionKey,
  kept: Pick<ShadowKey, 'version' | 'dataset'> | undefined,
  most: number,
): Promise<number> {
  const deleted = await tx.all(
    `DELETE FROM shadow_predictions WHERE ${FUNCTION} AND (version, dataset, block) IN (
       SELECT version, dataset, block FROM shadow_predictions
       WHERE ${FUNCTION} AND NOT (version = $4 AND dataset = $5) LIMIT $6)
     RETURNING block`,
    [...functionOf(key), kept?.version ?? 0, kept?.dataset ?? '', most],
  );
  return deleted.length;
}

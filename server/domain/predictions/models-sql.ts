// Rows of builds, candidates and model versions. A file and what a version was built with are records of their own; the
// other tables are folded from events.
import type { PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';

/** A prediction function. */
export interface FunctionKey extends PlaybookKey {
  name: string;
}

/** A run. */
export interface BuildKey extends PlaybookKey {
  runId: string;
}

const PLACE = 'org = $1 AND playbook = $2';
const buildOf = ({ org, playbook, runId }: BuildKey): [string, string, string] => [org, playbook, runId];
const functionOf = ({ org, playbook, name }: FunctionKey): [string, string, string] => [org, playbook, name];

export async function putBuild(
  tx: WriteTransaction,
  key: BuildKey,
  build: { name: string; day: string; dataset: string },
): Promise<void> {
  // All attempts of a run are the same build.
  await tx.run(
    `INSERT INTO prediction_builds (org, playbook, run_id, name, day, dataset) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org, playbook, run_id) DO UPDATE SET dataset = excluded.dataset`,
    [...buildOf(key), build.name, build.day, build.dataset],
  );
}

export async function selectBuild(
  tx: ReadTransaction,
  key: BuildKey,
): Promise<{ name: string; dataset: string } | undefined> {
  return tx.get(`SELECT name, dataset FROM prediction_builds WHERE ${PLACE} AND run_id = $3`, buildOf(key));
}

/** How many builds of a function started on a day, not counting this run. */
export async function countBuilds(
  tx: ReadTransaction,
  key: FunctionKey,
  day: string,
  exceptRunId = '',
): Promise<number> {
  const row = await tx.get<{ started: number | string }>(
    `SELECT COUNT(*) AS started FROM prediction_builds WHERE ${PLACE} AND name = $3 AND day = $4 AND run_id <> $5`,
    [...functionOf(key), day, exceptRunId],
  );
  return Number(row?.started ?? 0);
}

export interface CandidateRow {
  candidate: string;
  bytes: number;
  opset: number;
}

export async function insertCandidate(tx: WriteTransaction, key: BuildKey, row: CandidateRow): Promise<void> {
  await tx.run(
    `INSERT INTO build_candidates (org, playbook, run_id, candidate, bytes, opset) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org, playbook, run_id, candidate) DO NOTHING`,
    [...buildOf(key), row.candidate, row.bytes, row.opset],
  );
}

export async function selectCandidates(tx: ReadTransaction, key: BuildKey): Promise<CandidateRow[]> {
  const rows = await tx.all<CandidateRow>(
    `SELECT candidate, bytes, opset FROM build_candidates WHERE ${PLACE} AND run_id = $3 ORDER BY candidate`,
    buildOf(key),
  );
  return rows.map(({ candidate, bytes, opset }) => ({ candidate, bytes: Number(bytes), opset: Number(opset) }));
}

/** Counts a candidate that a build refused. */
export async function countRefusal(tx: WriteTransaction, key: BuildKey): Promise<void> {
  await tx.run(
    `INSERT INTO build_refusals (org, playbook, run_id, refused) VALUES ($1, $2, $3, 1)
     ON CONFLICT (org, playbook, run_id) DO UPDATE SET refused = build_refusals.refused + 1`,
    buildOf(key),
  );
}

/** How many refused candidates a build has recorded. */
export async function selectRefusals(tx: ReadTransaction, key: BuildKey): Promise<number> {
  const row = await tx.get<{ refused: number | string }>(
    `SELECT refused FROM build_refusals WHERE ${PLACE} AND run_id = $3`,
    buildOf(key),
  );
  return Number(row?.refused ?? 0);
}

/** The upload that holds a model's file. */
export async function selectModelFile(
  tx: ReadTransaction,
  { org, playbook }: PlaybookKey,
  candidate: string,
): Promise<string | undefined> {
  const row = await tx.get<{ upload: string }>(`SELECT upload FROM model_files WHERE ${PLACE} AND candidate = $3`, [
    org,
    playbook,
    candidate,
  ]);
  return row?.upload;
}

export async function insertModelFile(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  file: { candidate: string; upload: string },
): Promise<void> {
  await tx.run('INSERT INTO model_files (org, playbook, candidate, upload) VALUES ($1, $2, $3, $4)', [
    org,
    playbook,
    file.candidate,
    file.upload,
  ]);
}

export interface VersionRow {
  version: number;
  /** The build that made it. */
  run_id: string;
  candidate: string;
  /** `VersionDetails` as JSON text. */
  details: string;
}

/** Gives a build its version, the next one of its function; the same build again gets the same. */
export async function allocateVersion(
  tx: WriteTransaction,
  key: FunctionKey,
  { run_id, candidate, details }: Omit<VersionRow, 'version'>,
): Promise<number> {
  const row = await tx.get<{ version: number | string }>(
    `INSERT INTO model_versions (org, playbook, name, version, run_id, candidate, details)
     SELECT $1, $2, $3, COALESCE(MAX(version), 0) + 1, $4, $5, $6 FROM model_versions WHERE ${PLACE} AND name = $3
     ON CONFLICT (org, playbook, run_id) DO UPDATE SET candidate = excluded.candidate, details = excluded.details
     RETURNING version`,
    [...functionOf(key), run_id, candidate, details],
  );
  return Number(row?.version);
}

/** The versions that builds got and have not recorded. */
export async function selectUnbuilt(
  tx: ReadTransaction,
  key: FunctionKey,
): Promise<Pick<VersionRow, 'version' | 'run_id'>[]> {
  const rows = await tx.all<Pick<VersionRow, 'version' | 'run_id'>>(
    `SELECT v.version, v.run_id FROM model_versions v
     LEFT JOIN built_versions b ON b.org = v.org AND b.playbook = v.playbook AND b.name = v.name AND b.version = v.version
     WHERE v.org = $1 AND v.playbook = $2 AND v.name = $3 AND b.version IS NULL ORDER BY v.version`,
    functionOf(key),
  );
  return rows.map(({ version, run_id }) => ({ version: Number(version), run_id }));
}

/** Gives a build the version that another one got. */
export async function passVersionOn(
  tx: WriteTransaction,
  key: FunctionKey,
  { version, run_id, candidate, details }: VersionRow,
): Promise<void> {
  await tx.run(
    `UPDATE model_versions SET run_id = $5, candidate = $6, details = $7 WHERE ${PLACE} AND name = $3 AND version = $4`,
    [...functionOf(key), version, run_id, candidate, details],
  );
}

/** A version whose build has recorded it. */
export async function selectVersion(
  tx: ReadTransaction,
  key: FunctionKey,
  version: number,
): Promise<VersionRow | undefined> {
  const row = await tx.get<VersionRow>(
    `SELECT v.version, v.run_id, v.candidate, v.details FROM model_versions v
     JOIN built_versions b ON b.org = v.org AND b.playbook = v.playbook AND b.name = v.name AND b.version = v.version
     WHERE v.org = $1 AND v.playbook = $2 AND v.name = $3 AND v.version = $4`,
    [...functionOf(key), version],
  );
  return row && { ...row, version: Number(row.version) };
}

/** The versions of a function whose builds have recorded them, newest first. @param before the last one of the previous page */
export async function selectVersions(
  tx: ReadTransaction,
  key: FunctionKey,
  before: number | undefined,
  limit: number,
): Promise<VersionRow[]> {
  const rows = await tx.all<VersionRow>(
    `SELECT v.version, v.run_id, v.candidate, v.details FROM model_versions v
     JOIN built_versions b ON b.org = v.org AND b.playbook = v.playbook AND b.name = v.name AND b.version = v.version
     WHERE v.org = $1 AND v.playbook = $2 AND v.name = $3 AND v.version < $4 ORDER BY v.version DESC LIMIT $5`,
    [...functionOf(key), before ?? Number.MAX_SAFE_INTEGER, limit],
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

export async function putBuiltVersion(tx: WriteTransaction, key: FunctionKey, version: number): Promise<void> {
  await tx.run(
    `INSERT INTO built_versions (org, playbook, name, version) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [...functionOf(key), version],
  );
}

export interface ActiveRow {
  version: number;
  rule: 'gate' | 'approval' | 'shadow' | 'caller';
  at: string;
}

export async function putActive(tx: WriteTransaction, key: FunctionKey, active: ActiveRow): Promise<void> {
  await tx.run(
    `INSERT INTO active_versions (org, playbook, name, version, rule, at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org, playbook, name)
     DO UPDATE SET version = excluded.version, rule = excluded.rule, at = excluded.at`,
    [...functionOf(key), active.version, active.rule, active.at],
  );
}

export async function selectActive(tx: ReadTransaction, key: FunctionKey): Promise<ActiveRow | undefined> {
  const row = await tx.get<ActiveRow>(
    `SELECT version, rule, at FROM active_versions WHERE ${PLACE} AND name = $3`,
    functionOf(key),
  );
  return row && { ...row, version: Number(row.version) };
}

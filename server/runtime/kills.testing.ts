// What tests that kill the server share: the choice of moments, and checks of the store that is left.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import Database from 'better-sqlite3';
import { SERVER_PROGRAM } from '../test/index.ts';

/** A small generator (mulberry32), so that a failing run can be repeated with its seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** For reading only, also while a server uses it. The caller closes it. */
export function openStore(dataDir: string): Database.Database {
  return new Database(path.join(dataDir, 'cuebook.db'), { readonly: true });
}

/** The streams and playbooks whose positions are not 1, 2, 3, ... */
export function gapsIn(database: Database.Database): unknown[] {
  return [
    ...database
      .prepare(
        'SELECT stream, MAX(position) AS last, COUNT(*) AS count FROM events GROUP BY org, playbook, stream HAVING last <> count',
      )
      .all(),
    ...database
      .prepare(
        'SELECT MAX(read_position) AS last, COUNT(read_position) AS count FROM events GROUP BY org, playbook HAVING last <> count',
      )
      .all(),
  ];
}

/** The rows of tables as JSON, by table. */
export function rowsOf(database: Database.Database, tables: readonly string[]): Record<string, string[]> {
  const rows = (table: string): string[] =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted();
  return Object.fromEntries(tables.map((table) => [table, rows(table)]));
}

/** Rebuilds the read tables of a stopped server from the log. @returns what went wrong, or nothing */
export function rebuild(dataDir: string): string {
  const { status, stderr } = spawnSync(process.execPath, [
    SERVER_PROGRAM,
    'doctor',
    '--rebuild',
    '--data-dir',
    dataDir,
  ]);
  return status === 0 ? '' : stderr.toString();
}

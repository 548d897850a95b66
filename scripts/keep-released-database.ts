// Keeps the database of this version, for the test that later versions upgrade it (server/runtime/released-databases.test.ts). Run it once
// for each release, before the version changes: node bin/launch.js scripts/keep-released-database.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { startServerProcess, temporaryFolder } from '../server/test/index.ts';
import { createClient } from '../server/interfaces/cli/client.ts';
import { MANIFEST } from './installed-packages.ts';

const PLAYBOOK = 'wildlife-strikes';
const FOLDER = fileURLToPath(new URL('../server/test/released/', import.meta.url));

const data = temporaryFolder();
const server = await startServerProcess(data.path, { args: ['--sample'] });
const client = createClient(server.address, undefined);
const report = { id: 'WS-1', phase: 'Climb', size: 'Large', damage: 'Substantial' };
const at = { playbook: PLAYBOOK } as const;
const { id: _, ...strike } = report;
await client.call('run_definition', {
  ...at,
  type: 'computation',
  name: 'triage-score',
  run_id: '01900000-0000-7000-8000-000000000001',
  input: strike,
});
// Waits for an answer.
await client.call('run_definition', {
  ...at,
  type: 'workflow',
  name: 'inspect-aircraft',
  run_id: '01900000-0000-7000-8000-000000000002',
  input: report,
});
await client.call('publish_event', {
  ...at,
  event: {
    source: '/tower',
    type: 'report.received',
    data: { ...report, id: 'WS-2', received_at: '2026-03-02T09:00:00Z' },
  },
});
// Its view contains the event.
await client.call('run_definition', { ...at, type: 'recall', name: 'open-reports', input: {} });
await server.end('SIGTERM');

const file = path.join(data.path, 'cuebook.db');
const database = new Database(file);
database.pragma('journal_mode = DELETE');
database.exec('VACUUM');
database.close();
mkdirSync(FOLDER, { recursive: true });
writeFileSync(path.join(FOLDER, `${MANIFEST.version}.db.gz`), gzipSync(readFileSync(file), { level: 9 }));
data.remove();

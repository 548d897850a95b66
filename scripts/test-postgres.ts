// Runs the tests of the stores, and of what stands on one, against a PostgreSQL that it starts in a temporary folder:
// node scripts/test-postgres.ts [--short] [vitest's arguments]. `--short` runs the contract of the store and real servers
// on PostgreSQL, in less than a minute. Where there is no PostgreSQL it says so and succeeds.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findPostgres } from '../server/test/postgres/programs.ts';
import { type PostgresServer, startPostgres } from '../server/test/postgres/start-postgres.ts';
import { FOR_WATCHING } from '../server/test/postgres/watch-writes.ts';
import { buildServer } from './builds.ts';
import { memoryFolder } from './memory-folder.ts';

/** Folders; whatever tests they get are included. What is about SQLite's own files is excluded in vitest.config.ts. */
const ON_THE_STORE = [
  'server/kernel/log/',
  'server/kernel/tasks/',
  'server/domain/runs/',
  'server/domain/views/',
  'server/domain/interactions/',
  'server/domain/triggers/',
  'server/domain/connections/',
  'server/domain/examples/',
  'server/domain/explanations/',
  'server/kinds/workflow/rerun/',
  'server/interfaces/cli/rerun.test.ts',
];
const SHORT = ['server/kernel/log/postgres/', 'server/runtime/postgres', 'server/test/postgres/'];
const LONG = [...ON_THE_STORE, 'server/runtime/postgres', 'server/test/postgres/'];

/** Each test's store has connections of its own. What a process committed survives its end without `fsync`. */
const FOR_TESTS = ['max_connections=500', 'fsync=off', 'full_page_writes=off', ...FOR_WATCHING];

async function runTests(server: PostgresServer, programs: string, chosen: readonly string[]): Promise<number> {
  const program = await buildServer();
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'postgres', ...chosen];
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: {
      ...memoryFolder(),
      ...process.env,
      CUEBOOK_PROGRAM: program,
      POSTGRES_FOR_TESTS: server.url,
      POSTGRES_PROGRAMS: programs,
    },
  });
  return status ?? 1;
}

const args = process.argv.slice(2);
const isShort = args[0] === '--short';
const rest = isShort ? args.slice(1) : args;
const chosen = rest.some((argument) => !argument.startsWith('-')) ? rest : [...(isShort ? SHORT : LONG), ...rest];
const programs = await findPostgres().catch((error: unknown) => {
  console.log(`${error instanceof Error ? error.message : String(error)} The tests on PostgreSQL are skipped.`);
});
if (programs !== undefined) {
  const folder = mkdtempSync(path.join(memoryFolder().TMPDIR ?? os.tmpdir(), 'cuebook-postgres-'));
  chmodSync(folder, 0o755);
  try {
    const server = await startPostgres(programs, folder, FOR_TESTS);
    try {
      process.exitCode = await runTests(server, programs, chosen);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

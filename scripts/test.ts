// Runs the tests: node scripts/test.ts [--kills] [vitest's arguments]. The server is bundled first if needed, because tests
// start it as a process, and half of a start from the sources is loading them. Vitest alone, as in watch mode, starts the
// sources. Temporary files are in memory where possible. `--kills` runs the long form of the tests that kill the server, on
// disk; docs/durability.md names the numbers.
import { spawnSync } from 'node:child_process';
import { buildServer } from './builds.ts';
import { memoryFolder } from './memory-folder.ts';

const LONG_FORM = { CRASH_KILLS: '50', TOOL_KILLS: '201', BUILD_KILLS: '60', DURABILITY_CASES: '1500' };
const KILLS = [
  'server/runtime/crash.test.ts',
  'server/runtime/tool-kills.test.ts',
  'server/runtime/build-kills.test.ts',
  'server/runtime/durability.test.ts',
];

const args = process.argv.slice(2);
const isLong = args[0] === '--kills';
const chosen = isLong ? [...KILLS, ...args.slice(1)] : args;
const program = await buildServer();
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
  stdio: 'inherit',
  env: { ...(isLong ? LONG_FORM : memoryFolder()), ...process.env, CUEBOOK_PROGRAM: program },
});
process.exitCode = status ?? 1;

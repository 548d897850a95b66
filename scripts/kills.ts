// The long form of the tests that kill the server; `npm test` runs a short form. docs/durability.md names the numbers.
import { spawnSync } from 'node:child_process';

const LONG_FORM = { CRASH_KILLS: '50', TOOL_KILLS: '201', DURABILITY_CASES: '1500' };
const TESTS = ['server/crash.test.ts', 'server/tool-kills.test.ts', 'server/durability.test.ts'];

const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...TESTS], {
  stdio: 'inherit',
  env: { ...LONG_FORM, ...process.env },
});
process.exitCode = status ?? 1;

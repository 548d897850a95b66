// Bundles the server if needed, then runs the tests, which start the bundle: half of a start from the sources is loading
// them. Vitest alone, as in watch mode, starts the sources.
import { spawnSync } from 'node:child_process';
import { buildServer } from './builds.ts';

const program = await buildServer();
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CUEBOOK_PROGRAM: program },
});
process.exitCode = status ?? 1;

// Tests what users install, as they do, in empty folders and an empty home: the npm package with this Node and the oldest one that
// it supports, the .mcpb bundle, and the unpacked app. npm run test:installed; npm test and npm run e2e run the same tests.
import { spawnSync } from 'node:child_process';
import { buildServer } from './builds.ts';
import { findOlderNode } from './older-node.ts';

const RUNS = [['--mode', 'e2e', 'e2e/npm-package.e2e.ts', 'e2e/desktop-package.e2e.ts'], ['scripts/mcpb']];

await buildServer();
const older = await findOlderNode();
const codes = RUNS.map((chosen) => {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
    stdio: 'inherit',
    env: { ...process.env, CUEBOOK_NODES: process.env['CUEBOOK_NODES'] ?? older ?? '' },
  });
  return status ?? 1;
});
process.exitCode = Math.max(...codes);

// Static checks: format, types, lint, boundaries, unused code.
import { spawnSync } from 'node:child_process';

const CHECKS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '-b', 'shared', 'renderer', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--max-warnings', '0']],
  [
    'boundaries',
    [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'server',
      'shared',
      'renderer',
      'electron',
    ],
  ],
  ['unused', ['node_modules/knip/bin/knip.js']],
];

const failed: string[] = [];
for (const [name, command] of CHECKS) {
  console.log(`- ${name}`);
  if (spawnSync(process.execPath, command, { stdio: 'inherit' }).status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? 'Every check passed.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

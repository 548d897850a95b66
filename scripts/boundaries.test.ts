// Plants breaches in a copy of the tree's shape, and looks for the rule that refuses each.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../server/testing/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = temporaryFolder();

interface Cruised {
  summary: { totalCruised: number; violations: { from: string; rule: { name: string } }[] };
}

function cruise(cwd: string): Promise<Cruised> {
  const args = [
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'json',
    'server',
    'shared',
    'renderer',
    'electron',
  ];
  return new Promise((resolve, reject) => {
    // It ends with the number of violations; what it found stands on stdout either way.
    execFile(process.execPath, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('Nothing was cruised.'));
      else resolve(JSON.parse(stdout) as Cruised);
    });
  });
}

const BREACHES: readonly (readonly [file: string, imported: string, rule: string])[] = [
  ['shared/breach.ts', 'node:fs', 'shared-is-a-leaf'],
  ['server/kernel/breach.ts', '../kinds/kind.ts', 'kernel-knows-no-kind-and-no-route'],
  ['server/kinds/computation/breach.ts', '../registry.ts', 'kinds-are-islands'],
  ['server/runs/breach.ts', '../http/index.ts', 'resources-know-no-face'],
  ['server/models/breach.ts', '../mcp/index.ts', 'resources-know-no-face'],
  ['server/tools/breach.ts', '../http/index.ts', 'resources-know-no-face'],
  ['server/triggers/breach.ts', '../openapi/index.ts', 'resources-know-no-face'],
  ['server/http/breach.ts', '../runs/index.ts', 'faces-know-operations-alone'],
  ['server/documentation/breach.ts', '../runs/index.ts', 'documentation-knows-no-runtime'],
  ['server/mcp/breach.ts', '../definitions/index.ts', 'faces-know-operations-alone'],
  ['server/runs/past-the-face.ts', '../playbooks/sql.ts', 'folders-are-entered-through-their-face'],
  ['server/runs/past-another-face.ts', '../triggers/triggers.ts', 'folders-are-entered-through-their-face'],
  ['server/cli/breach.ts', '../runs/sql.ts', 'app-enters-folders-through-their-face'],
  ['renderer/api/breach.ts', '../../server/version.ts', 'the-studio-sees-the-contract-alone'],
  ['renderer/ui/breach.ts', '../places/home/home-page.tsx', 'the-studio-looks-one-way'],
  ['renderer/api/looks-up.ts', '../app/live.tsx', 'the-studio-looks-one-way'],
  ['electron/breach.ts', '../server/version.ts', 'the-app-sees-the-contract-alone'],
  ['electron/window/breach.ts', '../../renderer/api/send.ts', 'the-app-sees-the-contract-alone'],
  ['server/cli/sees-the-app.ts', '../../electron/run-app.ts', 'nothing-that-ships-sees-the-app'],
  ['server/events/dev.ts', 'fast-check', 'what-ships-depends-on-what-ships'],
];

beforeAll(() => {
  for (const part of [
    'server',
    'shared',
    'renderer',
    'electron',
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
    '.dependency-cruiser.cjs',
  ]) {
    cpSync(path.join(ROOT, part), path.join(folder.path, part), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder.path, 'node_modules'));
  for (const [file, imported] of BREACHES) {
    mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
    writeFileSync(
      path.join(folder.path, file),
      `import * as breach from '${imported}';\nexport const breached = breach;\n`,
    );
  }
});
afterAll(() => {
  rmSync(path.join(folder.path, 'node_modules'));
  folder.remove();
});

test('the tree has no breach, and is read whole', async () => {
  const { summary } = await cruise(ROOT);
  expect(summary.violations).toEqual([]);
  expect(summary.totalCruised).toBeGreaterThan(150);
}, 60_000);

test('each planted breach is refused by its rule', async () => {
  const { summary } = await cruise(folder.path);
  const found = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
  for (const [file, , rule] of BREACHES) expect(found).toContain(`${file}: ${rule}`);
}, 60_000);

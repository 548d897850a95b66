// Plants breaches in a tree of empty files, and looks for the rule that refuses each. `npm run check` reads the real tree;
// a tool that read no TypeScript would find no breach there, and none here.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../server/test/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = temporaryFolder();

interface Cruised {
  summary: { violations: { from: string; rule: { name: string } }[] };
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
  ['server/lib/breach.ts', '../kernel/ids.ts', 'lib-sees-only-layers-below'],
  ['server/kernel/breach.ts', '../kinds/kind.ts', 'kernel-sees-only-layers-below'],
  ['server/kernel/log/breach.ts', '../../domain/runs/index.ts', 'kernel-sees-only-layers-below'],
  ['server/settings/breach.ts', '../domain/models/index.ts', 'settings-operations-kinds-sees-only-layers-below'],
  ['server/operations/breach.ts', '../interfaces/http/index.ts', 'settings-operations-kinds-sees-only-layers-below'],
  ['server/kinds/breach.ts', '../domain/runs/index.ts', 'settings-operations-kinds-sees-only-layers-below'],
  ['server/domain/runs/breach.ts', '../../interfaces/http/index.ts', 'domain-sees-only-layers-below'],
  ['server/domain/models/breach.ts', '../../runtime/app.ts', 'domain-sees-only-layers-below'],
  ['server/interfaces/mcp/breach.ts', '../../runtime/app.ts', 'interfaces-sees-only-layers-below'],
  ['server/kinds/computation/registers.ts', '../registry.ts', 'kinds-are-islands'],
  ['server/kinds/computation/breach.ts', '../recall/index.ts', 'kinds-are-islands'],
  ['server/interfaces/http/breach.ts', '../../domain/runs/index.ts', 'interfaces-know-only-operations'],
  ['server/interfaces/openapi/breach.ts', '../../kinds/registry.ts', 'interfaces-know-only-operations'],
  ['server/interfaces/documentation/breach.ts', '../mcp/index.ts', 'documentation-knows-no-runtime'],
  ['server/domain/runs/durable/looks-up.ts', '../attempts/admission.ts', 'runs-durable-sees-only-folders-below'],
  ['server/domain/runs/rerun/looks-up.ts', '../runs.ts', 'runs-finding-rerun-sees-only-folders-below'],
  ['server/domain/runs/past-the-index.ts', '../playbooks/sql.ts', 'folders-are-entered-through-their-index'],
  ['server/domain/runs/past-another.ts', '../triggers/firing.ts', 'folders-are-entered-through-their-index'],
  ['server/lib/jq/past-the-index.ts', '../schemas/compile.ts', 'folders-are-entered-through-their-index'],
  ['server/interfaces/cli/breach.ts', '../../domain/runs/history/sql.ts', 'runtime-enters-folders-through-their-index'],
  ['server/runtime/breach.ts', '../lib/schemas/compile.ts', 'runtime-enters-folders-through-their-index'],
  ['server/domain/runs/opens-sqlite.ts', 'better-sqlite3', 'only-stores-open-sqlite'],
  ['server/domain/runs/opens-postgres.ts', 'pg', 'only-stores-open-postgres'],
  ['server/domain/events/dev.ts', 'fast-check', 'what-ships-depends-on-what-ships'],
  ['renderer/api/breach.ts', '../../server/runtime/version.ts', 'the-studio-sees-the-contract-alone'],
  ['renderer/api/retypes.ts', '../../shared/schemas/index.ts', 'clients-take-types-from-the-generated-client'],
  ['renderer/ui/breach.ts', '../places/home/home-page.tsx', 'studio-ui-sees-only-folders-below'],
  ['renderer/places/tools/breach.ts', '../../app/shell.tsx', 'studio-places-sees-only-folders-below'],
  ['renderer/places/run/breach.ts', '../definitions/use-source.ts', 'pages-run-sees-only-folders-below'],
  ['renderer/places/tools/sees-a-page.ts', '../home/home-page.tsx', 'pages-see-only-listed-pages'],
  ['electron/breach.ts', '../server/runtime/version.ts', 'the-app-sees-the-contract-alone'],
  ['electron/window/breach.ts', '../../renderer/api/call.ts', 'the-app-sees-the-contract-alone'],
  ['server/interfaces/cli/sees-the-app.ts', '../../../electron/run-app.ts', 'nothing-that-ships-sees-the-app'],
];

beforeAll(() => {
  for (const part of [
    'package.json',
    'scripts/bundled-packages.json',
    'tsconfig.json',
    'tsconfig.base.json',
    '.dependency-cruiser.cjs',
  ]) {
    cpSync(path.join(ROOT, part), path.join(folder.path, part));
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder.path, 'node_modules'));
  for (const [file, imported] of BREACHES) {
    plant(file, `import * as breach from '${imported}';\nexport const breached = breach;\n`);
    const target = path.join(path.dirname(file), imported);
    if (imported.startsWith('.')) plant(target, 'export {};\n');
  }
});
afterAll(() => {
  rmSync(path.join(folder.path, 'node_modules'));
  folder.remove();
});

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
  writeFileSync(path.join(folder.path, file), text);
}

test('each planted breach is refused by its rule', async () => {
  const { summary } = await cruise(folder.path);
  const found = summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
  for (const [file, , rule] of BREACHES) expect(found).toContain(`${file}: ${rule}`);
}, 60_000);

test('the files that the breaches import exist', () => {
  const imported = BREACHES.map(([file, to]) => (to.startsWith('.') ? path.join(path.dirname(file), to) : undefined));
  const missing = imported.filter((file) => file !== undefined && !existsSync(path.join(ROOT, file)));
  expect(missing).toEqual([]);
});

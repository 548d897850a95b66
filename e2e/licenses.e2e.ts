// Reads what the builds recorded, and compares it with docs/licenses.md and with the texts that ship.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildDesktop } from '../scripts/desktop/package.ts';
import { requireAllowed } from '../scripts/licenses/allowed-licenses.ts';
import { licensesPage } from '../scripts/licenses/index.ts';
import { type ShippedPackage, shippedPackages } from '../scripts/licenses/shipped-packages.ts';
import { lockedPackages, sbom, SPEC } from '../scripts/release/sbom.ts';
import { missingPackages } from '../server/lib/optional-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
/** npm leaves it out where it cannot be installed. */
const isComplete = missingPackages(['onnxruntime-node']).length === 0;

let shipped: ShippedPackage[];
beforeAll(async () => {
  // What is built here is what ships, and libraries ask for this by name.
  vi.stubEnv('NODE_ENV', 'production');
  await buildDesktop();
  shipped = shippedPackages();
}, 180_000);
afterAll(() => void vi.unstubAllEnvs());

test('every shipped package has a license that is allowed', () => {
  expect(shipped.length).toBeGreaterThan(300);
  expect(() => requireAllowed(shipped)).not.toThrow();
});

test.skipIf(!isComplete)('docs/licenses.md is what ships', () => {
  expect(read('docs/licenses.md'), 'docs/licenses.md is out of date; run `npm run docs:licenses`').toBe(
    licensesPage(shipped),
  );
});

test.each([
  ['server', 'fastify'],
  ['server', '@jitl/quickjs-wasmfile-release-sync'],
  ['studio', 'react'],
  ['studio', '@mantine/core'],
  // Only its worker contains it.
  ['studio', 'vscode-languageserver-textdocument'],
  ['desktop', 'electron-updater'],
] as const)('the license texts of the %s contain that of %s', (part, name) => {
  const known = shipped.find((one) => one.name === name && one.parts.includes(part));
  const texts = read(`dist/${part}/THIRD_PARTY_LICENSES.txt`);
  expect(texts).toContain(`${name} ${known?.version} (${known?.license})`);
  expect(texts).toContain(known?.text);
});

test('every part that is no JavaScript is of a package that was read for the programs inside it', () => {
  const compiled = '**/*.{node,wasm,so,dll,dylib,exe}';
  const inBundles = ['server', 'studio', 'desktop'].flatMap((part) =>
    globSync(compiled, { cwd: `${ROOT}dist/${part}` }),
  );
  expect(inBundles.toSorted()).toEqual(['jitl-quickjs-wasmfile-release-sync.wasm', 'jq-wasm-jq.wasm']);
  for (const notice of ['It contains jq', 'It contains parts of musl', 'Fabrice Bellard']) {
    expect(read('dist/server/THIRD_PARTY_LICENSES.txt')).toContain(notice);
  }
  // SQLite, inside better-sqlite3, is in the public domain.
  const beside = shipped.filter(
    ({ folder, parts }) =>
      parts.some((part) => part === 'installed' || part === 'optional') &&
      globSync(compiled, { cwd: path.join(ROOT, folder), exclude: (file) => file === 'node_modules' }).length > 0,
  );
  const names = beside.map(({ name }) => name).filter((name) => name !== 'onnxruntime-node');
  expect(names).toEqual(['better-sqlite3']);
});

test('the bill of materials of a release is valid, and has every package with its checksum', async () => {
  const bill = sbom({ version: '1.0.0', shipped, locked: lockedPackages() });
  expect(await new Validation.JsonStrictValidator(SPEC.version).validate(bill)).toBeNull();
  const { components } = JSON.parse(bill) as { components: { hashes?: unknown[] }[] };
  expect(components).toHaveLength(shipped.length);
  expect(components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
});

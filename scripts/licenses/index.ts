// Writes docs/licenses.md: which packages ship with Cuebook under which licenses. Usage: npm run docs:licenses. It builds the
// server, the studio and the app first, since the builds record what they contain.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEXTS } from './license-texts.ts';
import { PARTS, type Part, type ShippedPackage, shippedPackages } from './shipped-packages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = path.join(ROOT, 'docs/licenses.md');

const WHERE: Readonly<Record<Part, string>> = {
  server: 'server',
  studio: 'studio',
  desktop: 'desktop app',
  installed: 'installed',
  optional: 'optional',
};

/** The table of docs/licenses.md. It has no versions, which the SBOM of a release lists. */
export function licensesPage(shipped: readonly ShippedPackage[]): string {
  const rows = new Map<string, { license: string; parts: Set<Part> }>();
  for (const { name, license = '', parts, isOfPlatform } of shipped) {
    // Each platform has its own package, with the license of the package that needs it.
    if (isOfPlatform) continue;
    const row = rows.get(`${name} ${license}`) ?? { license, parts: new Set() };
    for (const part of parts) row.parts.add(part);
    rows.set(`${name} ${license}`, row);
  }
  const lines = [...rows].map(([key, { license, parts }]) => {
    const name = key.slice(0, key.length - license.length - 1);
    const where = PARTS.filter((part) => parts.has(part)).map((part) => WHERE[part]);
    return `| ${name} | ${license} | ${where.join(', ')} |`;
  });
  return `# Licenses of other packages

Cuebook is licensed under the Apache License 2.0. It contains or installs the npm packages below. The license texts of the packages
in a bundle are in its file \`${TEXTS}\`: \`dist/server\` and \`dist/studio\` of the npm package each have one,
with the notices of the programs that were compiled into WebAssembly modules and native libraries. The
desktop app also contains Electron (MIT) and Chromium, with their licenses beside its program.

"Server", "studio" and "desktop app" are bundles that contain the package. "Installed" is a dependency that npm installs with
Cuebook; "optional" belongs to one of the [optional packages](install.md), which the desktop app and the \`.mcpb\` bundle contain.

\`npm run docs:licenses\` generates this page; a test fails if it is out of date, or if a license is not on the list of allowed
licenses.

| package | license | part |
|---|---|---|
${lines.join('\n')}
`;
}

if (import.meta.main) {
  const { buildDesktop } = await import('../desktop/package.ts');
  await buildDesktop();
  writeFileSync(PAGE, licensesPage(shippedPackages()));
}

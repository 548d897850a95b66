// Finds regular expressions of the server whose time grows faster than the text they are tried on, with recheck
// (https://makenowjust-labs.github.io/recheck/), which is installed in a temporary folder: `npm run patterns`. It takes two minutes and
// exits with 1 if it finds one that is not in `HARMLESS`.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { type AnyNode, type Literal, parse } from 'acorn';
import { simple } from 'acorn-walk';
import { install, load } from './install-packages.ts';

const ROOT = path.join(import.meta.dirname, '..');
const VERSION = '4.5.0';
const EACH_MS = 20_000;
/** Tests, and what runs on the machine of the person who calls it. */
const OTHER = /\.(?:test|testing)\.ts$|^server\/test\/|^server\/interfaces\/cli\//;

/** By file, what a pattern is tried on there: nothing that a caller, an author or another server sends, or little of it. */
const HARMLESS: Readonly<Record<string, string>> = {
  'server/domain/models/azure-tokens.ts': 'settings of the operator',
  'server/domain/models/causes.ts': 'at most 1,000 characters',
  'server/domain/models/reported-error.ts': 'at most 64 KiB, with bounded repetitions',
  'server/domain/tools/mcp/program-output.ts': 'at most 1,000 characters',
  'server/domain/tools/mcp/start-failure.ts': 'lines of program-output.ts',
  'server/domain/tools/openapi/document-tools.ts': 'at most 256 characters',
  'server/domain/tools/search-words.ts': 'it begins at one place alone',
  'server/domain/tools/set-up/plan.ts': 'at most 60 characters, or no two of them in a row',
  'server/domain/tools/set-up/secret-values.ts': 'at most 64 KiB, with bounded repetitions',
  'server/interfaces/documentation/read-markdown.ts': 'the documentation itself',
  'server/kernel/secrets/data-key.ts': 'a key of the operator',
  'server/lib/jq/dates.ts': 'our own definitions',
  'server/lib/schemas/pattern-words.ts': 'at most 1,000 characters, and sticky',
  'server/library/client.ts': 'an address of the program that calls',
  'server/settings/parse-env.ts': 'the env file of the operator',
  'server/settings/variables.ts': 'settings of the operator',
  'server/runtime/studio.ts': 'the page of the studio',
};

interface Recheck {
  checkSync: (
    source: string,
    flags: string,
    options: { timeout: number },
  ) => {
    status: 'safe' | 'vulnerable' | 'unknown';
    complexity?: { summary: string };
    attack?: { pattern: string };
  };
}

function filesByPattern(): Map<string, { source: string; flags: string; files: Set<string> }> {
  const found = new Map<string, { source: string; flags: string; files: Set<string> }>();
  for (const file of globSync('{server,shared}/**/*.ts', { cwd: ROOT }).filter((name) => !OTHER.test(name))) {
    const program = stripTypeScriptTypes(readFileSync(path.join(ROOT, file), 'utf8'));
    simple(parse(program, { ecmaVersion: 'latest', sourceType: 'module' }) as AnyNode, {
      Literal({ regex }: Literal) {
        if (regex === undefined || regex === null) return;
        const key = `/${regex.pattern}/${regex.flags}`;
        const one = found.get(key) ?? { source: regex.pattern, flags: regex.flags, files: new Set() };
        found.set(key, { ...one, files: one.files.add(file) });
      },
    });
  }
  return found;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-patterns-'));
let slow = 0;
try {
  const at = path.join(folder, 'recheck');
  await install(at, [`recheck@${VERSION}`]);
  process.env['RECHECK_BACKEND'] = 'pure';
  const { checkSync } = load(at, 'recheck') as Recheck;
  const patterns = filesByPattern();
  for (const [written, { source, flags, files }] of patterns) {
    const elsewhere = [...files].filter((file) => HARMLESS[file] === undefined);
    if (elsewhere.length === 0) continue;
    const { status, complexity, attack } = checkSync(source, flags.replace('v', 'u'), { timeout: EACH_MS });
    if (status === 'safe') continue;
    slow += 1;
    const why = `${status}: ${complexity?.summary ?? 'not decided'}, for example for ${attack?.pattern ?? 'unknown texts'}`;
    process.stdout.write(`${elsewhere.join(', ')}: ${written} is ${why.slice(0, 300)}\n`);
  }
  process.stdout.write(`${patterns.size} patterns, ${slow} of them slow.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (slow > 0) process.exitCode = 1;

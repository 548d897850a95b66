// Runs the JSON Schema Test Suite against the checker of users' schemas and prints what differs. No package of the
// registry contains the suite: clone github.com/json-schema-org/JSON-Schema-Test-Suite first.
// Usage: npm run test:json-schema -- FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Json, JsonObject } from '../shared/json.ts';
import { createSchemaChecker } from '../server/lib/schemas/index.ts';

interface Group {
  description: string;
  schema: JsonObject | boolean;
  tests: { description: string; data: Json; valid: boolean }[];
}

/** Why a schema of the suite is refused when it is saved (docs/computations.md), by a part of the refusal. */
const REFUSALS: readonly (readonly [name: string, detail: RegExp])[] = [
  ['identifiers and anchors', /`\$(id|anchor|dynamicAnchor|dynamicRef)` is not supported/],
  ['references to other documents', /A `\$ref` may only point into the schema itself/],
  ['other dialects', /`\$schema` may only be/],
  ['long names of Unicode classes', /\\p\{Letter\}/],
];
/** Tests with another result, by their file and group. */
const DIFFERENCES: readonly (readonly [name: string, test: RegExp])[] = [
  ['formats that are checked', /^format\.json: \S+ format: .* is only an annotation by default$/],
  ['quotients beyond the range of a number', /^multipleOf\.json: float division = inf: /],
];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name the folder of the suite: npm run test:json-schema -- FOLDER');
  process.exit(2);
}
const tests = path.join(folder, 'tests/draft2020-12');
const checker = createSchemaChecker();
const counts = new Map<string, number>();
const unexpected: string[] = [];
let passed = 0;

function differ(name: string, text: string, known: readonly (readonly [string, RegExp])[], tests: number): void {
  const reason = known.find(([, pattern]) => pattern.test(text))?.[0];
  if (reason === undefined) unexpected.push(`${name}${text === name ? '' : `: ${text}`}`);
  else counts.set(reason, (counts.get(reason) ?? 0) + tests);
}

for (const file of readdirSync(tests).filter((name) => name.endsWith('.json'))) {
  const groups = JSON.parse(readFileSync(path.join(tests, file), 'utf8')) as Group[];
  for (const group of groups) {
    // A definition's schema is an object.
    const schema = typeof group.schema === 'boolean' ? { allOf: [group.schema] } : group.schema;
    const { issues } = await checker.checkDocument(schema, '');
    if (issues[0] !== undefined) {
      differ(`${file}: ${group.description}`, issues[0].detail, REFUSALS, group.tests.length);
      continue;
    }
    for (const { description, data, valid } of group.tests) {
      const name = `${file}: ${group.description}: ${description}`;
      const isValid = (await checker.compileSchema(schema).check(data, '')).length === 0;
      if (isValid === valid) passed += 1;
      else differ(name, name, DIFFERENCES, 1);
    }
  }
}
await checker.close();

for (const [reason, count] of counts) console.log(`${count} differ: ${reason}`);
for (const name of unexpected) console.log(`FAILED ${name}`);
console.log(`${passed} passed, ${unexpected.length} failed`);
process.exitCode = unexpected.length === 0 ? 0 : 1;

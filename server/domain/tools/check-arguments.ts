// Checks arguments against the schema that a server lists. The schema is the server's: it is looked at before it is
// used, and one that cannot be checked is no reason to refuse anything.
import { countIssues, type Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { ArgumentsCheck } from '../../../shared/schemas/index.ts';
import { harmless } from '../../lib/harmless.ts';
import { Refused } from '../../lib/rejection.ts';
import { asNewestDialect, type SchemaChecker } from '../../lib/schemas/index.ts';

const MOST_ISSUES = 20;

export async function checkArguments(
  schemas: SchemaChecker,
  listed: JsonObject,
  args: JsonObject,
): Promise<ArgumentsCheck> {
  const pattern = patternIn(listed);
  if (pattern !== undefined) {
    return unchecked(`The tool's schema has a regular expression (\`${pattern}\`), which is not checked here.`);
  }
  const schema = asNewestDialect(listed);
  try {
    const [issue] = (await schemas.checkDocument(schema, '')).issues;
    if (issue !== undefined) {
      return unchecked(`The tool's schema cannot be checked here. At ${issue.pointer || 'its root'}: ${issue.detail}`);
    }
    const issues = await schemas.compileSchema(schema, '`arguments`').check(args, '');
    return { valid: issues.length === 0, issues: shortened(issues) };
  } catch (error) {
    if (!(error instanceof Refused) || error.rejection.reason !== 'conflict') throw error;
    return unchecked("Checking the arguments against the tool's schema takes too long.");
  }
}

/** The result for a schema that was not read or cannot be used. */
export function unchecked(message: string): ArgumentsCheck {
  return { valid: null, issues: [{ path: '', message }] };
}

function shortened(issues: readonly Issue[]): ArgumentsCheck['issues'] {
  const listed = issues.slice(0, MOST_ISSUES).map(({ pointer, detail }) => ({
    path: pointer,
    message: harmless(detail),
  }));
  const rest = issues.slice(MOST_ISSUES);
  const [next] = rest;
  if (next === undefined) return listed;
  const message = `There are ${countIssues(rest)} more issues, the first of them here.`;
  return [...listed, { path: next.pointer, message }];
}

const DATA = new Set(['const', 'default', 'enum', 'examples', 'example']);
const BY_NAME = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);

/** The first keyword with a regular expression. Properties may be named like keywords. Walks without recursion. */
function patternIn(root: JsonObject): string | undefined {
  const open: { value: Json; isByName: boolean }[] = [{ value: root, isByName: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isByName } = next;
    if (Array.isArray(value)) open.push(...value.map((item) => ({ value: item, isByName: false })));
    if (!isJsonObject(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      if (!isByName && (name === 'pattern' || name === 'patternProperties')) return name;
      if (isByName || !DATA.has(name)) open.push({ value: member, isByName: !isByName && BY_NAME.has(name) });
    }
  }
  return undefined;
}

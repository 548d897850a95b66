// The cases of a definition: a file with one JSON object a line.
import Type, { type Static } from 'typebox';
import type { Json } from '../../../../shared/json.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { KIB, MIB } from '../../../../shared/product.ts';
import { withoutMark } from '../../../lib/utf8.ts';
import { canonicalJson, jsonBytes } from '../../../lib/canonical-json.ts';
import type { Expressions } from '../../../lib/jq/index.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import { misused } from '../failure.ts';
import { readJsonText } from '../json-text.ts';
import { readTextFile } from '../text-file.ts';

const MOST_BYTES = 8 * MIB;
const MOST_CASES = 1000;
/** The maximum number of invalid lines in a message. */
const MOST_SHOWN = 10;

const COMMON = {
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What the case is about; the number of its line if absent.',
    }),
  ),
  input: Type.Unsafe<Json>({ description: 'The input of the run.' }),
};

/** One line of a cases file; also published as resources/schemas/cases.json. */
export const CASE_SCHEMA = Type.Union(
  [
    Type.Object(
      { ...COMMON, expect: Type.Unsafe<Json>({ description: 'The expected output, compared as a JSON value.' }) },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        ...COMMON,
        check: Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'A jq expression over {input, output}; the case passes if its result is true.',
          examples: ['.output.severity == "high"'],
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A case of an evaluation',
    description: 'One line of NAME.cases.jsonl: an input, and either the expected output or a check of the output.',
  },
);

type WrittenCase = Static<typeof CASE_SCHEMA>;

export interface Case {
  name: string;
  /** Distinguishes the case from the others of the file; it stays the same if lines before it are added or removed. */
  key: string;
  input: Json;
  expected: { output: Json } | { check: string };
}

export interface CaseTools {
  schemas: SchemaChecker;
  expressions: Expressions;
}

/** @throws CommandFailure that lists every wrong line */
export async function readCases(file: string, tools: CaseTools): Promise<Case[]> {
  const text = readTextFile(file, MOST_BYTES, 'split it into several files');
  if (text === undefined) {
    throw misused(
      `The file ${file} does not exist. Write one JSON object a line, {"input": ..., "expect": ...}, or name another file with --cases.`,
    );
  }
  const lines = withoutMark(text)
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  if (lines.length === 0)
    throw misused(`${file} has no cases; write one JSON object a line, {"input": ..., "expect": ...}.`);
  if (lines.length > MOST_CASES)
    throw misused(`${file} has ${lines.length} cases; at most ${MOST_CASES} are permitted. Split the file.`);
  const cases: Case[] = [];
  const faults: string[] = [];
  const seen = new Map<string, number>();
  for (const { line, number } of lines) {
    // oxlint-disable-next-line no-await-in-loop -- wrong lines are listed in their order
    const read = await readCase(line, tools);
    if ('wrong' in read) {
      faults.push(`${file}:${number}: ${read.wrong}`);
      continue;
    }
    const { name, input } = read;
    const same = canonicalJson([name ?? null, input]);
    const count = seen.get(same) ?? 0;
    seen.set(same, count + 1);
    const expected = 'check' in read ? { check: read.check } : { output: read.expect };
    cases.push({ name: name ?? `line ${number}`, key: `${same} ${count}`, input, expected });
  }
  if (faults.length > MOST_SHOWN)
    faults.splice(MOST_SHOWN, Infinity, `${faults.length - MOST_SHOWN} more lines are wrong.`);
  if (faults.length > 0) throw misused(faults.join('\n'));
  return cases;
}

async function readCase(line: string, { schemas, expressions }: CaseTools): Promise<WrittenCase | { wrong: string }> {
  const read = readJsonText(line);
  if (!read.ok) return { wrong: read.fault.replace(/^is /, '') };
  const { value } = read;
  const bytes = jsonBytes(value);
  if (bytes > LIMITS.bodyBytes) return { wrong: `the case has ${bytes / KIB} KiB; at most 1 MiB is permitted.` };
  const sort = sortOf(value);
  if (typeof sort === 'string') return { wrong: sort };
  const [issue] = await schemas.compileSchema(sort.schema, 'The case').check(value, '');
  if (issue !== undefined) return { wrong: issue.detail };
  const written = value as unknown as WrittenCase;
  const fault = 'check' in written ? await expressions.check(written.check, []) : undefined;
  return fault === undefined ? written : { wrong: `\`check\` is not a valid jq expression: ${fault}` };
}

const [WITH_OUTPUT, WITH_CHECK] = CASE_SCHEMA.anyOf;

/** The schema that the case must match; a sentence if neither fits. The issues of the union would name both. */
function sortOf(value: Json): { schema: Record<string, Json> } | string {
  const [hasOutput, hasCheck] = ['expect', 'check'].map(
    (name) => typeof value === 'object' && value !== null && Object.hasOwn(value, name),
  );
  if (hasOutput === hasCheck) {
    return hasOutput === true
      ? 'a case has either `expect` or `check`; remove one of them.'
      : 'a case is an object with `input`, and with `expect` (the output) or `check` (a jq expression).';
  }
  return { schema: JSON.parse(JSON.stringify(hasOutput === true ? WITH_OUTPUT : WITH_CHECK)) as Record<string, Json> };
}

// What checking says of a program's text, with the real sandbox and TypeScript.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, createTypeChecker } from '../../lib/sandbox/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import type { Kind } from '../kind.ts';
import { NO_TOOLS } from '../tools.ts';
import { createComputationKind } from './index.ts';

const sandbox = createSandbox();
const types = createTypeChecker({ waitMs: 60_000, deadlineMs: 60_000 });
const schemas = createSchemaChecker();
let kind: Kind;
beforeAll(() => {
  kind = createComputationKind({ sandbox, types, schemas });
});
afterAll(() => Promise.all([sandbox.close(), types.close(), schemas.close()]));

const SURROUNDINGS = { org: 'local', playbook: 'shop', definitionExists: () => false };

async function issuesOf(source: string): Promise<string[]> {
  const checked = await kind.check(source, SURROUNDINGS);
  return (checked.ok ? checked.document.warnings : checked.issues).map(({ detail }) => detail);
}

describe('a syntax error is reported at its position', () => {
  test.each([
    [
      'before empty lines',
      'export default (i) => {\n  return a +* 2;\n\n\n\n}',
      /^Line 2, column 13: .*expression expected\.$/i,
    ],
    [
      'in a program with types',
      'const n: number = 1;\nexport default (i: Input) => {\n  return n +* 2;\n\n}',
      /^Line 3, column 13: /,
    ],
    [
      'where a brace was opened',
      'export default (i) => {\n  return 1;\n',
      'Line 1, column 23: The program is not valid TypeScript: `{` is not closed; `}` is missing at line 3, column 1.',
    ],
    [
      'where a comment was opened',
      'const a = 1; /* closed */\n/* open\nexport default () => a;\n',
      'Line 2, column 1: The program is not valid TypeScript: the comment is not closed; `*/` is missing at line 4, column 1.',
    ],
    [
      'where a template was opened',
      'export default () => {\n  return `abc;\n}\n',
      'Line 2, column 10: The program is not valid TypeScript: the template is not closed; a backtick is missing at line 4, column 1.',
    ],
    ['in a text', "export default () => {\n  return 'abc;\n}\n", /^Line 2, column \d+: .*unterminated string/i],
  ])('%s', async (_, source, words) => {
    const [first] = await issuesOf(source);
    expect(first).toMatch(words);
  });

  test('each of them', async () => {
    expect(await issuesOf('const a = ;\nconst b = ;\nexport default () => 1;')).toHaveLength(2);
  });
});

describe('types', () => {
  const INPUT =
    "export const input = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };\n";

  test.each([
    [
      'that is counted in',
      'const counts = {};\n for (const w of input.text) counts[w] = (counts[w] ?? 0) + 1;\n return counts;',
    ],
    [
      'whose counts are sorted',
      'const counts = {}; counts.a = 1;\n return Object.entries(counts).sort((a, b) => b[1] - a[1]);',
    ],
    ['that is declared before', 'let found = {};\n if (input.text) found = { text: input.text };\n return found.text;'],
  ])('do not complain of an empty object %s', async (_, body) => {
    expect(await issuesOf(`${INPUT}export default (input) => {\n ${body}\n};\n`)).toEqual([]);
  });

  test('do not complain of an output that was filled member by member', async () => {
    const output =
      "export const output = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };\n";
    expect(
      await issuesOf(`${output}export default () => {\n const made = {};\n made.n = 1;\n return made;\n};\n`),
    ).toEqual([]);
  });

  test('still hold for an empty object of a type', async () => {
    const body = 'const made: { n?: number } = {};\n made.n = "one";\n return made;';
    expect(await issuesOf(`${INPUT}export default (input) => {\n ${body}\n};\n`)).toHaveLength(1);
  });

  test('ask for the name that was meant, in one sentence', async () => {
    const [warning] = await issuesOf(`${INPUT}export default (input) => input.txt;\n`);
    expect(warning).toMatch(/Did you mean 'text'\?$/);
  });
});

describe('a byte order mark', () => {
  test.each(['export default (i: number) => i + 1;', 'export default function (i) { return i + 1; }'])(
    'before %s changes nothing',
    async (program) => {
      const source = `\ufeff${program}`;
      expect(await issuesOf(source)).toEqual([]);
      const ending = await kind.start({
        org: 'local',
        playbook: 'shop',
        runId: '01890a5d-ac96-774b-bcce-b302099a8057',
        attempt: 1,
        name: 'add',
        version: 1,
        source,
        input: 1,
        startedAt: 0,
        depth: 0,
        signal: new AbortController().signal,
        tools: NO_TOOLS,
      });
      expect(ending).toMatchObject({ status: 'succeeded', output: 2 });
    },
  );

  test('moves no place on its line', async () => {
    expect(await issuesOf('\ufeffconst s: string = 5; export default () => s;')).toEqual([
      expect.stringMatching(/^Line 1, column 7: /),
    ]);
  });
});

describe('a warning of types', () => {
  const OUTPUT = `export const output = { type: 'object', required: ['score'], properties: {
  score: { type: 'number' }, who: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } };\n`;

  test.each([
    [
      'names the field that lacks',
      'export default () => ({ scor: 1 });',
      'The output lacks the field `score`, which `output` requires.',
    ],
    [
      'names the field of another type',
      "export default async () => ({ score: 'x' });",
      "The output at `score` does not match `output`: Type 'string' is not assignable to type 'number'.",
    ],
    [
      'names a nested field',
      'export default () => ({ score: 1, who: { nam: 1 } });',
      'The output at `who` lacks the field `name`, which `output` requires.',
    ],
    [
      'names a parameter of another type',
      "export const input = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };\nexport default (input: { n: string }) => ({ score: input.n.length });",
      "The parameter at `n` does not match `input`: Type 'number' is not assignable to type 'string'.",
    ],
    [
      'has no advice for projects that a program is not',
      'export default () => ({ score: process.pid });',
      "Cannot find name 'process'. A program does not have it; the guide of its type says what it has.",
    ],
  ])('%s', async (_, program, words) => {
    expect(await issuesOf(OUTPUT + program)).toEqual([expect.stringContaining(words)]);
  });

  test('is not given for what fits', async () => {
    expect(await issuesOf(`${OUTPUT}export default async () => ({ score: 1, more: true });`)).toEqual([]);
  });
});

import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../../lib/sandbox/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { type ReadExports, readExports } from './exports.ts';

const sandbox = createSandbox();
const schemas = createSchemaChecker();
afterAll(() => Promise.all([sandbox.close(), schemas.close()]));

const FORM = {
  exports: ['default', 'description', 'input', 'output', 'examples', 'expose'],
  parameters: {},
  keepsView: false,
};
const RULES = { functions: {}, values: {}, hasEvents: false };

async function whenRead(...exported: string[]): Promise<ReadExports> {
  const source = [...exported, 'export default function () { return 1; }'].join('\n');
  const looked = await sandbox.check(source, FORM);
  if (typeof looked !== 'object') throw new Error('The program was not looked at.');
  expect(looked.issues).toEqual([]);
  return readExports(looked, RULES, schemas);
}
const detailsOf = ({ issues }: ReadExports): string[] => issues.map(({ line, detail }) => `${line} ${detail}`);

describe('what a program exports', () => {
  test('has at most 64 KiB together, whatever the size of its source', async () => {
    const read = await whenRead(
      "export const input = { description: 'x'.repeat(30000) };",
      "export const output = { description: 'x'.repeat(30000) };",
      "export const examples = [{ name: 'a', input: 'x'.repeat(5500) }];",
    );
    expect(detailsOf(read)).toEqual([
      '1 `input`, `output` and `examples` have 65561 bytes as JSON together; the maximum is 65536; make `input` smaller.',
    ]);
  });

  test('is reported at the largest export, and nothing else is checked', async () => {
    const read = await whenRead(
      "export const input = { description: 'x'.repeat(60000), type: 'nothing' };",
      "export const examples = Array.from({ length: 3000 }, (_, n) => ({ name: 'e' + n, input: n }));",
    );
    expect(detailsOf(read)).toEqual([expect.stringMatching(/^2 .* make `examples` smaller\.$/)]);
  });

  test('is taken up to that', async () => {
    const read = await whenRead("export const input = { description: 'x'.repeat(65000) };");
    expect(read.issues).toEqual([]);
  });
});

describe('examples', () => {
  test('that do not fit are each reported with their first issue', async () => {
    const read = await whenRead(
      "export const input = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };",
      "export const output = { type: 'string' };",
      "export const examples = [{ name: 'a', input: {} }, { name: 'b', input: { id: 1 }, output: 5 }, { name: 'c', input: { id: 2 } }];",
    );
    expect(detailsOf(read)).toEqual([
      '3 The input of example "a" does not match the schema: The input is missing the required field `id`.',
      '3 The output of example "b" does not match the schema: The output must be a string.',
    ]);
  });

  test('are checked with one compilation of their schema, also where they are many', async () => {
    let compilations = 0;
    const counting = {
      ...schemas,
      compileSchema: (...given: Parameters<typeof schemas.compileSchema>) => {
        compilations += 1;
        return schemas.compileSchema(...given);
      },
    };
    const looked = await sandbox.check(
      [
        "export const input = { type: 'integer' };",
        "export const examples = Array.from({ length: 1500 }, (_, n) => ({ name: 'e' + n, input: n % 2 ? n : 'x' }));",
        'export default () => 1;',
      ].join('\n'),
      FORM,
    );
    if (typeof looked !== 'object') throw new Error('The program was not looked at.');
    const { issues } = await readExports(looked, RULES, counting);
    expect(issues).toHaveLength(750);
    expect(compilations).toBe(1);
  });

  test('whose check never ends are refused with the program', async () => {
    const read = await whenRead(
      `const levels = Array.from({ length: 41 }, (_, n) => ['a' + n, n === 0 ? { type: 'string' } : { allOf: [{ $ref: '#/$defs/a' + (n - 1) }, { $ref: '#/$defs/a' + (n - 1) }] }]);`,
      "export const input = { $ref: '#/$defs/a40', $defs: Object.fromEntries(levels) };",
      "export const examples = [{ name: 'a', input: 'a' }];",
    );
    expect(detailsOf(read)).toEqual([expect.stringContaining('the inputs of the examples takes more than a second')]);
  });
});

// Two seconds of the processor may take long on a busy machine.
test('a schema whose patterns take long to read is refused, and others are looked at meanwhile', async () => {
  // Some ten times as long as the bound, from less than 64 KiB.
  const ended: string[] = [];
  const hostile = whenRead(
    `export const input = { allOf: Array.from({ length: 190 }, (_, n) => ({ pattern: '(?i)[' + '!-\\uffff'.repeat(60) + ']' + n })) };`,
  ).then((read) => {
    ended.push('hostile');
    return read;
  });
  for (let n = 0; n < 5; n += 1) await whenRead(`export const input = { type: 'string', maxLength: ${n} };`);
  ended.push('others');
  expect(detailsOf(await hostile)).toEqual([expect.stringContaining('longer than two seconds')]);
  expect(ended).toEqual(['others', 'hostile']);
}, 60_000);

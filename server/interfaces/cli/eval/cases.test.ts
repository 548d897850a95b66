import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createExpressions } from '../../../lib/jq/index.ts';
import { createSchemaChecker } from '../../../lib/schemas/index.ts';
import { temporaryFolder } from '../../../test/index.ts';
import { CASE_SCHEMA, readCases } from './cases.ts';

const folder = temporaryFolder();
const tools = { schemas: createSchemaChecker(), expressions: createExpressions() };
afterAll(async () => {
  await Promise.all([tools.schemas.close(), tools.expressions.close()]);
  folder.remove();
});

function read(text: string) {
  const file = path.join(folder.path, 'triage.cases.jsonl');
  writeFileSync(file, text);
  return readCases(file, tools);
}

describe('a file of cases', () => {
  test('has one case per line; empty lines are ignored', async () => {
    const cases = await read('{"name":"a","input":1,"expect":null}\n\n{"input":{},"check":".output == 1"}\r\n');
    expect(cases).toMatchObject([
      { name: 'a', input: 1, expected: { output: null } },
      { name: 'line 3', input: {}, expected: { check: '.output == 1' } },
    ]);
  });

  test('gives cases keys that do not depend on their line numbers, and different keys to equal cases', async () => {
    const [one, two] = ['{"input":1,"expect":1}', '{"input":{"a":1,"b":2},"expect":1}'];
    const keys = async (text: string): Promise<string[]> => (await read(text)).map(({ key }) => key);
    const before = await keys(`${one}\n${one}\n${two}`);
    expect(new Set(before).size).toBe(3);
    expect(await keys(`{"name":"new","input":1,"expect":1}\n${two}\n${one}\n${one}`)).toEqual([
      expect.any(String),
      before[2],
      before[0],
      before[1],
    ]);
    expect(await keys('{"input":{"b":2,"a":1},"expect":1}')).toEqual([before[2]]);
  });

  test.each([
    ['{"input":1', ':1: not JSON'],
    ['{"input":1,"expect":1}\n5', ':2: a case is an object with `input`'],
    ['{"input":1}', ':1: a case is an object with `input`, and with `expect`'],
    ['{"input":1,"expect":1,"check":"true"}', ':1: a case has either `expect` or `check`'],
    ['{"expect":1}', 'input'],
    ['{"input":1,"expect":1,"nmae":"x"}', 'nmae'],
    ['{"input":1,"check":".a |"}', ':1: `check` is not a valid jq expression'],
    ['{"input":1,"check":"$secret"}', ':1: `check` is not a valid jq expression'],
    [' \n', 'has no cases'],
    ['5\n'.repeat(12), '2 more lines are wrong.'],
    ['{"input":1,"expect":1}\n'.repeat(1001), 'at most 1000'],
  ])('that is invalid is refused with its lines: %j', async (text, words) => {
    await expect(read(text)).rejects.toThrow(words);
  });
});

test('the published schema is the one that checks cases', () => {
  const published = readFileSync(new URL('../../../../resources/schemas/cases.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(CASE_SCHEMA)));
});

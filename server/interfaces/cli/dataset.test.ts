import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

let commands: CommandLine;
beforeAll(async () => {
  commands = createCommandLine();
  await commands.cuebook(['apply', commands.writePlaybook()]);
}, 60_000);
afterAll(() => commands.remove());

function written(name: string, text: string): string {
  const file = path.join(commands.folder, name);
  writeFileSync(file, text);
  return file;
}

test('dataset upload sends a file of any size and prints what it holds; a wrong one is refused with its line', async () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => `s${at % 100},${1000 + Math.floor(at / 100)},${at}`);
  const csv = `series,period,tickets\n${rows.join('\n')}\n`;
  const uploaded = await commands.cuebook(['dataset', 'upload', 'desk', written('tickets.csv', csv), '--json']);
  expect(uploaded).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(uploaded.stdout)).toMatchObject({
    bytes: csv.length,
    rows: 60_000,
    series: 100,
    columns: ['tickets'],
    period: 'year',
    first: '1000',
    last: '1599',
  });
  const wrong = await commands.cuebook(['dataset', 'upload', 'desk', written('wrong.csv', 'series,period,x\na,b,1\n')]);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Line 2/) });
  const absent = await commands.cuebook(['dataset', 'upload', 'desk', path.join(commands.folder, 'absent.csv')]);
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('(ENOENT)') });
}, 60_000);

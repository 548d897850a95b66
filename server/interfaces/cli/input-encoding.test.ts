// Files and standard input are read as UTF-8: another encoding is refused, with the place, and nothing is replaced.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_PROGRAM, startServer, type TestServer } from '../../test/index.ts';
import { createCommandLine, PROGRAM } from './cuebook.testing.ts';
import { readPrices } from './eval/read-prices.ts';

const line = createCommandLine();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = 'export default (input) => input;';
  await server.post('/v1/orgs/local/playbooks/desk/definitions/computation', { name: 'echo', source });
});
afterAll(async () => {
  await server.close();
  line.remove();
});

function written(name: string, bytes: Buffer | string): string {
  const file = path.join(line.folder, name);
  writeFileSync(file, bytes);
  return file;
}

const INPUT = '{"name":"Gr\u00f6\u00dfe"}';
const ECHO = ['run', 'desk', 'computation/echo', '--server'];

test('an input file in UTF-8 is read, with or without a byte order mark', async () => {
  for (const file of [written('plain.json', INPUT), written('marked.json', `\ufeff${INPUT}`)]) {
    const { stdout } = await line.cuebook([...ECHO, server.address, '--input', `@${file}`]);
    expect(JSON.parse(stdout)).toEqual({ name: 'Größe' });
  }
  expect((await line.cuebook([...ECHO, server.address, '--input', 'null'])).stdout).toBe('null\n');
}, 60_000);

test('an input in another encoding is refused, from a file and from standard input', async () => {
  const latin = written('latin.json', Buffer.from(INPUT, 'latin1'));
  expect(await line.cuebook([...ECHO, server.address, '--input', `@${latin}`])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `${latin} is not UTF-8 text; save it as UTF-8. The byte at offset 11 (0xF6) is not valid.\n`,
  });
  const wide = written('wide.json', Buffer.from(`\ufeff${INPUT}`, 'utf16le'));
  expect((await line.cuebook([...ECHO, server.address, '--input', `@${wide}`])).stderr).toContain('It is UTF-16 text.');
}, 60_000);

test('an input that JSON cannot carry, or that is ambiguous, is refused as over HTTP', async () => {
  const faults: [string, string][] = [
    ['{"a":1,"a":2}', 'has the member "a" twice, at /a; remove one of them.'],
    [
      '{"a":[1e400]}',
      'is not usable, at /a/0: A number is too large for a double; send a smaller number, or a string.',
    ],
    [
      '{"id":[9007199254740993]}',
      'is not usable: 9007199254740993 would be read as 9007199254740992; put it in quotes.',
    ],
    ['{"a":1', 'is not JSON: '],
    ['', 'is not JSON: it is empty.'],
  ];
  for (const [text, words] of faults) {
    const file = written('faulty.json', text);
    const { code, stdout, stderr } = await line.cuebook([...ECHO, server.address, '--input', `@${file}`]);
    expect({ code, stdout, stderr }).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`${file} ${words}`),
    });
  }
  const own = '{"__proto__":{"a":1},"constructor":"c","hasOwnProperty":true}';
  expect(JSON.stringify(JSON.parse((await line.cuebook([...ECHO, server.address, '--input', own])).stdout))).toBe(own);
  const absent = await line.cuebook([...ECHO, server.address, '--input', '@none.json']);
  expect(absent).toMatchObject({ code: 2, stderr: 'Cannot read the input file none.json (ENOENT).\n' });
}, 60_000);

test('standard input in another encoding is refused', async () => {
  const stderr = await new Promise<string>((resolve) => {
    const args = [SERVER_PROGRAM, ...ECHO, server.address, '--input', '-'];
    const child = execFile(process.execPath, args, (_error, _stdout, said) => resolve(said));
    child.stdin?.end(Buffer.from(INPUT, 'latin1'));
  });
  expect(stderr).toContain('Standard input is not UTF-8 text; save it as UTF-8. The byte at offset 11 (0xF6)');
}, 60_000);

test('files of a folder, a draft and a list of prices in another encoding are refused', async () => {
  const latin = Buffer.from(PROGRAM.replace('two', 'zw\u00f6lf'), 'latin1');
  const folder = line.writePlaybook();
  writeFileSync(path.join(folder, 'other.computation.ts'), latin);
  const words = /other\.computation\.ts is not UTF-8 text; save it as UTF-8\. The byte at offset \d+ \(0xF6\)/;
  expect(await line.cuebook(['apply', folder, '--server', server.address])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(words),
  });
  const draft = path.join(folder, 'other.computation.ts');
  expect(await line.cuebook(['run', 'desk', '--draft', draft, '--server', server.address])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(words),
  });
  const prices = written('prices.json', Buffer.from('{"gr\u00f6\u00dfe/one":{"input":1,"output":2}}', 'latin1'));
  expect(() => readPrices(prices)).toThrow('prices.json is not UTF-8 text');
  expect(readPrices(written('marked.json', '\ufeff{"a/b":{"input":1,"output":2}}')).get('a/b')).toEqual({
    input: 1,
    output: 2,
  });
}, 60_000);

test('documents with a byte order mark are saved and run', async () => {
  const folder = line.writePlaybook({
    'double.computation.ts': `\ufeff${PROGRAM}`,
    'other.computation.ts': `\ufeff${PROGRAM}`,
    'playbook.yaml': '\ufeffplaybook: marked\nname: Marked\n',
    'say.reasoning.md': '\ufeff---\nmodel: openai/gpt-5\n---\nSay hello.\n',
    'ask.interaction.yaml': '\ufeffask: { to: ada, message: Which?, answer: { type: object } }\n',
  });
  expect(await line.cuebook(['apply', folder, '--server', server.address])).toMatchObject({ code: 0 });
  const run = ['run', 'marked', 'computation/double', '--input', '{"n":2}', '--server', server.address];
  expect(await line.cuebook(run)).toMatchObject({ code: 0, stdout: '4\n' });
}, 60_000);

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandLine, createCommandLine, PROGRAM } from './cuebook.testing.ts';

let line: CommandLine;
let cuebook: CommandLine['cuebook'];
let writePlaybook: CommandLine['writePlaybook'];
beforeEach(() => {
  line = createCommandLine();
  ({ cuebook, writePlaybook } = line);
});
afterEach(() => line.remove());

describe('apply, diff and test', () => {
  test('print the warnings of the definitions, and the files that they ignore', async () => {
    const desk = writePlaybook({
      'warned.computation.ts': 'export default (): number => {\n  const text: string = 5;\n  return text.length;\n};\n',
      'typo-one.compuation.ts': PROGRAM,
    });
    const warning = /Line 2, column 9: .*'number' is not assignable to .*'string'/;
    for (const command of ['test', 'diff', 'apply']) {
      const { code, stdout, stderr } = await cuebook([command, desk]);
      expect(code).toBe(0);
      expect(stderr).toContain('typo-one.compuation.ts is ignored; did you mean typo-one.computation.ts?');
      expect(command === 'test' ? stdout : stderr).toMatch(warning);
    }
    expect(JSON.parse((await cuebook(['test', desk, '--json'])).stdout)).toContainEqual({
      definition: 'computation/warned',
      passed: true,
      warnings: [expect.stringMatching(warning)],
    });
  }, 150_000);

  test('show where a definition calls another with an invalid input', async () => {
    const desk = writePlaybook({
      'uses.workflow.yaml': `document: { dsl: '1.0.3', namespace: desk, name: uses, version: '1.0.0' }
do:
  - a: { call: computation/doubel }
`,
    });
    for (const command of ['test', 'diff', 'apply']) {
      const { code, stdout, stderr } = await cuebook([command, desk]);
      expect(code).toBe(0);
      expect(command === 'test' ? stdout : stderr).toContain(
        'warning: Line 3, column 16: The playbook has no active `computation/doubel`; did you mean `computation/double`?',
      );
    }
  }, 150_000);

  test('refuse a definition that cannot be saved, with the same message', async () => {
    const desk = writePlaybook({ 'Bad_Name.computation.ts': PROGRAM });
    for (const command of ['test', 'diff', 'apply']) {
      expect(await cuebook([command, desk])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(
          `${path.join(desk, 'Bad_Name.computation.ts')}: "Bad_Name" is not a valid definition name`,
        ),
      });
    }
    expect(existsSync(line.dataDir)).toBe(false);
  }, 150_000);

  test('exit with 1 if a name of the folder is retired', async () => {
    const desk = writePlaybook({ 'extra.computation.ts': PROGRAM });
    await cuebook(['apply', desk]);
    await cuebook(['export', 'desk', path.join(line.folder, 'kept')]);
    mkdirSync(path.join(line.folder, 'less'));
    for (const file of ['playbook.yaml', 'double.computation.ts']) {
      writeFileSync(path.join(line.folder, 'less', file), readFileSync(path.join(desk, file)));
    }
    expect((await cuebook(['apply', path.join(line.folder, 'less'), '--prune'])).stdout).toContain(
      'computation/extra: was permanently retired',
    );
    expect(await cuebook(['diff', desk])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('computation/extra: is retired and cannot be restored'),
      stderr: expect.stringContaining('Applying this folder would be refused.'),
    });
    expect(await cuebook(['export', 'desk', path.join(line.folder, 'kept'), '--json'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('extra.computation.ts is not an active definition'),
      stdout: expect.stringContaining('"left_over":["extra.computation.ts"]'),
    });
  }, 150_000);

  test('print errors to stdout with --json', async () => {
    const desk = writePlaybook({ 'wrong.computation.ts': 'export default 5;' });
    const applied = await cuebook(['apply', desk, '--json']);
    expect(applied.code).toBe(1);
    expect(JSON.parse(applied.stdout)).toMatchObject({ status: 422, reason: 'invalid_input', errors: [{}] });
    const compared = await cuebook(['diff', desk, '--json']);
    expect(JSON.parse(compared.stdout)).toMatchObject({ playbook: 'create', refused: { status: 422 } });
    expect(JSON.parse((await cuebook(['diff', '/nowhere', '--json'])).stdout)).toEqual({
      detail: 'Cannot read the folder /nowhere.',
    });
  }, 150_000);
});

test('export does not change the folder of another playbook', async () => {
  const desk = writePlaybook();
  await cuebook(['apply', desk]);
  writePlaybook({ 'playbook.yaml': 'playbook: other\nname: Other\n' });
  await cuebook(['apply', desk]);
  expect(await cuebook(['export', 'desk', desk])).toMatchObject({
    code: 2,
    stderr: `${desk} contains the playbook other; export desk to another folder.\n`,
  });
  expect(readFileSync(path.join(desk, 'playbook.yaml'), 'utf8')).toContain('playbook: other');
}, 150_000);

test('diff creates nothing if there is no data directory yet', async () => {
  expect(await cuebook(['diff', writePlaybook()])).toMatchObject({ code: 0 });
  expect(readdirSync(line.folder)).toEqual(['desk']);
}, 60_000);

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandLine, createCommandLine, PROGRAM } from './cuebook.testing.ts';

let line: CommandLine;
let cuebook: CommandLine['cuebook'];
const at = (name: string): string => path.join(line.folder, name);
beforeEach(() => {
  line = createCommandLine();
  ({ cuebook } = line);
});
afterEach(() => line.remove());

describe('a playbook as a zip archive', () => {
  test('is exported, shown before it is imported, and imported with --yes', async () => {
    await cuebook(['apply', line.writePlaybook({ 'triple.computation.ts': PROGRAM })]);
    expect(await cuebook(['export', 'desk', at('desk.zip')])).toMatchObject({ code: 0, stdout: `${at('desk.zip')}\n` });
    expect(readdirSync(line.folder).filter((name) => name.startsWith('.'))).toEqual([]);

    const copy = ['import', at('desk.zip'), '--as', 'copy'];
    expect(await cuebook(copy)).toMatchObject({
      code: 0,
      stdout:
        'copy: would be created\ncomputation/double: would be created\ncomputation/triple: would be created\n0 unchanged\n',
      stderr: expect.stringContaining('Nothing was imported. Repeat the command with --yes to import.'),
    });
    expect((await cuebook(['export', 'copy', at('copy.zip')])).code).toBe(1);
    expect((await cuebook([...copy, '--yes'])).stdout).toContain('computation/triple: was created');
    expect(JSON.parse((await cuebook([...copy, '--json'])).stdout)).toMatchObject({
      imported: false,
      definitions: [{ change: 'unchanged' }, { change: 'unchanged' }],
    });
  }, 150_000);

  test('is refused with the file that is wrong, and nothing is created', async () => {
    writeFileSync(at('bad.zip'), 'not an archive');
    expect(await cuebook(['import', at('bad.zip')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${at('bad.zip')}: The file is not a complete zip archive.`),
    });
    expect(await cuebook(['import', line.writePlaybook()])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a file; name a zip archive, or use cuebook apply for a folder.'),
    });
    expect(existsSync(line.dataDir)).toBe(false);
  }, 60_000);
});

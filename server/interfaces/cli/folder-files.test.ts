import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/index.ts';
import { readFolder } from './folder-files.ts';

let folder: ReturnType<typeof temporaryFolder>;
const write = (files: Record<string, string>): void => {
  for (const [name, text] of Object.entries({ 'playbook.yaml': 'playbook: desk\nname: Desk\n', ...files })) {
    mkdirSync(path.dirname(path.join(folder.path, name)), { recursive: true });
    writeFileSync(path.join(folder.path, name), text);
  }
};
const refusal = (): string => {
  try {
    readFolder(folder.path);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
};
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test('a folder is read as its manifest and its definitions', () => {
  write({ 'one.computation.ts': 'a', 'two.workflow.yaml': 'b', 'README.md': '', 'data/reports.json': '' });
  expect(readFolder(folder.path)).toMatchObject({
    playbook: 'desk',
    name: 'Desk',
    description: '',
    definitions: [
      { type: 'computation', name: 'one', source: 'a' },
      { type: 'workflow', name: 'two', source: 'b' },
    ],
    notes: [],
  });
});

test('every invalid file is reported together, by name', () => {
  write({
    'Bad_Name.computation.ts': '',
    'big-one.computation.ts': 'x'.repeat(65_537),
    'playbook.yaml': 'playbook: Bad',
  });
  const words = refusal().split('\n');
  expect(words).toHaveLength(3);
  expect(words[0]).toMatch(/playbook\.yaml: `playbook` is "Bad"; a playbook id must be 3 to 48 lowercase letters/);
  expect(words[1]).toMatch(/Bad_Name\.computation\.ts: "Bad_Name" is not a valid definition name/);
  expect(words[2]).toMatch(/big-one\.computation\.ts has 65537 bytes; the limit is 65536 bytes: split the definition/);
});

test.skipIf(process.platform === 'win32')('a link is not followed, whatever its target', () => {
  writeFileSync(path.join(folder.path, 'private'), 'export default () => 1;');
  write({});
  symlinkSync(path.join(folder.path, 'private'), path.join(folder.path, 'one.computation.ts'));
  expect(refusal()).toMatch(/one\.computation\.ts is a symbolic link/);
});

describe('a file that looks like a definition but is ignored is reported', () => {
  test.each([
    ['typo-one.compuation.ts', 'typo-one.computation.ts'],
    ['js-one.computation.js', 'js-one.computation.ts'],
    ['flow.workflow.yml', 'flow.workflow.yaml'],
    ['flow.Workflow.yaml', 'flow.workflow.yaml'],
    ['one_computation.ts', 'one.computation.ts'],
  ])('%s', (file, meant) => {
    write({ [file]: '' });
    expect(readFolder(folder.path).notes).toEqual([`${file} is ignored; did you mean ${meant}?`]);
  });

  test('in a subfolder, unless it holds another playbook', () => {
    write({ 'sub/inner-one.computation.ts': '', 'other/playbook.yaml': '', 'other/its-own.computation.ts': '' });
    expect(readFolder(folder.path).notes).toEqual([
      'sub/inner-one.computation.ts is ignored; put definitions directly in the folder of the playbook.',
    ]);
  });

  test('but not a file that does not look like one', () => {
    write({ 'README.md': '', 'cuebook.d.ts': '', 'one.test.ts': '', 'package.json': '', 'notes-workflow.md': '' });
    expect(readFolder(folder.path).notes).toEqual([]);
  });
});

describe('a manifest', () => {
  test.each([
    ['an unknown key', 'playbok: desk', 'did you mean `playbook`'],
    ['no name', 'playbook: desk', 'needs `name`'],
    ['a blank name', 'playbook: desk\nname: "   "', '`name` has 0 characters; it must have 1 to 100'],
    [
      'a long text',
      `playbook: desk\nname: Desk\ndescription: ${'x'.repeat(2001)}`,
      '`description` has 2001 characters',
    ],
    ['no YAML', 'a: [1', 'cannot be read, at line'],
    ['thousands of brackets', `x: ${'['.repeat(20_000)}`, 'cannot be read, at line'],
    ['more than it may hold', `${'# filler\n'.repeat(5000)}playbook: desk`, 'the limit is 32768 bytes'],
    ['multiplying aliases', 'a: &a [1,1]\nb: &b [*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]', 'unknown key `a`'],
  ])('with %s is refused in one sentence with the file', (_, text, words) => {
    write({ 'playbook.yaml': text });
    expect(refusal()).toContain(words);
    expect(refusal()).toContain(path.join(folder.path, 'playbook.yaml'));
    expect(refusal().split('\n')).toHaveLength(1);
  });

  test('that is missing is reported by its name', () => {
    expect(refusal()).toBe(`The file ${path.join(folder.path, 'playbook.yaml')} does not exist.`);
  });
});

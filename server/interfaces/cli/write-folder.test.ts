import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { temporaryFolder } from '../../test/index.ts';
import { readExported } from './exported.ts';
import { readFolder } from './folder-files.ts';
import { makeFolder } from './paths.ts';
import { writeFolder } from './write-folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
const at = (name: string): string => path.join(folder.path, name);
const ONE = { type: 'computation' as const, name: 'one', sha256: '', source: 'export default () => 1;' };
const DESK = { playbook: 'desk', name: 'Desk', description: '', definitions: [ONE] };
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('writing a playbook as files', () => {
  test('creates the folder and reports definitions that were there before', () => {
    expect(writeFolder(at('new/desk'), DESK)).toEqual({ files: ['playbook.yaml', 'one.computation.ts'], leftOver: [] });
    writeFileSync(at('new/desk/old.computation.ts'), '');
    expect(writeFolder(at('new/desk'), DESK).leftOver).toEqual(['old.computation.ts']);
  });

  test('keeps the cases of evaluations, which are not definitions', () => {
    writeFolder(folder.path, DESK);
    writeFileSync(at('one.cases.jsonl'), '{"input":{},"expect":1}\n');
    expect(readFolder(folder.path)).toMatchObject({ definitions: [{ name: 'one' }], notes: [] });
    expect(writeFolder(folder.path, DESK).leftOver).toEqual([]);
    expect(readFileSync(at('one.cases.jsonl'), 'utf8')).toBe('{"input":{},"expect":1}\n');
  });

  test('does not overwrite the folder of another playbook', () => {
    writeFolder(folder.path, DESK);
    const before = readFileSync(at('playbook.yaml'), 'utf8');
    expect(() => writeFolder(folder.path, { ...DESK, playbook: 'other' })).toThrow(
      `${folder.path} contains the playbook desk; export other to another folder.`,
    );
    writeFileSync(at('playbook.yaml'), 'not: [a manifest');
    expect(() => writeFolder(folder.path, DESK)).toThrow('cannot be read');
    expect(before).toContain('desk');
    expect(readdirSync(folder.path).toSorted()).toEqual(['cuebook.d.ts', 'one.computation.ts', 'playbook.yaml']);
  });

  test.skipIf(process.platform === 'win32')('replaces links and writes nothing through them', () => {
    writeFileSync(at('victim'), 'as it was');
    for (const name of ['one.computation.ts', 'cuebook.d.ts']) symlinkSync(at('victim'), at(name));
    writeFolder(folder.path, DESK);
    expect(readFileSync(at('victim'), 'utf8')).toBe('as it was');
    expect(lstatSync(at('cuebook.d.ts')).isFile()).toBe(true);
  });
});

describe('the response of a service', () => {
  const answer = (change: object): JsonObject => ({ ...DESK, ...change });
  const definition = (change: object): JsonObject => answer({ definitions: [{ ...ONE, ...change }] });

  test('is accepted if it is the requested playbook with valid names', () => {
    expect(readExported(answer({}), 'desk', 'http://a')).toEqual(DESK);
  });

  test.each([
    ['a name that leads out of the folder', definition({ name: '../../escaped' })],
    ['an absolute name', definition({ name: '/etc/escaped' })],
    ['an unknown type', definition({ type: '../x' })],
    ['a source that is no text', definition({ source: 5 })],
    ['no definitions', answer({ definitions: null })],
    ['a definition that is no object', answer({ definitions: [1] })],
    ['another playbook', answer({ playbook: 'other' })],
  ])('is refused with %s', (_, wrong) => {
    expect(() => readExported(wrong, 'desk', 'http://a')).toThrow(
      'did not return the playbook desk; nothing was written',
    );
  });
});

describe('creating a folder', () => {
  test('creates its parents, and accepts an existing folder', () => {
    makeFolder(at('a/b/c'), 'The folder');
    makeFolder(at('a/b/c'), 'The folder');
    expect(existsSync(at('a/b/c'))).toBe(true);
  });

  test('reports a file with the name of the folder', () => {
    writeFileSync(at('file'), '');
    expect(() => makeFolder(at('file'), 'DATA_DIR')).toThrow(`DATA_DIR, ${at('file')}, is a file; name a folder.`);
    expect(() => makeFolder(at('file/a/b'), 'DATA_DIR')).toThrow(`cannot be created: ${at('file')} is a file.`);
  });

  test.skipIf(process.platform !== 'linux')('fails if the system does not permit new folders', () => {
    expect(() => makeFolder('/proc/cuebook/data', 'DATA_DIR')).toThrow(
      /^DATA_DIR, \/proc\/cuebook\/data, cannot be created/,
    );
    mkdirSync(at('a'));
  });
});

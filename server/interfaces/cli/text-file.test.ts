import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/index.ts';
import { readTextFile, writeTextFile } from './text-file.ts';

let folder: ReturnType<typeof temporaryFolder>;
const at = (name: string): string => path.join(folder.path, name);
const read = (name: string): string | undefined => readTextFile(at(name), 10, 'make it smaller');
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('reading', () => {
  test('returns the text of a file up to the limit, and undefined if there is no file', () => {
    writeFileSync(at('a.txt'), '0123456789');
    expect(read('a.txt')).toBe('0123456789');
    expect(read('none.txt')).toBeUndefined();
    writeFileSync(at('a.txt'), '0123456789a');
    expect(() => read('a.txt')).toThrow(`${at('a.txt')} has 11 bytes; the limit is 10 bytes: make it smaller.`);
  });

  test.skipIf(process.platform === 'win32')('follows no link, and refuses pipes and devices without waiting', () => {
    writeFileSync(at('private'), 'secret');
    symlinkSync(at('private'), at('link.txt'));
    symlinkSync('/dev/zero', at('zero.txt'));
    symlinkSync(at('nowhere'), at('dangling.txt'));
    execFileSync('mkfifo', [at('pipe.txt')]);
    mkdirSync(at('folder.txt'));
    for (const name of ['link.txt', 'zero.txt', 'dangling.txt']) expect(() => read(name)).toThrow('is a symbolic link');
    for (const name of ['pipe.txt', 'folder.txt']) expect(() => read(name)).toThrow('is not a regular file');
  });

  test('refuses text that is not UTF-8, with the name of the file', () => {
    writeFileSync(at('latin.txt'), Buffer.from([0xe4, 0xff]));
    expect(() => read('latin.txt')).toThrow(
      `${at('latin.txt')} is not UTF-8 text; save it as UTF-8. The byte at offset 0 (0xE4) is not valid.`,
    );
    writeFileSync(at('wide.txt'), Buffer.from('\ufeffa', 'utf16le'));
    expect(() => read('wide.txt')).toThrow('It is UTF-16 text.');
    writeFileSync(at('marked.txt'), '\ufeffa');
    expect(read('marked.txt')).toBe('\ufeffa');
  });
});

describe('writing', () => {
  test('creates or replaces a file, and leaves no temporary file', () => {
    writeTextFile(folder.path, 'a.txt', 'one');
    writeTextFile(folder.path, 'a.txt', 'two');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('two');
    expect(readdirSync(folder.path)).toEqual(['a.txt']);
  });

  test('does not write a file that has the same text', () => {
    writeTextFile(folder.path, 'a.txt', 'one');
    const before = lstatSync(at('a.txt')).ino;
    writeTextFile(folder.path, 'a.txt', 'one');
    expect(lstatSync(at('a.txt')).ino).toBe(before);
  });

  test.skipIf(process.platform === 'win32')('replaces a link and never writes through it', () => {
    writeFileSync(at('victim'), 'as it was');
    symlinkSync(at('victim'), at('a.txt'));
    writeTextFile(folder.path, 'a.txt', 'new');
    expect(readFileSync(at('victim'), 'utf8')).toBe('as it was');
    expect(lstatSync(at('a.txt')).isFile()).toBe(true);
  });

  test('names a file that cannot be written', () => {
    mkdirSync(at('a.txt'));
    writeFileSync(at('a.txt/kept'), '');
    expect(() => writeTextFile(folder.path, 'a.txt', 'new')).toThrow(`Cannot write the file ${at('a.txt')}`);
    expect(readdirSync(folder.path)).toEqual(['a.txt']);
  });
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../test/index.ts';
import { changedConfig, writeTexts } from './change-config.ts';
import { readSettings } from './settings.ts';

const TEXT =
  '# ours\nmodel_gateways: # the servers\n  - name: one # first\n    base_url: http://127.0.0.1:1/v1\nmcp_answers: false # no\n';

test('an entry, a member and a value are changed, and comments stay', () => {
  const changed = changedConfig(TEXT, {
    add: { model_gateways: { name: 'two', base_url: 'http://127.0.0.1:2/v1' } },
    merge: { model_aliases: { 'team/fast': 'two/m' } },
    set: { allowed_models: ['team/*'] },
  });
  for (const comment of ['# ours', '# the servers', '# first', '# no']) expect(changed).toContain(comment);
  expect(changed).toContain('name: two');
  expect(
    changedConfig(changed, { merge: { model_aliases: { 'team/fast': null } }, set: { allowed_models: null } }),
  ).not.toMatch(/model_aliases|allowed_models/);
  expect(changedConfig('', { set: { mcp_answers: true } })).toBe('mcp_answers: true\n');
});

test('what does not fit is refused, and the file stays', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = path.join(folder.path, 'cuebook.yaml');
  writeFileSync(file, TEXT);
  const { files } = readSettings({ DATA_DIR: folder.path });
  const twice = { name: 'one', base_url: 'http://127.0.0.1:2/v1' };
  expect(() => files.changeConfig({ add: { model_gateways: twice } })).toThrow('repeats "one"');
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
  files.changeConfig({ add: { model_gateways: { ...twice, name: 'two' } } });
  expect(files.models().providers.map(({ prefix }) => prefix)).toEqual(['one', 'two']);
});

test('what is not there is removed without a change', () => {
  for (const text of ['', '# empty\n', 'mcp_answers: true\n']) {
    expect(
      changedConfig(text, { merge: { model_aliases: { 'team/fast': null } }, set: { allowed_models: null } }),
    ).toBe(text);
  }
});

test('a file that is not valid, whose parts refer to each other, or that would grow too large is refused, and stays', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = path.join(folder.path, 'cuebook.yaml');
  const { files } = readSettings({ DATA_DIR: folder.path });
  const aliases = 'model_aliases: { a/b: &to c/d, e/f: *to }\n';
  for (const [text, words] of [
    ['mcp_answers: [\n', 'is not YAML'],
    ['words\n', 'is not an object'],
    ['mcp_answers: true\n---\n', 'second document'],
    [aliases, 'has an alias'],
  ] as const) {
    writeFileSync(file, text);
    expect(() => files.changeConfig({ merge: { model_aliases: { 'a/b': null } } })).toThrow(words);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
  writeFileSync(file, TEXT);
  expect(() => files.changeConfig({ set: { mcp_answers: true } }, { LONG: 'x'.repeat(2 ** 20) })).toThrow('at most');
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
});

test('if the configuration cannot be written, the env file stays as well, and nothing is left beside them', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = path.join(folder.path, 'cuebook.yaml');
  const { files } = readSettings({ DATA_DIR: folder.path });
  writeFileSync(file, TEXT);
  mkdirSync(path.join(folder.path, 'env'));
  expect(() =>
    writeTexts([
      [file, 'mcp_answers: true\n'],
      [path.join(folder.path, 'none', 'env'), 'A=1\n'],
    ]),
  ).toThrow('cannot be written (ENOENT)');
  expect(readFileSync(file, 'utf8')).toBe(TEXT);
  expect(() => files.changeConfig({ set: { mcp_answers: true } }, { A: '1' })).toThrow('is not a file');
  expect(readdirSync(folder.path).toSorted()).toEqual(['cuebook.yaml', 'env']);
});

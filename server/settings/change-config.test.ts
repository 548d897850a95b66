import { writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../test/index.ts';
import { changedConfig } from './change-config.ts';
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

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../test/index.ts';
import { readSettings, SettingsError } from './index.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function read(text: string, environment: Record<string, string> = {}) {
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), text);
  return readSettings({ DOCS_KEY: 's3cret-docs', ...environment, DATA_DIR: folder.path });
}

test.each(['', 'connections:', 'connections: {}'])(
  '%j lets people of a laptop add what they like, without variables',
  (text) => {
    expect(read(text).connectionRules()).toMatchObject({
      peopleMayAdd: true,
      hosts: ['*'],
      kinds: ['none', 'secret', 'reference', 'client_credentials'],
      variables: [],
    });
  },
);

test('what is written counts, and a variable is read only where it is offered', () => {
  const rules = read(
    'connections: { people_may_add: false, hosts: [api.example.com, "*.example.org:8443"], credential_kinds: [none], variables: [DOCS_KEY, UNSET] }',
    { OTHER: 's3cret-other' },
  ).connectionRules();
  expect(rules).toMatchObject({
    peopleMayAdd: false,
    hosts: [
      { name: 'api.example.com', isBelow: false, port: undefined },
      { name: 'example.org', isBelow: true, port: 8443 },
    ],
    kinds: ['none'],
  });
  expect(['DOCS_KEY', 'UNSET', 'OTHER', 'constructor'].map(rules.valueOf)).toEqual([
    's3cret-docs',
    undefined,
    undefined,
    undefined,
  ]);
  expect(JSON.stringify(rules)).not.toContain('s3cret');
});

test.each([
  ['connections: []', 'connections'],
  ['connections: { people_can_add: true }', 'did you mean people_may_add?'],
  ['connections: { people_may_add: "yes" }', 'connections.people_may_add'],
  ['connections: { hosts: "*" }', 'connections.hosts'],
  ['connections: { hosts: [5] }', 'connections.hosts[0]'],
  ['connections: { hosts: ["https://api.example.com"] }', 'connections.hosts[0]'],
  ['connections: { hosts: ["api.*"] }', 'connections.hosts[0]'],
  ['connections: { credential_kinds: [none, secrets] }', 'it must be secret'],
  ['connections: { variables: ["${DOCS_KEY}"] }', 'connections.variables[0]'],
  ['connections: { variables: ["a b"] }', 'connections.variables[0]'],
])('%s is refused at %s', (text, sentence) => {
  expect(() => read(text)).toThrow(SettingsError);
  expect(() => read(text)).toThrow(sentence);
  expect(() => read(text)).not.toThrow('s3cret');
});

test.each(['x', 'c2hvcnQ=', `${'A'.repeat(43)}=,short`])('SECRETS_KEY %j is refused, and not repeated', (key) => {
  expect(() => read('', { SECRETS_KEY: key })).toThrow(/^SECRETS_KEY is not a valid key/);
});

test('SECRETS_KEY gives keys that no text shows', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const settings = read('', { SECRETS_KEY: `${key}, ${Buffer.alloc(32, 8).toString('base64url')}` });
  expect(settings.secretsKeys()).toHaveLength(2);
  expect(JSON.stringify(settings)).not.toContain(key);
});

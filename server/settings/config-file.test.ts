import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../test/index.ts';
import { CONFIG_KEYS, readSettings, type Settings, SettingsError } from './index.ts';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = path.join(folder.path, 'cuebook.yaml');
});
afterEach(() => folder.remove());

const ENVIRONMENT = { DESK_TOKEN: 's3cret-desk', API_HOST: 'api.example.com', NAMED: 'DESK_TOKEN', EMPTY: '' };
const DESK = { org: 'local', playbook: 'wildlife-strikes' };
const OTHER = { org: 'local', playbook: 'other' };

function read(text: string): Settings {
  writeFileSync(file, text);
  return readSettings({ ...ENVIRONMENT, DATA_DIR: folder.path });
}

function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('The file was taken.');
}

describe('the file', () => {
  test('gives hosts and secrets to the playbooks that it names', () => {
    const settings = read(`
workflow_http:
  - { host: "\${API_HOST}", playbooks: [wildlife-strikes] }
  - { host: "*.example.org:8443" }
  - { host: other.example.com, orgs: [acme] }
workflow_secrets: [{ variable: DESK_TOKEN, playbooks: [wildlife-strikes], orgs: ["*"] }]
`);
    const hosts = ['api.example.com:443', 'a.example.org:8443', 'a.example.org:443', 'other.example.com', 'localhost'];
    expect(hosts.filter(settings.workflowHosts(DESK))).toEqual(['api.example.com:443', 'a.example.org:8443']);
    expect(hosts.filter(settings.workflowHosts(OTHER))).toEqual(['a.example.org:8443']);
    expect(settings.workflowSecrets(DESK)).toEqual({ DESK_TOKEN: 's3cret-desk' });
    expect(settings.workflowSecrets(OTHER)).toEqual({});
    expect(settings.files.read().configFile).toEqual({
      path: file,
      wasRead: true,
      entries: {
        ...Object.fromEntries(Object.keys(CONFIG_KEYS).map((key) => [key, 0])),
        workflow_http: 3,
        workflow_secrets: 1,
      },
      inVariables: [],
    });
  });

  test('says whether agents may answer requests; they may when it does not say', () => {
    expect(['', 'mcp_answers:\n', 'mcp_answers: false\n'].map((text) => read(text).mcpAnswers())).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('that is absent, empty or holds comments alone gives nothing', () => {
    expect(readSettings({ DATA_DIR: folder.path }).files.read().configFile).toMatchObject({ wasRead: false });
    for (const text of ['', '# workflow_http:\n', 'workflow_http:\nworkflow_secrets: []\n']) {
      const settings = read(text);
      expect(settings.workflowHosts(DESK)('api.example.com')).toBe(false);
      expect(settings.workflowSecrets(DESK)).toEqual({});
      expect(settings.files.read().configFile).toMatchObject({ wasRead: true, entries: { workflow_http: 0 } });
    }
  });

  test('never shows a secret where the settings are written out', () => {
    const settings = read('workflow_secrets: [{ variable: DESK_TOKEN }]');
    expect(JSON.stringify([settings, settings.files.read()])).not.toContain('s3cret');
  });

  test('may lie where CONFIG_FILE says, relative to the data directory', () => {
    mkdirSync(path.join(folder.path, 'etc'));
    writeFileSync(path.join(folder.path, 'etc', 'mine.yaml'), 'workflow_http: [{ host: a.example }]');
    const settings = readSettings({ DATA_DIR: folder.path, CONFIG_FILE: 'etc/mine.yaml' });
    expect(settings.workflowHosts(DESK)('a.example')).toBe(true);
  });

  test('must be there, a file, UTF-8 and not too large where CONFIG_FILE names it', () => {
    const refused = (name: string) => () => readSettings({ DATA_DIR: folder.path, CONFIG_FILE: name });
    expect(refused('none.yaml')).toThrow(
      `CONFIG_FILE names ${path.join(folder.path, 'none.yaml')}, which does not exist`,
    );
    expect(refused('.')).toThrow(/is not a file|cannot be read/);
    writeFileSync(path.join(folder.path, 'utf16.yaml'), '\ufeffworkflow_http: []', 'utf16le');
    expect(refused('utf16.yaml')).toThrow('is not UTF-8 text');
    writeFileSync(path.join(folder.path, 'large.yaml'), '#'.repeat(1_048_577));
    expect(refused('large.yaml')).toThrow('has 1048577 bytes');
  });
});

describe('what does not fit is refused in one sentence that names the setting', () => {
  const at = (setting: string): string => `${setting} in FILE`;
  test.each([
    ['workflow_http: [', 'The configuration file FILE at line 1, column 17 is not YAML'],
    ['workflow_htpp: []', 'FILE has an unknown key "workflow_htpp"; did you mean workflow_http?'],
    ['port: 4747', 'FILE has an unknown key "port"; the keys are workflow_http, workflow_secrets, tool_servers'],
    ['constructor: 1', 'FILE has an unknown key "constructor"'],
    ['workflow_http: {}', `${at('workflow_http')} is an object; it must be a list of entries such as { host: ... }.`],
    ['workflow_secrets: s3cret', `${at('workflow_secrets')} is a string; it must be a list`],
    [
      'workflow_secrets: [s3cret]',
      `${at('workflow_secrets[0]')} is a string; it must be an entry such as { variable: ... }.`,
    ],
    ['workflow_http: [{ hosts: a }]', `workflow_http[0] in FILE has an unknown key "hosts"; did you mean host?`],
    ['workflow_http: [{}]', `${at('workflow_http[0].host')} is missing; it must be a host name or address`],
    ['workflow_http: [{ host: 8080 }]', `${at('workflow_http[0].host')} is a number; it must be`],
    ['workflow_http: [{ host: "*" }]', `${at('workflow_http[0].host')} is "*"; it must be`],
    ['workflow_http: [{ host: "https://me:s3cret@a" }]', `${at('workflow_http[0].host')} contains @; it must be`],
    ['workflow_http: [{ host: "${DESK_TOKEN}/x" }]', 'workflow_http[0].host in FILE is "${DESK_TOKEN}/x"; it must be'],
    [
      'workflow_http: [{ host: "${NONE}" }]',
      'workflow_http[0].host in FILE names the variable NONE, which is not set; set it in',
    ],
    [
      'workflow_http: [{ host: a, orgs: local }]',
      `${at('workflow_http[0].orgs')} is a string; it must be a list of names`,
    ],
    ['workflow_http: [{ host: a, playbooks: }]', `${at('workflow_http[0].playbooks')} is empty; it must be a list`],
    [
      'workflow_http: [{ host: a, playbooks: [1] }]',
      `${at('workflow_http[0].playbooks[0]')} is a number; it must be a name`,
    ],
    [
      'workflow_http: [{ host: a, playbooks: ["d*"] }]',
      `${at('workflow_http[0].playbooks[0]')} is "d*"; it must be a complete name`,
    ],
    [
      'workflow_secrets: [{ variable: NONE }]',
      'workflow_secrets[0].variable in FILE names the variable NONE, which is not set',
    ],
    ['workflow_secrets: [{ variable: EMPTY }]', 'names the variable EMPTY, which is not set'],
    ['workflow_secrets: [{ variable: constructor }]', 'is not the name of a variable that is set'],
    [
      'workflow_secrets: [{ variable: s3cret }]',
      'workflow_secrets[0].variable in FILE is not the name of a variable that is set',
    ],
    ['workflow_secrets: [{ variable: "${DESK_TOKEN}" }]', 'workflow_secrets[0].variable in FILE is not the name'],
    ['mcp_answers: "no"', 'mcp_answers in FILE is a string; it must be true or false'],
  ])('%s', (text, sentence) => {
    const told = refusal(text);
    expect(told.replaceAll(file, 'FILE')).toContain(sentence);
    expect(told).not.toContain('s3cret');
    expect(told).toMatch(/^[^\n]+[.?]$/);
  });
});

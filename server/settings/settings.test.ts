import { chmodSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../test/index.ts';
import { defaultDataDir } from './settings.ts';
import { openSettings, readSettings, type Settings, SettingsError } from './index.ts';
import { servesPlaybook } from './playbook-filter.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const read = (environment: Record<string, string> = {}): Settings =>
  readSettings({ DATA_DIR: folder.path, ...environment });

function write(name: string, text: string, mode = 0o600): string {
  const file = path.join(folder.path, name);
  writeFileSync(file, text, { mode });
  return file;
}

/** The sentence that stops the start. */
function refusal(environment: Record<string, string> = {}): string {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('The settings were taken.');
}

test('nothing set: the defaults', () => {
  expect(read()).toMatchObject({
    host: '127.0.0.1',
    port: undefined,
    dataDir: folder.path,
    database: { kind: 'sqlite', file: path.join(folder.path, 'cuebook.db') },
    allowedOrigins: [],
    studioOrigin: undefined,
    logLevel: 'info',
  });
});

describe('each variable takes what it should', () => {
  test.each<[string, string, Partial<Settings>]>([
    ['HOST', '127.0.0.2', { host: '127.0.0.2' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['PORT', '', { port: undefined }],
    [
      'ALLOWED_ORIGINS',
      'https://a.example, http://b.example:81,',
      { allowedOrigins: ['https://a.example', 'http://b.example:81'] },
    ],
    ['STUDIO_ORIGIN', 'https://studio.example.com', { studioOrigin: 'https://studio.example.com' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ])('%s=%s', (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected);
  });

  test('DATABASE_URL: a path is relative to the data directory', () => {
    const fileOf = (url: string): unknown => read({ DATABASE_URL: url }).database;
    expect(fileOf('sqlite:other.db')).toEqual({ kind: 'sqlite', file: path.join(folder.path, 'other.db') });
    expect(fileOf('sqlite:/srv/other.db')).toEqual({ kind: 'sqlite', file: path.resolve('/srv/other.db') });
  });

  test('DATA_DIR: a path is relative to the working directory', () => {
    expect(readSettings({ DATA_DIR: 'nowhere/data' }).dataDir).toBe(path.resolve('nowhere/data'));
  });

  test.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', { XDG_DATA_HOME: '/data' }, '/data'],
    ['linux', {}, path.join(os.homedir(), '.local', 'share')],
    ['darwin', { XDG_DATA_HOME: '/data' }, path.join(os.homedir(), 'Library', 'Application Support')],
    ['win32', { LOCALAPPDATA: '/data' }, '/data'],
    ['win32', {}, path.join(os.homedir(), 'AppData', 'Local')],
  ])('without DATA_DIR, on %s with %j', (platform, environment, parent) => {
    expect(defaultDataDir(environment, platform)).toBe(path.join(parent, 'cuebook'));
  });

  test('the command line wins', () => {
    const overrides = { host: '::1', port: '1', dataDir: folder.path };
    const settings = readSettings({ HOST: '127.0.0.1', PORT: '2', DATA_DIR: 'nowhere' }, overrides);
    expect(settings).toMatchObject({ host: '::1', port: 1, dataDir: folder.path });
  });
});

describe('each variable refuses what it does not take, in one sentence', () => {
  test.each([
    ['HOST', '0.0.0.0', 'HOST is "0.0.0.0"'],
    ['HOST', '127.0.0.999', 'HOST is "127.0.0.999"'],
    ['PORT', '65536', 'PORT is "65536"; it must be a whole number'],
    ['PORT', '1e3', 'PORT is "1e3"'],
    ['DATABASE_URL', 'mysql://me:s3cret@db/x', 'DATABASE_URL does not begin with `sqlite:` or `postgres://`'],
    ['DATABASE_URL', 'postgres://me:s3cret@db/x', 'SECRETS_KEY is not set; with PostgreSQL'],
    ['DATABASE_URL', 'postgres://me:s3cret@db', 'DATABASE_URL is not a valid address of a PostgreSQL database'],
    ['DATABASE_URL', 'postgres://me:s3cret@db:port/x', 'DATABASE_URL is not a valid address'],
    ['DATABASE_URL', 'postgres://me:s3cret%zz@db/x', 'DATABASE_URL is not a valid address'],
    ['DATABASE_URL', 'postgres:s3cret', 'DATABASE_URL is not a valid address'],
    ['DATABASE_URL', 'sqlite:', 'DATABASE_URL does not begin'],
    ['ALLOWED_ORIGINS', 'https://a.example,https://b.example/x', 'ALLOWED_ORIGINS contains "https://b.example/x"'],
    ['ALLOWED_ORIGINS', '*', 'ALLOWED_ORIGINS contains "*"'],
    ['STUDIO_ORIGIN', 'https://me:s3cret@studio.example', 'STUDIO_ORIGIN contains an address with @'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud"; it must be one of fatal'],
    ['CONFIG_FILE', 'elsewhere.yaml', 'elsewhere.yaml, which does not exist'],
    ['API_KEYS', 's3cret', 'API_KEYS is not JSON; it must be a JSON list'],
    ['API_KEYS', '["s3cret"]', 'API_KEYS is not a list of objects'],
    ['API_KEYS', '[]', 'A published server without API keys and sign-in could be called by nobody'],
    [
      'PUBLIC_URL',
      'https://s3cret.example.com',
      'A published server without API keys and sign-in could be called by nobody',
    ],
    ['IDENTITY_ISSUER', 'https://s3cret.example.com', 'IDENTITY_ISSUER is set without PUBLIC_URL'],
    ['IDENTITY_ISSUER', 'http://s3cret.example.com', 'IDENTITY_ISSUER is not the address of an identity service'],
    ['STUDIO_CLIENT_ID', 's3cret', 'STUDIO_CLIENT_ID is set without IDENTITY_ISSUER'],
    [
      'STUDIO_SESSION_MODULE',
      'https://s3cret.example.com/a.js',
      'STUDIO_SESSION_MODULE is set without IDENTITY_ISSUER',
    ],
  ])('%s=%s', (name = '', value = '', sentence = '') => {
    expect(refusal({ [name]: value })).toContain(sentence);
    expect(refusal({ [name]: value })).not.toContain('s3cret');
  });
});

describe('the env file', () => {
  test('fills what the environment lacks, the name of the configuration file included', () => {
    write('other.yaml', 'workflow_secrets: [{ variable: DESK_TOKEN }]');
    const file = write('env', 'PORT=1\nLOG_LEVEL=debug\nDESK_TOKEN="from file"\nCONFIG_FILE=other.yaml\n');
    const settings = read({ PORT: '2', LOG_LEVEL: '' });
    expect(settings).toMatchObject({ port: 2, logLevel: 'debug' });
    expect(settings.workflowSecrets({ org: 'local', playbook: 'desk' })).toEqual({ DESK_TOKEN: 'from file' });
    expect(settings.files.read().envFile).toEqual({ path: file, wasRead: true, variables: 4 });
  });

  test('that is absent is fine', () => {
    expect(read().files.read().envFile).toMatchObject({ wasRead: false, variables: 0 });
  });

  test.skipIf(process.platform === 'win32').each([0o644, 0o640, 0o604, 0o620])('of mode %o is refused', (mode) => {
    const file = write('env', 'A=1');
    chmodSync(file, mode);
    expect(refusal()).toBe(
      `The env file ${file} has mode 0${mode.toString(8)}, so other users can access it; it must be 0600: chmod 600 '${file}'.`,
    );
  });

  test('is refused with its line where that is not NAME=value, and is never shown', () => {
    const file = write('env', 'A=1\ns3cret\n');
    expect(refusal()).toBe(`The env file ${file}, line 2, is not NAME=value, with a name of letters, digits and _.`);
  });

  test('cannot say where it lies itself', () => {
    write('env', 'DATA_DIR=/srv');
    expect(refusal()).toContain('sets DATA_DIR, which decides where the env file is');
  });

  test('gives values that are checked like those of the environment', () => {
    write('env', 'API_KEYS=s3cret');
    expect(refusal()).toContain('API_KEYS is not JSON');
  });
});

const place = { org: 'acme', playbook: 'desk' };

test.each([
  [undefined, undefined, 'local', true],
  [undefined, undefined, 'published', false],
  [['*'], undefined, 'published', true],
  [['acme'], ['desk'], 'published', true],
  [['acme'], ['desk'], 'local', true],
  [['other'], undefined, 'local', false],
  [undefined, ['other', '*'], 'local', true],
  [undefined, ['des', 'desk2', 'de*', 'DESK'], 'local', false],
  [[], undefined, 'local', false],
  [undefined, [], 'local', false],
] as const)('orgs %j and playbooks %j in %s mode: %j', (orgs, playbooks, mode, expected) => {
  expect(servesPlaybook({ orgs, playbooks }, place, mode)).toBe(expected);
});

test.each(['http://id.example.com/session.js', 'https://me:s3cret@id.example.com/session.js', 'session.js'])(
  'the session module %s is refused',
  (module) => {
    const published = { PUBLIC_URL: 'https://cuebook.example.com', IDENTITY_ISSUER: 'https://id.example.com' };
    expect(refusal({ ...published, STUDIO_SESSION_MODULE: module })).toBe(
      'STUDIO_SESSION_MODULE is not the address of an ES module; it must have the form https://id.example.com/session.js.',
    );
  },
);

test('limits of published servers', () => {
  expect(read()).toMatchObject({ rateLimit: 300, trustedProxies: [] });
  expect(read({ RATE_LIMIT: '0', TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,::1' })).toMatchObject({
    rateLimit: 0,
    trustedProxies: ['10.0.0.0/8', '192.0.2.1', '::1'],
  });
  for (const value of ['-1', '1.5', '1e3', 'off', '1000001']) {
    expect(refusal({ RATE_LIMIT: value })).toMatch(/^RATE_LIMIT is .* from 0 \(no limit\)/);
  }
  for (const value of ['proxy.example.com', '10.0.0.0/33', '0.0.0.0/0', 'true', '*', 'fe80::1%eth0', '10.0.0.1,']) {
    expect(refusal({ TRUSTED_PROXIES: value })).toMatch(/^TRUSTED_PROXIES contains /);
  }
});

describe('settings that are opened are read one by one', () => {
  type Use = (settings: Settings) => unknown;
  const USES: Record<string, Use> = {
    database: (settings) => settings.database,
    apiKeys: (settings) => settings.apiKeys(),
    models: (settings) => settings.models(),
    toolServers: (settings) => settings.toolServers(),
    connectionRules: (settings) => settings.connectionRules(),
    workflowSecrets: (settings) => settings.workflowSecrets({ org: 'local', playbook: 'desk' }),
    workflowHosts: (settings) => settings.workflowHosts({ org: 'local', playbook: 'desk' }),
    mcpAnswers: (settings) => settings.mcpAnswers(),
    secretsKeys: (settings) => settings.secretsKeys(),
    host: (settings) => settings.host,
    port: (settings) => settings.port,
    logLevel: (settings) => settings.logLevel,
  };

  test.each<[config: string, environment: Record<string, string>, stopped: readonly string[]]>([
    [
      'tool_servers: { docs: { type: mcp, url: "https://a.example", headers: { key: "${NOT_SET}" } } }',
      {},
      ['toolServers'],
    ],
    ['tool_servers: [docs]', {}, ['toolServers']],
    ['model_gateways: [{ name: mine, base_url: "https://a.example", api_key: "${NOT_SET}" }]', {}, ['models']],
    ['allowed_models: []', {}, ['models']],
    ['connections: { hosts: 1 }', {}, ['connectionRules']],
    ['workflow_secrets: [{ variable: NOT_SET }]', {}, ['workflowSecrets', 'workflowHosts']],
    ['mcp_answers: 1', {}, ['mcpAnswers']],
    ['api_keys: [{ name: one }]', {}, ['apiKeys']],
    ['', { PORT: 'x' }, ['port']],
    ['', { LOG_LEVEL: 'x' }, ['logLevel']],
    ['', { SECRETS_KEY: 'x' }, ['secretsKeys']],
    ['', { DATABASE_URL: 'mysql:x' }, ['database', 'secretsKeys']],
    ['', { DATABASE_URL: 'postgres://db.example/cuebook' }, ['secretsKeys']],
    [
      'not: [closed',
      {},
      ['apiKeys', 'models', 'toolServers', 'connectionRules', 'workflowSecrets', 'workflowHosts', 'mcpAnswers'],
    ],
  ])('%s %j', (config, environment, stopped) => {
    write('cuebook.yaml', config);
    const own = { DATA_DIR: folder.path, ...environment };
    const settings = openSettings(own);
    const failed = Object.keys(USES).filter((name) => {
      try {
        USES[name]?.(settings);
        return false;
      } catch (error) {
        if (error instanceof SettingsError) return true;
        throw error;
      }
    });
    expect(failed).toEqual(Object.keys(USES).filter((name) => stopped.includes(name)));
    // A server uses all of them.
    expect(() => readSettings(own)).toThrow(SettingsError);
  });
});

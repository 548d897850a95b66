// The API keys that are configured: API_KEYS, and `api_keys` in the configuration file. A key itself is never
// configured, only its digest.
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { ALL_PERMISSIONS, isPermission, KEY_PREFIX, ORG_PATTERN, type Permission } from '../../shared/permissions.ts';
import { type ConfigPart, listOfObjects, STRING, STRINGS } from './config-part.ts';
import { type ConfigEntry, entriesOf, listOf, textOf, type WrittenConfig } from './entries.ts';
import { type Environment, environmentVariable } from './environment.ts';
import { invalidSetting, quoted, SettingsError } from './settings-error.ts';

export interface ApiKey {
  /** Unique among the keys; calls are recorded as `key:<name>`. */
  name: string;
  /** The SHA-256 digest of the key. */
  digest: Buffer;
  org: string;
  permissions: readonly Permission[];
  /** Undefined: all playbooks of the org, also those that are created later. */
  playbooks: readonly string[] | undefined;
}

const FIELDS = ['name', 'sha256', 'org', 'permissions', 'playbooks'] as const;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const DIGEST = /^[0-9a-f]{64}$/;

export const API_KEYS: ConfigPart<readonly ApiKey[]> = {
  keys: {
    api_keys: {
      meaning:
        'API keys of a published server, as `cuebook keys create` prints them: the SHA-256 digest of each key, its org, its permissions, and the playbooks that it is limited to. An entry that is removed is refused from then on.',
      default: 'none: local mode',
      example:
        'api_keys:\n  - name: reporting\n    sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n    org: acme\n    permissions: [org:read, playbook:read]\n    playbooks: [wildlife-strikes]\n',
      schema: listOfObjects({ name: STRING, sha256: STRING, org: STRING, permissions: STRINGS, playbooks: STRINGS }, [
        'name',
        'sha256',
        'org',
        'permissions',
      ]),
    },
  },
  read: ({ file, environment }) => readApiKeys(file, environment),
};

/**
 * The keys of the variable and of the file, which add up.
 * @throws SettingsError also for a name or a digest that occurs twice
 */
function readApiKeys(file: WrittenConfig, environment: Environment): ApiKey[] {
  const variable = environmentVariable(environment, 'API_KEYS');
  const entries = [
    ...(variable === undefined ? [] : entriesOf(inVariable(variable), 'API_KEYS', FIELDS)),
    ...entriesOf(file, 'api_keys', FIELDS),
  ];
  const keys: ApiKey[] = [];
  for (const entry of entries) {
    const key = readKey(entry);
    if (keys.some(({ name }) => name === key.name)) {
      throw invalidSetting(`${entry.path}.name`, entry.file, quoted(key.name), 'a name that no other key has');
    }
    if (keys.some(({ digest }) => digest.equals(key.digest))) {
      throw invalidSetting(
        `${entry.path}.sha256`,
        entry.file,
        'is that of another key',
        'the digest of a key of its own',
      );
    }
    keys.push(key);
  }
  return keys;
}

/** Checks an entry that is about to be configured. @throws SettingsError */
export function readKeyEntry(members: JsonObject): ApiKey {
  return readKey({ file: { name: 'the new key', value: {}, expand: (written) => written }, path: 'entry', members });
}

/** The variable as a file with one key. Its value is never quoted: somebody may have put a key into it. */
function inVariable(text: string): WrittenConfig {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new SettingsError(`API_KEYS is not JSON; it must be ${FORM}.`);
  }
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    throw new SettingsError(`API_KEYS is not a list of objects; it must be ${FORM}.`);
  }
  return { name: 'the environment', value: { API_KEYS: value }, expand: (written) => written };
}

const FORM =
  'a JSON list of entries such as {"name": ..., "sha256": ..., "org": ..., "permissions": [...]}, as `cuebook keys create` prints them';

function readKey(entry: ConfigEntry): ApiKey {
  return {
    name: matching(entry, 'name', NAME, '1 to 64 letters, digits, `.`, `_` and `-`, beginning with a letter or digit'),
    digest: Buffer.from(readDigest(entry), 'hex'),
    org: matching(entry, 'org', ORG_PATTERN, 'the id of an org: 1 to 64 letters, digits, `_` and `-`'),
    permissions: readPermissions(entry),
    playbooks: readPlaybooks(entry),
  };
}

function matching(entry: ConfigEntry, field: string, form: RegExp, expected: string): string {
  const { written, text } = textOf(entry, field, expected);
  // A key in the wrong place is not quoted.
  const isKey = text.includes(KEY_PREFIX);
  if (form.test(text) && !isKey) return text;
  throw invalidSetting(`${entry.path}.${field}`, entry.file, isKey ? 'contains a key' : quoted(written), expected);
}

/** What stands in its place is not quoted: it may be the key. */
function readDigest(entry: ConfigEntry): string {
  const expected = 'the SHA-256 digest of the key, 64 hexadecimal digits in lower case';
  const { text } = textOf(entry, 'sha256', expected);
  if (DIGEST.test(text)) return text;
  throw invalidSetting(`${entry.path}.sha256`, entry.file, 'is not a digest', expected);
}

function readPermissions(entry: ConfigEntry): Permission[] {
  const expected = `a list of one or more of ${ALL_PERMISSIONS.join(', ')}`;
  const found = listOf(entry, 'permissions', { list: expected, each: expected }, ({ file, path, written, text }) => {
    if (isPermission(text)) return text;
    throw invalidSetting(path, file, quoted(written), `one of ${ALL_PERMISSIONS.join(', ')}`);
  });
  if (found !== undefined && found.length > 0) return found;
  throw invalidSetting(
    `${entry.path}.permissions`,
    entry.file,
    found === undefined ? 'is missing' : 'is empty',
    expected,
  );
}

function readPlaybooks(entry: ConfigEntry): string[] | undefined {
  const expected = { list: 'a list of playbooks, or absent for all', each: 'the id of a playbook' };
  const found = listOf(entry, 'playbooks', expected, ({ file, path, written, text }) => {
    if (text !== '' && (text === '*' || !text.includes('*'))) return text;
    throw invalidSetting(path, file, quoted(written), 'the id of a playbook, or "*" for all');
  });
  return found === undefined || found.includes('*') ? undefined : found;
}

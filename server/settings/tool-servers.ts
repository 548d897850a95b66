// The tool servers that the configuration file sets up: `tool_servers`, by name.
//
// 1. Every text may hold `${NAME}`; the values of the variables that an entry names are its secrets.
// 2. Messages contain names of settings and values as written, but no values of variables.
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { parseDuration } from '../lib/duration.ts';
import { isSetByClient } from '../lib/http-client/index.ts';
import { BASE_URL_FORM, baseUrlOf } from './variables.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import {
  BOOLEAN,
  type ConfigPart,
  mapOf,
  objectSchema,
  PLAYBOOK_FILTER_SCHEMA,
  STRING,
  STRINGS,
} from './config-part.ts';
import { type ConfigEntry, booleanOf, listOf, textOf, type WrittenConfig } from './entries.ts';
import { kindOf, invalidSetting, quoted, SettingsError } from './settings-error.ts';
import { playbookFilterOf, type PlaybookFilter } from './playbook-filter.ts';
import { type Environment, environmentVariable } from './environment.ts';

interface CommonFields extends PlaybookFilter {
  /** What a function writes before the slash. */
  name: string;
  /** Names of tools, of which `*` stands for any part; undefined: all of them. */
  allowed: readonly string[] | undefined;
  /** Whether the content of its calls is kept. */
  recordContent: boolean;
  /** The header, or the member of a result's `_meta`, in which the server tells its own request id. */
  requestId: string | undefined;
  /** How long a call may take, in milliseconds. */
  timeoutMs: number;
  /** The values of the variables that the entry names. */
  secrets: readonly string[];
  /** What is wrong with the entry, in a sentence: the server is never connected to. Absent in the settings of a server. */
  fault?: string;
}

interface HttpServerFields {
  headers: Readonly<Record<string, string>>;
  queryParams: Readonly<Record<string, string>>;
}

export type ToolServer =
  | (CommonFields & HttpServerFields & { type: 'mcp'; url: URL })
  | (CommonFields & {
      type: 'stdio';
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      /** How long the program may take to start, in milliseconds; undefined where the entry does not say. */
      startTimeoutMs: number | undefined;
    })
  | (CommonFields &
      HttpServerFields & {
        type: 'openapi';
        document: URL | string;
        baseUrl: URL | undefined;
        /** A value that is sent as a security scheme of the document says. */
        security?: { scheme: string; value: string };
      });

const COMMON_FIELDS = ['type', 'allowed', 'playbooks', 'orgs', 'record_content', 'request_id', 'timeout'];
const FIELDS = {
  mcp: ['url', 'headers', 'query_params'],
  stdio: ['command', 'args', 'env', 'start_timeout'],
  openapi: ['document', 'base_url', 'headers', 'query_params'],
} as const;
const TYPES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

const USUAL_CALL_MS = 30_000;
const LONGEST_CALL_MINUTES = 30;
const LONGEST_START_MINUTES = 10;

/** What a function can write before the slash. */
export const SERVER_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const ALLOWED_FORM = /^[^\s/]{1,128}$/;

/** Whether an entry may not set a header, because the connection does. */
export function isSetByConnection(header: string): boolean {
  return isSetByClient(header) || ['content-type', 'accept'].includes(header.toLowerCase());
}

const COMMON_SCHEMA: JsonObject = {
  allowed: STRINGS,
  ...PLAYBOOK_FILTER_SCHEMA,
  record_content: BOOLEAN,
  request_id: STRING,
  timeout: STRING,
};

function serverSchema(type: keyof typeof FIELDS, own: JsonObject, required: readonly string[]): JsonObject {
  return objectSchema({ type: { const: type }, ...own, ...COMMON_SCHEMA }, ['type', ...required]);
}

const HTTP_SCHEMA: JsonObject = { headers: mapOf(STRING), query_params: mapOf(STRING) };

export const TOOL_SERVERS: ConfigPart<readonly ToolServer[]> = {
  keys: {
    tool_servers: {
      meaning:
        'MCP servers and HTTP APIs whose tools may be called. Functions write the name of the entry before the slash.',
      default: 'none',
      example: `tool_servers:
  github:
    type: mcp
    url: https://api.example.com/mcp
    headers: { Authorization: "Bearer \${GITHUB_TOKEN}" }
    allowed: ["search_*", create_issue]
    playbooks: [wildlife-strikes]
  files:
    type: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"]
  billing:
    type: openapi
    document: https://billing.example.com/openapi.json
    base_url: https://billing.example.com
    request_id: x-request-id
`,
      schema: mapOf({
        oneOf: [
          serverSchema('mcp', { url: STRING, ...HTTP_SCHEMA }, ['url']),
          serverSchema('stdio', { command: STRING, args: STRINGS, env: mapOf(STRING), start_timeout: STRING }, [
            'command',
          ]),
          serverSchema('openapi', { document: STRING, base_url: STRING, ...HTTP_SCHEMA }, ['document']),
        ],
      }),
    },
  },
  read: ({ file, environment }, leavesOut) =>
    readToolServers(file, environment, leavesOut ? unusableServer : undefined),
};

/** @param instead what takes the place of an entry that does not fit; absent: it is refused */
function readToolServers(
  file: WrittenConfig,
  environment: Environment,
  instead?: (name: string, fault: SettingsError) => ToolServer,
): ToolServer[] {
  const value = Object.hasOwn(file.value, 'tool_servers') ? (file.value['tool_servers'] ?? {}) : {};
  if (!isJsonObject(value))
    throw invalidSetting('tool_servers', file, kindOf(value), 'an object such as { docs: { type: mcp, url: ... } }');
  return Object.entries(value).map(([name, members]) => {
    const at = `tool_servers.${name.slice(0, 80)}`;
    if (!SERVER_NAME.test(name)) throw invalidSetting(at, file, 'has a name that functions cannot use', NAME_FORM);
    if (!isJsonObject(members))
      throw invalidSetting(at, file, kindOf(members), 'an entry such as { type: mcp, url: ... }');
    try {
      return readServer(name, { file, path: at, members }, environment);
    } catch (error) {
      if (instead === undefined || !(error instanceof SettingsError)) throw error;
      return instead(name, error);
    }
  });
}

/** A server in place of an entry that does not fit. It serves every playbook: it only says why it cannot be used. */
function unusableServer(name: string, { message }: SettingsError): ToolServer {
  return {
    type: 'stdio',
    command: '',
    args: [],
    env: {},
    startTimeoutMs: undefined,
    name,
    fault: message,
    playbooks: undefined,
    orgs: undefined,
    allowed: undefined,
    recordContent: true,
    requestId: undefined,
    timeoutMs: USUAL_CALL_MS,
    secrets: [],
  };
}

export const NAME_FORM = 'a name of 1 to 64 letters, digits, `_` and `-`';

/** Reads an entry that is not from the file by the same rules, without replacing variables. @throws SettingsError */
export function readEntry(name: string, members: JsonObject): ToolServer {
  const file = { name: 'the entry', value: members, expand: (text: string) => text };
  return readServer(name, { file, path: '', members }, {});
}

function readServer(name: string, entry: ConfigEntry, environment: Environment): ToolServer {
  const type = typeOf(entry);
  refuseUnknown(Object.keys(entry.members), [...COMMON_FIELDS, ...FIELDS[type]], `${entry.path} in ${entry.file.name}`);
  const common: CommonFields = {
    ...playbookFilterOf(entry),
    name,
    allowed: formsOf(entry, 'allowed', 'a list of names of tools, in which * stands for any part', ALLOWED_FORM),
    recordContent: booleanOf(entry, 'record_content', true),
    requestId: requestIdOf(entry),
    timeoutMs: durationOf(entry, 'timeout', LONGEST_CALL_MINUTES) ?? USUAL_CALL_MS,
    secrets: secretsIn(entry.members, environment),
  };
  switch (type) {
    case 'mcp':
      return { ...common, ...overHttp(entry), type, url: urlOf(entry, 'url') };
    case 'stdio': {
      const { text: command } = textOf(entry, 'command', 'the program to start');
      const args = formsOf(entry, 'args', 'a list of texts', /^[^\0]*$/) ?? [];
      const startTimeoutMs = durationOf(entry, 'start_timeout', LONGEST_START_MINUTES);
      return { ...common, type, command, args, env: textsOf(entry, 'env', /^[^=\0]+$/), startTimeoutMs };
    }
    case 'openapi':
      return readOpenApi(entry, common);
  }
}

function readOpenApi(entry: ConfigEntry, common: CommonFields): ToolServer {
  const { written, text } = textOf(entry, 'document', 'an http or https URL, or the path of a file');
  const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(text);
  const document = isUrl ? urlOf(entry, 'document') : path.resolve(path.dirname(entry.file.name), text);
  const baseUrl = Object.hasOwn(entry.members, 'base_url') ? baseUrlIn(entry) : undefined;
  const http = overHttp(entry);
  const sendsCredentials = Object.keys(http.headers).length + Object.keys(http.queryParams).length > 0;
  if (typeof document === 'string' && baseUrl === undefined && sendsCredentials) {
    const expected =
      'set together with base_url, because headers and query_params are not sent to an address that only a document names';
    throw invalidSetting(`${entry.path}.document`, entry.file, quoted(written), expected);
  }
  return { ...common, ...http, type: 'openapi', document, baseUrl };
}

function typeOf({ file, path, members }: ConfigEntry): keyof typeof FIELDS {
  const written = Object.hasOwn(members, 'type') ? members['type'] : undefined;
  const type = TYPES.find((one) => one === written);
  if (type !== undefined) return type;
  const near = typeof written === 'string' ? nearestName(written, TYPES) : undefined;
  const fault = typeof written === 'string' ? quoted(written) : kindOf(written);
  throw invalidSetting(`${path}.type`, file, fault, near ?? `one of ${TYPES.join(', ')}`);
}

function overHttp(entry: ConfigEntry): HttpServerFields {
  const headers = textsOf(entry, 'headers', HEADER_NAME);
  for (const [name, value] of Object.entries(headers)) {
    const at = `${entry.path}.headers.${name}`;
    if (isSetByConnection(name)) {
      throw invalidSetting(at, entry.file, 'is a header that the connection sets itself', 'another header');
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw invalidSetting(
        at,
        entry.file,
        'contains a character that headers cannot have',
        'one line without control characters',
      );
    }
  }
  return { headers, queryParams: textsOf(entry, 'query_params', /^[^\0]+$/) };
}

function urlOf(entry: ConfigEntry, field: string): URL {
  const expected = 'an http or https URL without a user name and password';
  const { text } = textOf(entry, field, expected);
  const url = URL.parse(text);
  const isValid = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  // The value is not shown: it may contain a password.
  if (!isValid) throw invalidSetting(`${entry.path}.${field}`, entry.file, 'is not valid', expected);
  return url;
}

/** A query would go in front of every call's own; `query_params` is for that. */
function baseUrlIn(entry: ConfigEntry): URL {
  const { text } = textOf(entry, 'base_url', BASE_URL_FORM);
  const url = baseUrlOf(text);
  if (url === undefined) throw invalidSetting(`${entry.path}.base_url`, entry.file, 'is not valid', BASE_URL_FORM);
  return new URL(url);
}

/** In milliseconds, from a second to so many minutes. */
function durationOf(entry: ConfigEntry, field: string, mostMinutes: number): number | undefined {
  if (!Object.hasOwn(entry.members, field)) return undefined;
  const expected = `a duration from PT1S to PT${mostMinutes}M, such as PT2M`;
  const { written, text } = textOf(entry, field, expected);
  const duration = parseDuration(text);
  const isFit =
    duration?.months === 0 && duration.milliseconds >= 1000 && duration.milliseconds <= mostMinutes * 60_000;
  if (isFit) return duration.milliseconds;
  throw invalidSetting(`${entry.path}.${field}`, entry.file, quoted(written), expected);
}

function requestIdOf(entry: ConfigEntry): string | undefined {
  if (!Object.hasOwn(entry.members, 'request_id')) return undefined;
  const expected = 'the name of a header, or of a member of `_meta`';
  const { written, text } = textOf(entry, 'request_id', expected);
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text;
  throw invalidSetting(`${entry.path}.request_id`, entry.file, quoted(written), expected);
}

function formsOf(entry: ConfigEntry, field: string, expected: string, form: RegExp): string[] | undefined {
  return listOf(entry, field, { list: expected, each: 'a string' }, ({ file, path, written, text }) => {
    if (form.test(text)) return text;
    throw invalidSetting(path, file, quoted(written), expected);
  });
}

function textsOf({ file, path, members }: ConfigEntry, field: string, name: RegExp): Record<string, string> {
  const value = Object.hasOwn(members, field) ? (members[field] ?? {}) : {};
  const at = `${path}.${field}`;
  if (!isJsonObject(value)) throw invalidSetting(at, file, kindOf(value), 'an object whose values are strings');
  const entries = Object.entries(value).map(([key, held]) => {
    const setting = `${at}.${key.slice(0, 80)}`;
    if (!name.test(key)) throw invalidSetting(setting, file, 'has a name with an invalid character', 'a valid name');
    if (typeof held !== 'string') throw invalidSetting(setting, file, kindOf(held), 'a string; put it in quotes');
    return [key, file.expand(held, `${setting} in ${file.name}`)] as const;
  });
  return Object.fromEntries(entries);
}

/** Names in the entry's texts; every one of them is set, or reading the entry has failed. */
function secretsIn(members: JsonObject, environment: Environment): string[] {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value === 'string') {
      for (const [, name = ''] of value.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)) {
        const secret = environmentVariable(environment, name);
        if (secret !== undefined) found.add(secret);
      }
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  visit(members);
  return [...found];
}

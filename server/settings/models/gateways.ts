import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isSetByClient } from '../../lib/http-client/index.ts';
import { BASE_URL_FORM, baseUrlOf } from '../variables.ts';
import type { WrittenConfig } from '../entries.ts';
import { SettingsError } from '../settings-error.ts';
import { type Environment, environmentVariable, VARIABLE_NAME, WHERE_TO_SET } from '../environment.ts';
import { isBuiltIn } from './built-in.ts';
import type { Gateway } from './model-settings.ts';
import { PREFIX_FORM } from './reference.ts';
import { kindWords, refuseUnknownFields, shown, type WrittenSetting, writtenSetting, wrong } from './written.ts';

const FIELDS = [
  'name',
  'base_url',
  'api_key',
  'headers',
  'query_params',
  'structured_outputs',
  'include_usage',
  'expose_provider_messages',
  'allowed_provider_options',
];

/** What the runtime writes into the body itself. */
const OWN_OPTIONS = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'response_format',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'reasoning_effort',
  'verbosity',
  'reasoningEffort',
  'textVerbosity',
  'strictJsonSchema',
]);

const MOST_OPTIONS = 64;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/**
 * @param keepsUnusable whether an entry that does not fit is a gateway that cannot be used, instead of being refused
 * @throws SettingsError
 */
export function readGateways(file: WrittenConfig, environment: Environment, keepsUnusable = false): Gateway[] {
  const written = writtenSetting('model_gateways', file, environment);
  if (written === undefined) return [];
  const list = written.isVariable ? written.value : (written.value ?? []);
  if (!Array.isArray(list)) throw wrong(written.name, kindWords(list), LIST_FORM);
  const gateways = list.map((members, index) => {
    if (!isJsonObject(members)) throw wrong(written.at(`[${index}]`), kindWords(members), 'an object');
    const entry = { written, place: `[${index}]`, members };
    const prefix = nameOf(entry);
    try {
      return readGateway(prefix, entry, environment);
    } catch (error) {
      if (!keepsUnusable || !(error instanceof SettingsError)) throw error;
      return unusableGateway(prefix, error);
    }
  });
  gateways.forEach(({ prefix }, index) => {
    if (gateways.findIndex((one) => one.prefix === prefix) === index) return;
    throw wrong(written.at(`[${index}].name`), `repeats ${shown(prefix)}`, 'unique');
  });
  return gateways;
}

const LIST_FORM = 'a list of gateways such as { name: local, base_url: http://127.0.0.1:11434/v1 }';

interface GatewayEntry {
  written: WrittenSetting;
  place: string;
  members: JsonObject;
}

/** A gateway in place of an entry that does not fit: definitions may name its models, and only a call of one is refused. */
function unusableGateway(prefix: string, { message }: SettingsError): Gateway {
  return {
    kind: 'gateway',
    prefix,
    baseUrl: '',
    apiKey: undefined,
    headers: {},
    queryParams: {},
    structuredOutputs: false,
    includeUsage: false,
    exposesMessages: false,
    allowedOptions: [],
    fault: message,
  };
}

function readGateway(prefix: string, entry: GatewayEntry, environment: Environment): Gateway {
  const { written, place, members } = entry;
  const fields = written.isVariable ? [...FIELDS, 'api_key_env'] : FIELDS;
  refuseUnknownFields(members, fields, written.at(place));
  return {
    kind: 'gateway',
    prefix,
    baseUrl: urlOf(entry),
    apiKey: keyOf(entry, environment),
    headers: headersOf(entry),
    queryParams: textsOf(entry, 'query_params'),
    structuredOutputs: flagOf(entry, 'structured_outputs'),
    includeUsage: flagOf(entry, 'include_usage'),
    exposesMessages: flagOf(entry, 'expose_provider_messages'),
    allowedOptions: optionsOf(entry),
  };
}

function memberOf({ members }: GatewayEntry, field: string): Json | undefined {
  return Object.hasOwn(members, field) ? members[field] : undefined;
}

function textOf(entry: GatewayEntry, field: string, expected: string): string {
  const value = memberOf(entry, field);
  const at = entry.written.at(`${entry.place}.${field}`);
  if (typeof value !== 'string' || value === '') throw wrong(at, kindWords(value), expected);
  return entry.written.expand(value, `${entry.place}.${field}`);
}

function nameOf(entry: GatewayEntry): string {
  const expected = '1 to 32 lowercase letters, digits and hyphens, beginning with a letter';
  const name = textOf(entry, 'name', expected);
  const at = entry.written.at(`${entry.place}.name`);
  if (!PREFIX_FORM.test(name)) throw wrong(at, `is ${shown(name)}`, expected);
  if (isBuiltIn(name)) throw wrong(at, `is ${shown(name)}, the name of a built-in provider`, 'another name');
  return name;
}

function urlOf(entry: GatewayEntry): string {
  const url = baseUrlOf(textOf(entry, 'base_url', BASE_URL_FORM));
  if (url !== undefined) return url;
  // The value is not shown: it may contain a password.
  throw wrong(entry.written.at(`${entry.place}.base_url`), 'is not valid', BASE_URL_FORM);
}

function keyOf(entry: GatewayEntry, environment: Environment): string | undefined {
  const { written, place } = entry;
  const variable = memberOf(entry, 'api_key_env');
  const key = memberOf(entry, 'api_key');
  if (variable === undefined) return key === undefined ? undefined : ownKey(entry);
  const at = written.at(`${place}.api_key_env`);
  if (key !== undefined) throw wrong(at, 'is set together with api_key', 'the only one of the two');
  const isName = typeof variable === 'string' && VARIABLE_NAME.test(variable);
  const value = isName ? environmentVariable(environment, variable) : undefined;
  if (value !== undefined) return checkedKey(at, value);
  // Shown only if it is clearly a name: it may be the key itself.
  const names = isName && /^[A-Z_][A-Z0-9_]{0,63}$/.test(variable);
  const fault = names
    ? `names the variable ${variable}, which is not set`
    : 'is not the name of a variable that is set';
  throw wrong(at, fault, `the name of a variable; ${WHERE_TO_SET}`);
}

function ownKey(entry: GatewayEntry): string {
  const { written, place } = entry;
  const value = memberOf(entry, 'api_key');
  const at = written.at(`${place}.api_key`);
  const expected = written.isVariable ? 'a string' : 'a reference to a variable, ${NAME}';
  if (typeof value !== 'string' || value === '') throw wrong(at, kindWords(value), expected);
  if (!written.isVariable && !/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value)) {
    throw wrong(at, 'contains the key itself', expected);
  }
  return checkedKey(at, written.expand(value, `${place}.api_key`));
}

function checkedKey(at: string, key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw wrong(at, 'contains a character that a key cannot have', 'one word of printable ASCII characters');
}

function headersOf(entry: GatewayEntry): Record<string, string> {
  const headers = textsOf(entry, 'headers');
  for (const [name, value] of Object.entries(headers)) {
    const at = entry.written.at(`${entry.place}.headers.${name.slice(0, 80)}`);
    if (!HEADER_NAME.test(name)) throw wrong(at, 'has an invalid name', 'a valid header name');
    if (isSetByClient(name) || name.toLowerCase() === 'content-type')
      throw wrong(at, 'is a header that the request sets itself', 'another header');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw wrong(at, 'contains a character that headers cannot have', 'one line without control characters');
    }
  }
  return headers;
}

function textsOf(entry: GatewayEntry, field: string): Record<string, string> {
  const value = memberOf(entry, field) ?? {};
  const { written, place } = entry;
  if (!isJsonObject(value))
    throw wrong(written.at(`${place}.${field}`), kindWords(value), 'an object whose values are strings');
  const texts = Object.entries(value).map(([name, held]) => {
    const at = `${place}.${field}.${name.slice(0, 80)}`;
    if (typeof held !== 'string') throw wrong(written.at(at), kindWords(held), 'a string; put it in quotes');
    return [name, written.expand(held, at)] as const;
  });
  return Object.fromEntries(texts);
}

function flagOf(entry: GatewayEntry, field: string): boolean {
  const value = memberOf(entry, field) ?? false;
  if (typeof value === 'boolean') return value;
  throw wrong(entry.written.at(`${entry.place}.${field}`), kindWords(value), 'true or false');
}

function optionsOf(entry: GatewayEntry): string[] {
  const field = 'allowed_provider_options';
  const value = memberOf(entry, field) ?? [];
  const at = (place = ''): string => entry.written.at(`${entry.place}.${field}${place}`);
  const expected = `a list of at most ${MOST_OPTIONS} names of 1 to 64 characters`;
  if (!Array.isArray(value)) throw wrong(at(), kindWords(value), expected);
  if (value.length > MOST_OPTIONS) throw wrong(at(), `has ${value.length} names`, expected);
  return value.map((name, index) => {
    const place = at(`[${index}]`);
    if (typeof name !== 'string') throw wrong(place, kindWords(name), 'a name of 1 to 64 characters');
    if (name === '' || name.length > 64) throw wrong(place, `is ${shown(name)}`, 'a name of 1 to 64 characters');
    if (OWN_OPTIONS.has(name)) throw wrong(place, `is ${name}, which the runtime sets itself`, 'another name');
    if (value.indexOf(name) !== index) throw wrong(place, `repeats ${shown(name)}`, 'unique');
    return name;
  });
}

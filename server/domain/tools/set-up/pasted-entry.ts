// A server as other clients describe it, as an entry of `tool_servers`.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { baseName, hostName, programName } from './server-names.ts';
import { shellWords } from './shell-words.ts';
import { startableProgram } from './startable-program.ts';

/** A server as the paste describes it, with its secrets. */
export interface PastedServer {
  name: string;
  /** As an entry of `tool_servers`. */
  entry: JsonObject;
  /** Sentences about what could not be kept. */
  notes: string[];
}

/** What clients call the address of a remote server. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl', 'server_url', 'uri'];
/** What APIs of models call the token of a remote server; the scheme `Bearer` is left out. */
const TOKENS = ['authorization_token', 'authorization'];
const COMMANDS = ['command', 'cmd'];
/** Members that mean nothing here, or only what `type` says. */
const IGNORED =
  'type transport disabled enabled name description gallery version source bundled display_name available_tools schema server_label';
const KNOWN = new Set([
  ...IGNORED.split(' '),
  ...ADDRESSES,
  ...COMMANDS,
  ...TOKENS,
  ...'args env envs environment env_keys env_vars headers http_headers env_http_headers requestInit requestOptions'.split(
    ' ',
  ),
  ...'bearer_token_env_var start_timeout timeout allowed startup_timeout_sec tool_timeout_sec'.split(' '),
  ...'enabled_tools includeTools'.split(' '),
]);

export function isServer(value: JsonObject): boolean {
  const { command, transport } = value;
  if (COMMANDS.some((key) => typeof value[key] === 'string') || Array.isArray(command)) return true;
  if (isJsonObject(command)) return typeof command['path'] === 'string';
  if (['document', ...ADDRESSES].some((key) => typeof value[key] === 'string')) return true;
  return isJsonObject(transport) && isServer(transport);
}

/** The name of an entry that stands alone. */
export function nameOf(value: JsonObject): string {
  const named = value['name'] ?? value['server_label'];
  if (typeof named === 'string') return named;
  const entry = flattened(value);
  const address = [...ADDRESSES, 'document'].map((key) => entry[key]).find((one) => typeof one === 'string');
  if (typeof address === 'string') return URL.canParse(address) ? hostName(new URL(address)) : baseName(address);
  const [command, args] = commandOf(entry);
  return programName(command, args);
}

export function readEntry(name: string, written: JsonObject): PastedServer {
  // An entry in Cuebook's own form is taken as it is.
  const isOwn = ['mcp', 'openapi'].includes(String(written['type'])) && written['server_url'] === undefined;
  if (isOwn || typeof written['document'] === 'string') {
    return { name, entry: written, notes: [] };
  }
  const value = flattened(written);
  const notes: string[] = [];
  if (value['disabled'] === true || value['enabled'] === false) {
    notes.push('It is disabled in the pasted configuration; here it would be used.');
  }
  const times = timesOf(value);
  const lost = Object.keys(value).filter(
    (key) => !KNOWN.has(key) || (key === 'timeout' && times['timeout'] === undefined),
  );
  if (lost.length > 0) {
    const shown = lost.slice(0, 10).map((key) => key.slice(0, 40));
    notes.push(`Not kept, because Cuebook has no such setting: ${shown.join(', ')}.`);
  }
  const common = { ...times, ...allowedOf(value) };
  if (COMMANDS.some((key) => value[key] !== undefined)) {
    const [command, args, assigned] = commandOf(value);
    const env = { ...assigned, ...environmentOf(value) };
    const program = startableProgram({ command, args, env });
    return {
      name,
      entry: { type: 'stdio', ...program.entry, ...common },
      notes: [...notes, ...program.notes],
    };
  }
  if (value['type'] === 'sse' || value['transport'] === 'sse') notes.push(SSE);
  const url = ADDRESSES.map((key) => value[key]).find((one) => typeof one === 'string') ?? '';
  const headers = headersOf(value);
  return {
    name,
    entry: { type: 'mcp', url, ...(Object.keys(headers).length === 0 ? {} : { headers }), ...common },
    notes,
  };
}

export const SSE =
  'It is described with the transport SSE, which Cuebook does not support. Use its address of Streamable HTTP if it has one.';

/** With the members of `transport` and of a nested command (Zed) beside the others. */
function flattened(value: JsonObject): JsonObject {
  const { transport, command, ...others } = value;
  if (isJsonObject(transport))
    return flattened({ ...others, ...(command === undefined ? {} : { command }), ...transport });
  if (!isJsonObject(command)) return value;
  const { path, ...parts } = command;
  return { ...others, ...(transport === undefined ? {} : { transport }), command: path ?? '', ...parts };
}

/** Some clients write the whole command line, or all its words, into `command`. A path may contain blanks. */
function commandOf(value: JsonObject): [command: string, args: string[], env: Record<string, string>] {
  const written = value['command'] ?? value['cmd'] ?? '';
  const given = value['args'];
  if (Array.isArray(written)) {
    const [command = '', ...args] = [...textsIn(written), ...textsIn(given)];
    return [command, args, {}];
  }
  const line = String(written).trim();
  const isPath = /^(?:[/.~]|[A-Za-z]:)/.test(line) && !/\s--?[A-Za-z]/.test(line);
  const isLine = (given === undefined || textsIn(given).length === 0) && /\s/.test(line) && !isPath;
  if (!isLine) return [line, textsIn(given), {}];
  const words = (shellWords(line) ?? []).flatMap((word) => word.text ?? []);
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  const [command = line, ...args] = start === -1 ? [] : words.slice(start);
  return [command, args, assignedIn(words.slice(0, Math.max(0, start)))];
}

/** `NAME=value` before a program. */
export const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

export function assignedIn(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
  );
}

/** A list, or a text of several words. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return (shellWords(value) ?? []).flatMap(({ text }) => text ?? []);
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
}

/** Variables that clients name without a value are to be given. */
function environmentOf(value: JsonObject): Record<string, string> {
  const named = [...textsIn(value['env_keys']), ...textsIn(value['env_vars'])];
  return {
    ...Object.fromEntries(named.map((name) => [name, `\${${name}}`])),
    ...textMembers(value['env']),
    ...textMembers(value['envs']),
    ...textMembers(value['environment']),
  };
}

function headersOf(value: JsonObject): Record<string, string> {
  const { requestInit, requestOptions, bearer_token_env_var: bearer } = value;
  const nested = [requestInit, requestOptions].map((one) => (isJsonObject(one) ? one['headers'] : undefined));
  const token = TOKENS.map((key) => value[key]).find((one) => typeof one === 'string');
  const byVariable = Object.entries(textMembers(value['env_http_headers']));
  return {
    ...(token === undefined ? {} : { Authorization: /\s/.test(String(token)) ? String(token) : `Bearer ${token}` }),
    ...[...nested, value['http_headers'], value['headers']].reduce<Record<string, string>>(
      (all, one) => ({ ...all, ...textMembers(one) }),
      {},
    ),
    ...Object.fromEntries(byVariable.map(([name, variable]) => [name, `\${${variable}}`])),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}),
  };
}

/** The values of `env` and `headers` as texts; members without a value are left out. */
function textMembers(value: Json | undefined): Record<string, string> {
  const members = Array.isArray(value) ? value.flatMap(memberIn) : Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    members.flatMap(([key, one]) =>
      one === null ? [] : [[key, typeof one === 'string' ? one : JSON.stringify(one)] as const],
    ),
  );
}

/** Lists have items such as `NAME=value`, `Name: value` and `{ name, value }`. */
function memberIn(item: Json): [string, Json][] {
  if (typeof item === 'string') {
    const [, name, text = ''] = /^([\w.-]{1,200})(?:=|:[ \t]*)([^]*)$/.exec(item.trim()) ?? [];
    return name === undefined ? [] : [[name, text]];
  }
  const { name, key, value } = isJsonObject(item) ? item : {};
  const named = name ?? key;
  return typeof named === 'string' && value !== undefined ? [[named, value]] : [];
}

/** Codex names the unit of its time limits. What a bare `timeout` counts differs from client to client. */
function timesOf(value: JsonObject): JsonObject {
  const seconds = (key: string, most: number): string | undefined => {
    const given = value[key];
    return typeof given === 'number' && given > 0 && given <= most ? `PT${given}S` : undefined;
  };
  const own = (key: string): Json | undefined => (String(value[key]).startsWith('P') ? value[key] : undefined);
  const startTimeout = own('start_timeout') ?? seconds('startup_timeout_sec', 600);
  const timeout = own('timeout') ?? seconds('tool_timeout_sec', 1800);
  return {
    ...(startTimeout === undefined ? {} : { start_timeout: startTimeout }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

function allowedOf(value: JsonObject): JsonObject {
  const names = value['allowed'] ?? value['enabled_tools'] ?? value['includeTools'];
  return Array.isArray(names) && names.length > 0 ? { allowed: textsIn(names) } : {};
}

// Reads what a person pastes: the configuration of another client, a command line, or an address. Messages contain no
// values, which may be secrets.
import { parseDocument } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { shellWords } from './shell-words.ts';

/** A server as the paste describes it, with its secrets. */
export interface PastedServer {
  name: string;
  /** As an entry of `tool_servers`. */
  entry: JsonObject;
  /** Sentences about what could not be kept. */
  notes: string[];
}

export type Paste = { ok: true; servers: PastedServer[] } | { ok: false; detail: string };

/** What an address is, where it does not tell. */
export type AddressKind = 'mcp' | 'openapi';

/** The members under which clients keep their servers. VS Code nests its own in `mcp` in its settings. */
const HOLDERS = ['mcpServers', 'servers', 'context_servers', 'tool_servers'];
/** What clients call the address of a remote server. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl'];
/** Members that mean nothing here, or only what `type` says. */
const IGNORED = ['type', 'transport', 'disabled', 'enabled', 'name', 'description', 'gallery', 'version', 'source'];
const KNOWN = [...IGNORED, ...ADDRESSES, 'command', 'args', 'env', 'headers', 'http_headers', 'requestInit'];

const NO_SERVER =
  'There is no tool server in it. Paste the JSON with `mcpServers` or `servers` of another client, a command, or an address.';

export function readPaste(pasted: string, kind?: AddressKind): Paste {
  const text = pasted.trim();
  if (/^https?:\/\/\S+$/i.test(text) || /^\S+\.(?:json|ya?ml)$/i.test(text)) return readAddress(text, kind);
  if (/^["{]/.test(text) || /^(?:mcpServers|servers|tool_servers)\s*:/m.test(text)) return readObject(text);
  return readCommand(text);
}

function readAddress(text: string, kind: AddressKind | undefined): Paste {
  const url = URL.parse(text);
  const isDocument = /\.(?:json|ya?ml)$|openapi|swagger|api-docs/i.test(url?.pathname ?? text);
  const isApi = url === null || (kind ?? (isDocument ? 'openapi' : 'mcp')) === 'openapi';
  const name = url === null ? baseName(text) : hostName(url);
  const entry: JsonObject = isApi ? { type: 'openapi', document: text } : { type: 'mcp', url: text };
  return { ok: true, servers: [{ name, entry, notes: [] }] };
}

function readCommand(line: string): Paste {
  const words = shellWords(line.replace(/^\$ /, ''));
  if (words === undefined) return { ok: false, detail: 'The command has a quote that is not closed.' };
  const variable = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/;
  const start = words.findIndex((word) => !variable.test(word));
  const [command, ...args] = start === -1 ? [] : words.slice(start);
  if (command === undefined) return { ok: false, detail: NO_SERVER };
  if (args.some((word) => ['|', '||', '&&', '&', ';', '>', '<'].includes(word)))
    return { ok: false, detail: 'The program is started without a shell: paste one command without `|`, `&&` or `>`.' };
  const env = Object.fromEntries(
    words.slice(0, start).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  const entry = {
    type: 'stdio',
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
  return { ok: true, servers: [{ name: programName(command, args), entry, notes: [] }] };
}

/** JSON with comments and trailing commas, as clients write it, or the same as YAML. */
function readObject(text: string): Paste {
  const braced = text.startsWith('"') ? `{${text.replace(/,$/, '')}}` : text;
  const value = parsed(braced.replaceAll(/^[ \t]*\/\/.*$/gm, '').replaceAll(/^[ \t]*\/\*[^]*?\*\//gm, ''));
  if (value === undefined) {
    return {
      ok: false,
      detail: 'The JSON has an error: a brace, a quote or a comma is missing, or a name occurs twice.',
    };
  }
  if (!isJsonObject(value)) return { ok: false, detail: NO_SERVER };
  const held = holderOf(value) ?? holderOf(value['mcp']);
  const servers = held ?? (isServer(value) ? { [nameOf(value)]: value } : value);
  const entries = Object.entries(servers);
  const read = entries.flatMap(([name, entry]) =>
    isJsonObject(entry) && isServer(entry) ? [readEntry(name, entry)] : [],
  );
  if (read.length === 0) return { ok: false, detail: NO_SERVER };
  const [left] = entries.find(([, entry]) => !isJsonObject(entry) || !isServer(entry)) ?? [];
  if (left === undefined) return { ok: true, servers: read };
  return {
    ok: false,
    detail: `${JSON.stringify(left.slice(0, 80))} has no \`command\`, \`url\` or \`document\`; add one, or remove it.`,
  };
}

function parsed(text: string): Json | undefined {
  try {
    const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, logLevel: 'silent' });
    if (document.errors.length > 0) return undefined;
    // Through JSON, as YAML knows values that JSON does not.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 0 })) ?? 'null') as Json;
  } catch {
    return undefined;
  }
}

function holderOf(value: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  return HOLDERS.map((key) => value[key]).find((held): held is JsonObject => isJsonObject(held) && !isServer(held));
}

function isServer(value: JsonObject): boolean {
  return ['command', 'document', ...ADDRESSES].some((key) => typeof value[key] === 'string');
}

function nameOf(value: JsonObject): string {
  if (typeof value['name'] === 'string') return value['name'];
  const address = [...ADDRESSES, 'document'].map((key) => value[key]).find((one) => typeof one === 'string');
  if (typeof address === 'string') return URL.canParse(address) ? hostName(new URL(address)) : baseName(address);
  return programName(String(value['command']), textsIn(value['args']));
}

function readEntry(name: string, value: JsonObject): PastedServer {
  // An entry in Cuebook's own form is taken as it is.
  if (['mcp', 'openapi'].includes(String(value['type'])) || typeof value['document'] === 'string') {
    return { name, entry: value, notes: [] };
  }
  const notes: string[] = [];
  if (value['disabled'] === true || value['enabled'] === false) {
    notes.push('It is disabled in the pasted configuration; here it would be used.');
  }
  const lost = Object.keys(value).filter((key) => !KNOWN.includes(key));
  if (lost.length > 0) {
    notes.push(
      `Not kept, because Cuebook has no such setting: ${lost
        .slice(0, 10)
        .map((key) => key.slice(0, 40))
        .join(', ')}.`,
    );
  }
  if (typeof value['command'] === 'string') {
    const [command, args] = commandOf(value['command'], value['args']);
    const env = textMembers(value['env']);
    return {
      name,
      entry: {
        type: 'stdio',
        command,
        ...(args.length === 0 ? {} : { args }),
        ...(Object.keys(env).length === 0 ? {} : { env }),
      },
      notes,
    };
  }
  if (value['type'] === 'sse' || value['transport'] === 'sse') {
    notes.push(
      'It is described with the transport SSE, which Cuebook does not support. Use its address of Streamable HTTP if it has one.',
    );
  }
  const url = ADDRESSES.map((key) => value[key]).find((one) => typeof one === 'string') ?? '';
  const requestInit = value['requestInit'];
  const headers = textMembers(
    value['headers'] ?? value['http_headers'] ?? (isJsonObject(requestInit) ? requestInit['headers'] : undefined),
  );
  return { name, entry: { type: 'mcp', url, ...(Object.keys(headers).length === 0 ? {} : { headers }) }, notes };
}

/** Some clients write the whole command line into `command`. A path may contain blanks. */
function commandOf(written: string, given: Json | undefined): [command: string, args: string[]] {
  const isLine = given === undefined && /\s/.test(written) && !/^(?:[/.~]|[A-Za-z]:)/.test(written);
  const [command = written, ...args] = isLine ? (shellWords(written) ?? []) : [];
  return [command, isLine ? args : textsIn(given)];
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
}

/** The values of `env` and `headers` as texts; members without a value are left out. */
function textMembers(value: Json | undefined): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      one === null ? [] : [[key, typeof one === 'string' ? one : JSON.stringify(one)] as const],
    ),
  );
}

/** Programs that start another one, which their arguments name. */
const STARTERS = [
  'npx',
  'npx.cmd',
  'uvx',
  'uv',
  'bunx',
  'pnpm',
  'pnpx',
  'yarn',
  'node',
  'python',
  'python3',
  'docker',
  'podman',
  'deno',
  'bun',
  'cmd',
  'env',
];
const VERBS = ['run', 'dlx', 'exec', 'tool', 'x', '/c', 'npx'];

function programName(command: string, args: readonly string[]): string {
  const own = baseName(command);
  if (!STARTERS.includes(own.toLowerCase())) return own;
  const started = args.find((word) => !word.startsWith('-') && !VERBS.includes(word) && !word.includes('='));
  return started === undefined ? own : baseName(cutAtLast(':', cutAtLast('@', started)));
}

/** A package's or an image's name without its version, which stands after the mark in its last part. */
function cutAtLast(mark: '@' | ':', name: string): string {
  const at = name.indexOf(mark, Math.max(1, name.lastIndexOf('/')));
  return at === -1 ? name : name.slice(0, at);
}

/** The last part of a path or a package's name, without what names of servers have in common. */
function baseName(text: string): string {
  const last = text.split(/[/\\]/).findLast((part) => part !== '') ?? text;
  const bare = last.replace(/\.(?:json|ya?ml|[cm]?[jt]s|py|exe|cmd)$/i, '');
  return bare.replace(/^(?:mcp-server|server|mcp)-|-(?:mcp-server|mcp|server)$/gi, '') || bare;
}

/** The part of a host's name that says most: `api.example.com` is `example`. */
function hostName({ hostname }: URL): string {
  if (/^[\d.]+$|:/.test(hostname)) return 'server';
  const parts = hostname.split('.').filter((part) => !['www', 'api', 'mcp'].includes(part));
  return parts.at(-2) ?? parts[0] ?? hostname;
}

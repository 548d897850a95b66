// The commands with which clients add a server: `claude mcp add`, `codex mcp add`, `code --add-mcp` and those like them.
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { hostName } from './server-names.ts';
import { readJson } from './json-with-comments.ts';
import { assignedIn, ASSIGNMENT, isServer, type PastedServer, readEntry, SSE } from './pasted-entry.ts';

export type Reading = { ok: true; servers: PastedServer[] } | { ok: false; detail: string };

const refused = (detail: string): Reading => ({ ok: false, detail });
const NO_TARGET =
  'The command adds no server: `mcp add` needs a name, and a command or an address after it, such as `mcp add NAME -- npx -y PACKAGE`.';
const NO_JSON = 'The command adds no server: the JSON in it is not valid, or has no `command` and no `url`.';

const REMOTE = /^https?:\/\//i;

/** Options with a value, by the name that is read here. */
const OPTIONS: Readonly<Record<string, string>> = {
  '-s': 'scope',
  '--scope': 'scope',
  '-t': 'transport',
  '--transport': 'transport',
  '--type': 'transport',
  '-e': 'env',
  '--env': 'env',
  '-H': 'header',
  '--header': 'header',
  '--headers': 'header',
  '--name': 'name',
  '--url': 'url',
  '--command': 'command',
  '--args': 'args',
  '--bearer-token-env-var': 'bearer',
  '--include-tools': 'tools',
  '--exclude-tools': 'lost',
  '--timeout': 'lost',
  '--description': 'lost',
  '--client-id': 'lost',
  '--callback-port': 'lost',
  '--cwd': 'lost',
  '--agent': 'scope',
};
/** An option takes these words too, as one of them may follow another. */
const MORE: Readonly<Record<string, RegExp>> = { env: ASSIGNMENT, header: /^[A-Za-z][\w-]{0,60}:(?!\/\/)/ };

/** Undefined for a command that adds no server. */
export function readClientCommand(words: readonly string[]): Reading | undefined {
  const addMcp = words.findIndex((word) => /^--?add-mcp(?:=|$)/.test(word));
  if (addMcp !== -1) return addedJson(undefined, words[addMcp]?.split(/=([^]*)/)[1] ?? words[addMcp + 1]);
  const mcp = words.indexOf('mcp');
  const [client = ''] = words;
  const verb = words[mcp + 1] ?? '';
  if (mcp < 1 || mcp > 3 || !/^[\w.@/-]+$/.test(client)) return undefined;
  const rest = words.slice(mcp + 2);
  if (verb === 'add') return added(rest);
  if (verb === 'add-json') {
    const [name, json] = operandsOf(rest).operands;
    return addedJson(name, json);
  }
  if (/^(?:add-from|import|remove|list|get|reset|login|logout|auth)/.test(verb))
    return refused('That command adds no server that it describes; paste `mcp add`, or the JSON of the server.');
  return undefined;
}

function addedJson(name: string | undefined, text: string | undefined): Reading {
  // In PowerShell, quotes within the quotes have backslashes.
  const value = text === undefined ? undefined : (readJson(text) ?? readJson(text.replaceAll('\\"', '"')));
  if (!isJsonObject(value) || !isServer(value)) return refused(NO_JSON);
  const written = typeof value['name'] === 'string' ? value['name'] : undefined;
  return { ok: true, servers: [readEntry(name ?? written ?? 'server', value)] };
}

interface Operands {
  operands: string[];
  options: Record<string, string[]>;
}

/** Options stand anywhere before `--`; what is none of the client's is an argument of the server. */
function operandsOf(words: readonly string[]): Operands {
  const operands: string[] = [];
  const options: Record<string, string[]> = {};
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { operands: [...operands, ...words.slice(at + 1)], options };
    const [, flag = word, attached] = /^(--?[A-Za-z][\w-]*)=([^]*)$/.exec(word) ?? [];
    const option = optionFor(flag, words[at + 1] ?? '', operands);
    if (option === undefined) {
      // A flag before the command is the client's, such as `--trust`.
      if (!word.startsWith('-') || operands.length > 1) operands.push(word);
      continue;
    }
    const values = (options[option] ??= []);
    if (attached !== undefined) {
      values.push(attached);
      continue;
    }
    at += 1;
    values.push(words[at] ?? '');
    const more = MORE[option];
    while (more?.test(words[at + 1] ?? '') === true) {
      at += 1;
      values.push(words[at] ?? '');
    }
  }
  return { operands, options };
}

function optionFor(flag: string, value: string, [, target]: readonly string[]): string | undefined {
  const option = Object.hasOwn(OPTIONS, flag) ? OPTIONS[flag] : undefined;
  // The options of a container program look the same.
  if (target !== undefined && /^(?:docker|podman)$/.test(target)) return undefined;
  return option === 'env' && target !== undefined && !ASSIGNMENT.test(value) ? undefined : option;
}

function added(words: readonly string[]): Reading {
  const { operands, options } = operandsOf(words);
  const [transport = ''] = options['transport'] ?? [];
  const [first, ...others] = operands;
  const isNameless = options['name'] !== undefined || (others.length === 0 && REMOTE.test(first ?? ''));
  const named = options['name']?.[0] ?? (isNameless ? undefined : first);
  const rest = isNameless ? operands : others;
  const target = options['url']?.[0] ?? options['command']?.[0] ?? rest.shift();
  if (target === undefined || target === '') return refused(NO_TARGET);
  const notes =
    options['lost'] === undefined ? [] : ['Some options of the command have no setting here and are left out.'];
  const tools = (options['tools'] ?? []).flatMap((list) => list.split(','));
  const allowed = tools.length === 0 ? {} : { allowed: tools };
  if (REMOTE.test(target)) {
    const url = URL.parse(target);
    if (transport === 'sse') notes.push(SSE);
    const [bearer] = options['bearer'] ?? [];
    const headers = {
      ...headersIn(options['header'] ?? []),
      ...(bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` }),
    };
    const entry: JsonObject = { type: 'mcp', url: target, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
    return {
      ok: true,
      servers: [{ name: named ?? (url === null ? 'server' : hostName(url)), entry: { ...entry, ...allowed }, notes }],
    };
  }
  if (/^(?:http|sse|streamable-http)$/.test(transport)) return refused(NO_TARGET);
  const env = assignedIn(options['env'] ?? []);
  const args = [...(options['args'] ?? []).flatMap(listed), ...rest];
  const server = readEntry(named ?? 'server', { command: target, args, env, ...allowed });
  return { ok: true, servers: [{ ...server, notes: [...notes, ...server.notes] }] };
}

function listed(args: string): string[] {
  const value = args.startsWith('[') ? readJson(args) : undefined;
  return Array.isArray(value) ? value.map(String) : args.split(/[ ,]/).filter((word) => word !== '');
}

function headersIn(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.flatMap((word) => {
      const at = word.search(/[:=]/);
      return at < 1 ? [] : [[word.slice(0, at).trim(), word.slice(at + 1).trim()] as const];
    }),
  );
}

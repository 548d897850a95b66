// Checks an entry that a person's agent sends: it is refused if an entry of the configuration file would be, and if it
// contains what only the operator may set or what belongs in the secret store.
import type { Issue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Connection, ConnectionEntry } from '../../../shared/schemas/index.ts';
import { escapeToken } from '../../lib/json-pointer.ts';
import { HEADER_NAME, InvalidSetting, readEntry, SettingsError, type ToolServer } from '../../settings/index.ts';
import { addressIssue } from './check-address.ts';
import { LOOKS_SECRET, textIssues } from './check-texts.ts';
import { hasSecretForm, isNamedLikeSecret } from './looks-secret.ts';

type Kind = Connection['kind'];
export type HttpEntry = Exclude<ToolServer, { type: 'stdio' }>;

const ADDRESSES = ['url', 'document', 'base_url'] as const;
const NEEDED = { mcp: 'url', openapi: 'document' } as const;
const OF_KIND = { mcp: ['url'], openapi: ['document', 'base_url'] } as const;

/** Pointers start at the request; if there are none, `entryOf` reads the entry. */
export function entryIssues(name: string, kind: Kind, entry: ConnectionEntry): Issue[] {
  const issues = [
    ...fieldIssues(kind, entry),
    ...secretIssues(kind, entry, 'headers'),
    ...secretIssues(kind, entry, 'query_params'),
    ...textIssues(entry, '/entry'),
    ...ADDRESSES.flatMap((field) => addressIssues(entry, field)),
  ];
  return issues.length > 0 ? eachPlaceOnce(issues) : refusedByRules(name, kind, entry);
}

/** The entry as one of the configuration file. @throws SettingsError */
export function entryOf(name: string, kind: Kind, org: string, entry: ConnectionEntry): HttpEntry {
  const read = readEntry(name, { ...(entry as JsonObject), type: kind, orgs: [org] });
  if (read.type === 'stdio') throw new Error('A connection is no process.');
  return read;
}

function fieldIssues(kind: Kind, entry: ConnectionEntry): Issue[] {
  const needed = NEEDED[kind];
  const missing =
    entry[needed] === undefined
      ? [{ pointer: `/entry/${needed}`, detail: `An entry of the kind ${kind} needs \`${needed}\`.` }]
      : [];
  const others = ADDRESSES.filter(
    (field) => entry[field] !== undefined && !(OF_KIND[kind] as readonly string[]).includes(field),
  );
  return [
    ...missing,
    ...others.map((field) => ({
      pointer: `/entry/${field}`,
      detail: `An entry of the kind ${kind} cannot have \`${field}\`.`,
    })),
  ];
}

function secretIssues(kind: Kind, entry: ConnectionEntry, field: 'headers' | 'query_params'): Issue[] {
  return Object.entries(entry[field] ?? {})
    .filter(([name, value]) => isNamedLikeSecret(name) || hasSecretForm(value))
    .map(([name]) => ({ pointer: `/entry/${field}/${escapeToken(name)}`, detail: insteadOf(kind, field, name) }));
}

/** What to write instead of a header or parameter that looks like a credential. */
function insteadOf(kind: Kind, field: 'headers' | 'query_params', name: string): string {
  const isSent = field === 'headers' || kind === 'openapi';
  if (!isSent || !HEADER_NAME.test(name) || name.length > 64 || hasSecretForm(name)) return LOOKS_SECRET;
  const credential = JSON.stringify({ kind: 'secret', name, in: field === 'headers' ? 'header' : 'query' });
  return `It looks like a credential. Leave it out and set \`credential\` to \`${credential}\`; the person enters the value on the connect page.`;
}

function addressIssues(entry: ConnectionEntry, field: (typeof ADDRESSES)[number]): Issue[] {
  const text = entry[field];
  const detail = text === undefined ? undefined : addressIssue(text);
  return detail === undefined ? [] : [{ pointer: `/entry/${field}`, detail }];
}

/** Everything else that the reader of the configuration file refuses. */
function refusedByRules(name: string, kind: Kind, entry: ConnectionEntry): Issue[] {
  try {
    entryOf(name, kind, 'local', entry);
    return [];
  } catch (error) {
    if (error instanceof InvalidSetting) {
      return [{ pointer: pointerOf(error.path, entry), detail: `It ${error.fault}; it must be ${error.expected}.` }];
    }
    if (error instanceof SettingsError) return [{ pointer: '/entry', detail: error.message }];
    throw error;
  }
}

/** From `.headers.x-team` or `.allowed[0]` to a pointer; a long name is cut in a path. */
function pointerOf(path: string, entry: ConnectionEntry): string {
  const [, field = '', name, index] = /^\.(\w+)(?:\.(.*)|\[(\d+)\])?$/s.exec(path) ?? [];
  if (index !== undefined) return `/entry/${field}/${index}`;
  if (name === undefined) return `/entry/${field}`;
  const members = Object.entries(entry).find(([key]) => key === field)?.[1];
  const whole = Object.keys(members ?? {}).find((one) => one.slice(0, 80) === name) ?? name;
  return `/entry/${field}/${escapeToken(whole)}`;
}

function eachPlaceOnce(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.toReversed().map((issue) => [issue.pointer, issue])).values()].toReversed();
}

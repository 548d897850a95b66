// The draft of a new connection. It stays in the browser, except the values of headers and parameters: a person may put a
// credential there by mistake, and it must not be stored.
import type { Connection, Credential } from '../../../shared/api/index.ts';
import { workKey } from '../../sign-in/kept-work.ts';
import { removeStored, writeStored, readStored } from '../../ui/browser-storage.ts';
import type { NewConnection } from './service.ts';

export interface Pair {
  name: string;
  value: string;
}

/** All fields of the form, including those of other choices. */
export interface Draft {
  name: string;
  kind: Connection['kind'];
  url: string;
  document: string;
  base_url: string;
  headers: Pair[];
  query_params: Pair[];
  allowed: string[];
  playbooks: string[];
  record_content: boolean;
  request_id: string;
  credential: { [Field in keyof Required<Credential>]: Required<Credential>[Field] };
}

const EMPTY: Draft = {
  name: '',
  kind: 'mcp',
  url: '',
  document: '',
  base_url: '',
  headers: [],
  query_params: [],
  allowed: [],
  playbooks: [],
  record_content: true,
  request_id: '',
  credential: { kind: 'none', name: '', in: 'header', variable: '', issuer: '', client_id: '', scope: '' },
};

const key = (): string => workKey('draft connection');

export function readDraft(): Draft {
  const kept = readStored('localStorage', key());
  if (typeof kept !== 'object' || kept === null) return EMPTY;
  const draft: Draft = { ...EMPTY, ...kept };
  return { ...draft, credential: { ...EMPTY.credential, ...draft.credential } };
}

export function keepDraft(draft: Draft): void {
  writeStored('localStorage', key(), {
    ...draft,
    headers: namesOf(draft.headers),
    query_params: namesOf(draft.query_params),
  });
}

export function dropDraft(): void {
  removeStored('localStorage', key());
}

function namesOf(pairs: readonly Pair[]): Pair[] {
  return pairs.map(({ name }) => ({ name, value: '' }));
}

/** A draft with the values of an existing connection. */
export function draftOf({ name, kind, entry, credential }: Connection): Draft {
  const { headers, query_params: query, ...rest } = entry;
  return {
    ...EMPTY,
    ...rest,
    name,
    kind,
    headers: pairsOf(headers),
    query_params: pairsOf(query),
    credential: { ...EMPTY.credential, ...credential },
  };
}

function pairsOf(members: Readonly<Record<string, string>> = {}): Pair[] {
  return Object.entries(members).map(([name, value]) => ({ name, value }));
}

/** The request: the fields of the current choices, without empty ones. */
export function newConnectionOf(draft: Draft): NewConnection {
  const { name, kind, url, document, base_url, allowed, playbooks, record_content, request_id } = draft;
  const entry = {
    ...(kind === 'mcp' ? given({ url }) : given({ document, base_url })),
    ...given({ request_id }),
    ...membersOf('headers', draft.headers),
    ...membersOf('query_params', draft.query_params),
    ...(allowed.length === 0 ? {} : { allowed }),
    ...(playbooks.length === 0 ? {} : { playbooks }),
    ...(record_content ? {} : { record_content }),
  };
  return { name: name.trim(), kind, entry, credential: credentialOf(draft) };
}

function credentialOf({ kind: of, credential }: Draft): Credential {
  const { kind, name, variable, issuer, client_id, scope } = credential;
  const location = { ...given({ name }), in: of === 'mcp' ? 'header' : credential.in } as const;
  switch (kind) {
    case 'none':
      return { kind };
    case 'secret':
      return { kind, ...location };
    case 'reference':
      return { kind, ...given({ variable }), ...location };
    case 'client_credentials':
      return { kind, ...given({ issuer, client_id, scope }) };
  }
}

function given<Texts extends Record<string, string>>(texts: Texts): Partial<Texts> {
  const trimmed = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== '')) as Partial<Texts>;
}

function membersOf(field: 'headers' | 'query_params', pairs: readonly Pair[]): Record<string, Record<string, string>> {
  const members = pairs
    .filter(({ name, value }) => name !== '' || value !== '')
    .map(({ name, value }) => [name, value]);
  return members.length === 0 ? {} : { [field]: Object.fromEntries(members) };
}

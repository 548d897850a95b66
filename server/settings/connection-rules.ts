// What the operator lets people connect: `connections` in the configuration file.
import { isJsonObject, type Json } from '../../shared/json.ts';
import { CREDENTIAL_KINDS } from '../../shared/connection-kinds.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { refuseUnknown } from './config-keys.ts';
import { type Entry, kindOf, misfit, quoted, type WrittenConfig } from './entries.ts';
import { type Environment, given, VARIABLE_NAME } from './given.ts';
import type { Mode } from './given-to.ts';
import { HOST_FORM, type HostEntry, readHostEntry } from './host-entry.ts';

type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export interface ConnectionRules {
  peopleMayAdd: boolean;
  /** Hosts that connections may reach; `*` is every host. */
  hosts: readonly (HostEntry | '*')[];
  kinds: readonly CredentialKind[];
  /** Names of variables that a connection may refer to. */
  variables: readonly string[];
  /** The value of such a variable, where it is set. */
  valueOf: (variable: string) => string | undefined;
}

const FIELDS = ['people_may_add', 'hosts', 'credential_kinds', 'variables'];

/** @throws SettingsError */
export function readConnectionRules(file: WrittenConfig, environment: Environment, mode: Mode): ConnectionRules {
  const members = Object.hasOwn(file.value, 'connections') ? (file.value['connections'] ?? {}) : {};
  if (!isJsonObject(members)) {
    throw misfit('connections', file, kindOf(members), 'an object such as { people_may_add: true, hosts: ["*"] }');
  }
  refuseUnknown(Object.keys(members), FIELDS, `connections in ${file.name}`);
  const entry = { file, path: 'connections', members };
  const variables = listOf(entry, 'variables', readVariable) ?? [];
  return {
    peopleMayAdd: readFlag(entry, mode === 'local'),
    hosts: listOf(entry, 'hosts', readHost) ?? ['*'],
    kinds: listOf(entry, 'credential_kinds', readKind) ?? CREDENTIAL_KINDS,
    variables,
    valueOf: (variable) => (variables.includes(variable) ? given(environment, variable) : undefined),
  };
}

function readFlag({ file, members }: Entry, absent: boolean): boolean {
  const value = Object.hasOwn(members, 'people_may_add') ? members['people_may_add'] : absent;
  if (typeof value === 'boolean') return value;
  throw misfit('connections.people_may_add', file, kindOf(value), 'true or false');
}

/** What stands at a place of a list: as it is written, and with variables put in. */
interface Written {
  file: WrittenConfig;
  at: string;
  written: string;
  text: string;
}

function listOf<T>({ file, members }: Entry, field: string, read: (written: Written) => T): T[] | undefined {
  if (!Object.hasOwn(members, field)) return undefined;
  const list = members[field];
  if (!Array.isArray(list)) throw misfit(`connections.${field}`, file, kindOf(list), 'a list of texts');
  return list.map((written: Json, index) => {
    const at = `connections.${field}[${index}]`;
    if (typeof written !== 'string') throw misfit(at, file, kindOf(written), 'a text');
    return read({ file, at, written, text: file.expand(written, `${at} in ${file.name}`) });
  });
}

function readHost({ file, at, written, text }: Written): HostEntry | '*' {
  if (text === '*') return '*';
  const host = readHostEntry(text);
  if (host !== undefined) return host;
  throw misfit(at, file, quoted(written), `"*" for every host, or ${HOST_FORM}`);
}

function readKind({ file, at, written, text }: Written): CredentialKind {
  const kind = CREDENTIAL_KINDS.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw misfit(
    at,
    file,
    quoted(written),
    nearestName(text, CREDENTIAL_KINDS) ?? `one of ${CREDENTIAL_KINDS.join(', ')}`,
  );
}

/** Whether it is set is looked at when a connection needs it. */
function readVariable({ file, at, written, text }: Written): string {
  if (VARIABLE_NAME.test(text)) return text;
  // Somebody may have written the secret itself where its name belongs.
  throw misfit(
    at,
    file,
    written.startsWith('${') ? 'holds a value' : 'holds another text',
    'the name of a variable, without ${ and }',
  );
}

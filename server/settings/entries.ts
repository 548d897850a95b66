// What lists of entries in the configuration file have in common. A setting's path (`workflow_http[0].host`) and the
// file name it in the sentences; texts are shown as they are written, before variables are put in.
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { refuseUnknown } from './config-keys.ts';
import type { GivenTo } from './given-to.ts';
import { SettingsError } from './settings-error.ts';

export interface WrittenConfig {
  /** What the sentences call the file. */
  name: string;
  value: JsonObject;
  /** Puts variables into a text. @throws SettingsError */
  expand(text: string, setting: string): string;
}

export interface Entry {
  file: WrittenConfig;
  /** Where it stands, for example `workflow_http[0]`. */
  path: string;
  members: JsonObject;
}

/** The entries of a list; none where the list is absent or nothing is written behind its name. */
export function entriesOf(file: WrittenConfig, key: string, fields: readonly string[]): Entry[] {
  const list = Object.hasOwn(file.value, key) ? (file.value[key] ?? []) : [];
  if (!Array.isArray(list)) throw misfit(key, file, kindOf(list), `a list of entries such as { ${fields[0]}: ... }`);
  return list.map((members, index) => {
    const path = `${key}[${index}]`;
    if (!isJsonObject(members)) throw misfit(path, file, kindOf(members), `an entry such as { ${fields[0]}: ... }`);
    refuseUnknown(Object.keys(members), fields, `${path} in ${file.name}`);
    return { file, path, members };
  });
}

/** A text that the entry must hold: as it is written, and with variables put in. */
export function textOf(
  { file, path, members }: Entry,
  field: string,
  takes: string,
): { written: string; text: string } {
  const value = Object.hasOwn(members, field) ? members[field] : undefined;
  const at = `${path}.${field}`;
  if (typeof value !== 'string' || value === '') throw misfit(at, file, kindOf(value), takes);
  return { written: value, text: file.expand(value, `${at} in ${file.name}`) };
}

export const GIVEN_TO_FIELDS = ['orgs', 'playbooks'] as const;

export function givenTo(entry: Entry): GivenTo {
  return { orgs: namesOf(entry, 'orgs'), playbooks: namesOf(entry, 'playbooks') };
}

function namesOf({ file, path, members }: Entry, field: (typeof GIVEN_TO_FIELDS)[number]): string[] | undefined {
  if (!Object.hasOwn(members, field)) return undefined;
  const list = members[field];
  const at = `${path}.${field}`;
  if (!Array.isArray(list)) throw misfit(at, file, kindOf(list), 'a list of names, or ["*"] for all');
  return list.map((value, index) => {
    const setting = `${at}[${index}]`;
    if (typeof value !== 'string') throw misfit(setting, file, kindOf(value), 'a name, or "*" for all');
    const name = file.expand(value, `${setting} in ${file.name}`);
    if (name === '' || (name !== '*' && name.includes('*'))) {
      throw misfit(setting, file, quoted(value), 'a whole name, or "*" for all');
    }
    return name;
  });
}

/** A value that does not fit, and where it stands. */
export class Misfit extends SettingsError {
  /** For example `tool_servers.docs.headers.x-team`. */
  readonly path: string;
  readonly holds: string;
  readonly takes: string;

  constructor(path: string, file: WrittenConfig, holds: string, takes: string) {
    super(`${path} in ${file.name} ${holds}; it takes ${takes}.`);
    this.path = path;
    this.holds = holds;
    this.takes = takes;
  }
}

/** The sentence for a value that does not fit. @param holds what stands there, as `kindOf` or `quoted` says it */
export function misfit(path: string, file: WrittenConfig, holds: string, takes: string): Misfit {
  return new Misfit(path, file, holds, takes);
}

/** What a value is, without the value. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '') return 'holds nothing';
  if (Array.isArray(value)) return 'holds a list';
  return `holds ${typeof value === 'object' ? 'an object' : KINDS[typeof value]}`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };

const MOST_SHOWN = 80;

/** A text as it is written, before variables are put in; one that may hold a password is not shown. */
export function quoted(text: string): string {
  if (text === '') return 'holds nothing';
  if (text.includes('@')) return 'holds a text with @';
  return `holds ${JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)}`;
}

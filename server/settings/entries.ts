// What lists of entries in the configuration file have in common. A setting's path (`workflow_http[0].host`) and the
// file name it in the sentences; texts are shown as they are written, before variables are put in.
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { kindOf, invalidSetting } from './settings-error.ts';

export interface WrittenConfig {
  /** What the sentences call the file. */
  name: string;
  value: JsonObject;
  /** Puts variables into a text. @throws SettingsError */
  expand(text: string, setting: string): string;
}

export interface ConfigEntry {
  file: WrittenConfig;
  /** Its path in the file, for example `workflow_http[0]`. */
  path: string;
  members: JsonObject;
}

/** The entries of a list; none where the list is absent or nothing is written behind its name. */
export function entriesOf(file: WrittenConfig, key: string, fields: readonly string[]): ConfigEntry[] {
  const list = Object.hasOwn(file.value, key) ? (file.value[key] ?? []) : [];
  if (!Array.isArray(list))
    throw invalidSetting(key, file, kindOf(list), `a list of entries such as { ${fields[0]}: ... }`);
  return list.map((members, index) => {
    const path = `${key}[${index}]`;
    if (!isJsonObject(members))
      throw invalidSetting(path, file, kindOf(members), `an entry such as { ${fields[0]}: ... }`);
    refuseUnknown(Object.keys(members), fields, `${path} in ${file.name}`);
    return { file, path, members };
  });
}

/** A text that the entry must hold: as it is written, and with variables put in. */
export function textOf(
  { file, path, members }: ConfigEntry,
  field: string,
  expected: string,
): { written: string; text: string } {
  const value = Object.hasOwn(members, field) ? members[field] : undefined;
  const at = `${path}.${field}`;
  if (typeof value !== 'string' || value === '') throw invalidSetting(at, file, kindOf(value), expected);
  return { written: value, text: file.expand(value, `${at} in ${file.name}`) };
}

/** Whether something is so, where `absent` is what nothing written means. */
export function booleanOf({ file, path, members }: ConfigEntry, field: string, absent: boolean): boolean {
  return requireBoolean(Object.hasOwn(members, field) ? members[field] : absent, `${path}.${field}`, file);
}

export function requireBoolean(value: Json | undefined, path: string, file: WrittenConfig): boolean {
  if (typeof value === 'boolean') return value;
  throw invalidSetting(path, file, kindOf(value), 'true or false');
}

/** A text in a list: as it is written, and with variables put in. */
export interface WrittenText {
  file: WrittenConfig;
  path: string;
  written: string;
  text: string;
}

/** Reads each string of a list; undefined without a list. @param expected what the list and each item must be */
export function listOf<T>(
  { file, path, members }: ConfigEntry,
  field: string,
  expected: { list: string; each: string },
  read: (text: WrittenText) => T,
): T[] | undefined {
  if (!Object.hasOwn(members, field)) return undefined;
  const list = members[field];
  if (!Array.isArray(list)) throw invalidSetting(`${path}.${field}`, file, kindOf(list), expected.list);
  return list.map((written, index) => {
    const at = `${path}.${field}[${index}]`;
    if (typeof written !== 'string') throw invalidSetting(at, file, kindOf(written), expected.each);
    return read({ file, path: at, written, text: file.expand(written, `${at} in ${file.name}`) });
  });
}

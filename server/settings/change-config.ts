// Changes the configuration file. Everything else stays as it is written, comments included.
import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isCollection, isMap, isSeq, parseDocument } from 'yaml';
import type { Json, JsonObject } from '../../shared/json.ts';

export interface ConfigChange {
  /** New values of members at the top of the file; null removes one. */
  set?: Readonly<Record<string, Json>>;
  /** Members of objects at the top; null removes one. */
  merge?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Entries that lists at the top get. */
  add?: Readonly<Record<string, JsonObject>>;
}

/** @param text that was read without fault */
export function changedConfig(text: string, { set = {}, merge = {}, add = {} }: ConfigChange): string {
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(set)) {
    if (value === null) document.delete(key);
    else document.set(key, document.createNode(value));
  }
  for (const [key, members] of Object.entries(merge)) {
    for (const [name, value] of Object.entries(members)) {
      if (value === null) document.deleteIn([key, name]);
      else if (isMap(document.get(key))) document.setIn([key, name], value);
      else document.set(key, document.createNode({ [name]: value }));
    }
    const rest = document.get(key);
    if (isMap(rest) && rest.items.length === 0) document.delete(key);
  }
  for (const [key, entry] of Object.entries(add)) {
    if (isSeq(document.get(key))) document.addIn([key], document.createNode(entry));
    else document.set(key, document.createNode([entry]));
  }
  const { contents } = document;
  return isCollection(contents) && contents.items.length === 0 ? '' : document.toString({ lineWidth: 0 });
}

/** Written under another name and then renamed: a reader sees the old text or the new one. The file keeps its mode. */
export function writeConfig(named: string, text: string): void {
  const stat = statSync(named, { throwIfNoEntry: false });
  const file = stat === undefined ? named : realpathSync(named);
  const beside = `${file}.${randomUUID()}`;
  try {
    writeFileSync(beside, text, { flag: 'wx', mode: stat?.mode ?? 0o600 });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

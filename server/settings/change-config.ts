// Changes the configuration file. Everything else stays as it is written, comments included.
import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isCollection, isMap, isSeq, parseDocument } from 'yaml';
import type { Json, JsonObject } from '../../shared/json.ts';
import { SettingsError } from './settings-error.ts';

export interface ConfigChange {
  /** New values of members at the top of the file; null removes one. */
  set?: Readonly<Record<string, Json>>;
  /** Members of objects at the top; null removes one. */
  merge?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Entries that lists at the top get. */
  add?: Readonly<Record<string, JsonObject>>;
}

/**
 * @param text that was read without fault
 * @throws SettingsError if other parts of the file refer to what would be removed
 */
export function changedConfig(text: string, { set = {}, merge = {}, add = {} }: ConfigChange): string {
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(set)) {
    if (value !== null) document.set(key, document.createNode(value));
    else if (document.has(key)) document.delete(key);
  }
  for (const [key, members] of Object.entries(merge)) {
    for (const [name, value] of Object.entries(members)) {
      if (value === null) {
        if (document.hasIn([key, name])) document.deleteIn([key, name]);
      } else if (isMap(document.get(key))) document.setIn([key, name], value);
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
  // Without contents, nothing was set.
  if (contents === null) return text;
  if (isCollection(contents) && contents.items.length === 0) return '';
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    throw new SettingsError(
      'The configuration file has an alias (`*name`) of what would be removed; write its value in place of the alias.',
    );
  }
}

/**
 * Writes files under other names, then renames them: a reader sees the old text or the new one. A file keeps its mode. If
 * one cannot be written, all stay as they are.
 * @throws SettingsError
 */
export function writeTexts(texts: readonly (readonly [named: string, text: string])[]): void {
  const written: { named: string; file: string; beside: string }[] = [];
  let at = '';
  try {
    for (const [named, text] of texts) {
      at = named;
      const stat = statSync(named, { throwIfNoEntry: false });
      const file = stat === undefined ? named : realpathSync(named);
      const beside = `${file}.${randomUUID()}`;
      written.push({ named, file, beside });
      writeFileSync(beside, text, { flag: 'wx', mode: stat?.mode ?? 0o600 });
    }
    for (const { named, file, beside } of written) {
      at = named;
      renameSync(beside, file);
    }
  } catch (error) {
    for (const { beside } of written) rmSync(beside, { force: true });
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new SettingsError(
      `${at} cannot be written (${String(error.code)}); give this user permission to write it and its folder.`,
    );
  }
}

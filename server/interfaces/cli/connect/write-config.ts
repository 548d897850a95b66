// A client's configuration with one more server in it. The file is another program's.
//
// 1. Nothing else in it changes its value: what cannot be read without doubt is not written.
// 2. It is written beside its place and then renamed; what stood there before is kept beside it.
import { randomUUID } from 'node:crypto';
import { copyFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { MIB } from '../../../../shared/product.ts';
import { jsonBounds, readJson } from '../../../lib/json-bounds.ts';
import { codeOf, CommandFailure, EXIT } from '../failure.ts';
import { exists, makeFolder } from '../paths.ts';
import { readTextFile } from '../text-file.ts';

const BOUNDS = jsonBounds({}, 200);
const MOST_BYTES = MIB;

export interface Written {
  /** The file that was written, where links led. */
  file: string;
  /** What stood there before; undefined where nothing did. */
  backup: string | undefined;
  /** Whether there was anything to change. */
  changed: boolean;
}

/** @throws CommandFailure; then nothing is changed */
export function writeServer(
  named: string,
  { member, name, entry }: { member: string; name: string; entry: JsonObject },
): Written {
  const file = exists(named) ? realpathSync(named) : named;
  const text = readTextFile(file, MOST_BYTES, 'add the server by hand');
  const config = text === undefined || text.trim() === '' ? {} : parse(file, text);
  const servers = config[member] ?? {};
  if (!isJsonObject(servers)) {
    throw refusal(file, `\`${member}\` in it is no object of servers`);
  }
  if (JSON.stringify(servers[name]) === JSON.stringify(entry)) return { file, backup: undefined, changed: false };
  const next = { ...config, [member]: { ...servers, [name]: entry } };
  const backup = text === undefined ? undefined : `${file}.bak`;
  makeFolder(path.dirname(file), 'The folder of the configuration');
  replace(file, `${JSON.stringify(next, null, indentOf(text ?? ''))}\n`, backup);
  return { file, backup, changed: true };
}

function parse(file: string, text: string): JsonObject {
  const read = readJson(Buffer.from(text), BOUNDS);
  if (!read.ok) throw refusal(file, 'it is not JSON, or names a member twice (comments are none of JSON)');
  if (read.issues.length > 0 || losesDigits(text)) throw refusal(file, 'it holds what would not come back the same');
  const value: Json = read.value;
  if (!isJsonObject(value)) throw refusal(file, 'it is no object of settings');
  return value;
}

/** Whether a whole number in it is too large for a number here. */
function losesDigits(text: string): boolean {
  let loses = false;
  // The library's types know the reviver without the text that it is given too.
  const look = (_: string, value: unknown, { source }: { source?: string } = {}): unknown => {
    if (typeof value === 'number' && /^-?\d+$/.test(source ?? '') && !Number.isSafeInteger(value)) loses = true;
    return value;
  };
  JSON.parse(text, look);
  return loses;
}

/** The white space that a level has in the file. */
function indentOf(text: string): string {
  return /^[{[]\s*?\n([ \t]+)/.exec(text.trim())?.[1] ?? '  ';
}

function replace(file: string, text: string, backup: string | undefined): void {
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  try {
    // Others' keys may stand in it: a new one is for its owner alone.
    const mode = backup === undefined ? 0o600 : statSync(file).mode & 0o777;
    writeFileSync(beside, text, { flag: 'wx', mode });
    if (backup !== undefined) copyFileSync(file, backup);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new CommandFailure(`The file ${file} cannot be written (${codeOf(error)}).`, EXIT.misused);
  }
}

function refusal(file: string, why: string): CommandFailure {
  return new CommandFailure(
    `${file} is left as it is: ${why}. Without --write the entry is printed, to be put in by hand.`,
    EXIT.misused,
  );
}

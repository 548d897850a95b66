// Adds a server to the configuration file of an MCP client. The file belongs to another program.
//
// 1. No other value in it changes: a file that cannot be read without loss is not written.
// 2. It is written under a temporary name and then renamed; the previous file is kept beside it as a backup.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { MIB } from '../../../../shared/product.ts';
import { withoutMark } from '../../../lib/utf8.ts';
import { jsonBounds, readJson } from '../../../lib/json-bounds.ts';
import { type CommandFailure, misused } from '../failure.ts';
import { roundedInteger } from '../json-text.ts';
import { exists, makeFolder } from '../paths.ts';
import { readTextFile, replaceFile } from '../text-file.ts';

const BOUNDS = jsonBounds({}, 200);
const MAX_BYTES = MIB;

export interface ConfigChange {
  /** The file that was written, with links resolved. */
  file: string;
  /** The backup of the previous file; undefined if there was none. */
  backup: string | undefined;
  /** Whether the file changed. */
  changed: boolean;
}

/** @throws CommandFailure; then the file is not changed */
export function writeServer(
  named: string,
  { member, name, entry }: { member: string; name: string; entry: JsonObject },
): ConfigChange {
  const file = exists(named) ? realpathSync(named) : named;
  const written = readTextFile(file, MAX_BYTES, 'add the server by hand');
  const text = written === undefined ? undefined : withoutMark(written);
  const config = text === undefined || text.trim() === '' ? {} : parse(file, text);
  const servers = config[member] ?? {};
  if (!isJsonObject(servers)) {
    throw refusal(file, `its \`${member}\` is not an object`);
  }
  if (JSON.stringify(servers[name]) === JSON.stringify(entry)) return { file, backup: undefined, changed: false };
  const next = { ...config, [member]: { ...servers, [name]: entry } };
  const backup = text === undefined ? undefined : `${file}.bak`;
  makeFolder(path.dirname(file), 'The folder of the configuration');
  // The file may hold API keys: a new one is readable only by its owner.
  const mode = backup === undefined ? 0o600 : statSync(file).mode & 0o777;
  replaceFile(file, `${JSON.stringify(next, null, indentOf(text ?? ''))}\n`, { mode, backup });
  return { file, backup, changed: true };
}

function parse(file: string, text: string): JsonObject {
  const read = readJson(Buffer.from(text), BOUNDS);
  if (!read.ok) throw refusal(file, 'it is not JSON, or it has a member twice (JSON has no comments)');
  if (read.issues.length > 0 || roundedInteger(text) !== undefined)
    throw refusal(file, 'it has values that would change when written back');
  const value: Json = read.value;
  if (!isJsonObject(value)) throw refusal(file, 'it is not a JSON object');
  return value;
}

/** The indentation of one level in the file. */
function indentOf(text: string): string {
  return /^[{[]\s*?\n([ \t]+)/.exec(text.trim())?.[1] ?? '  ';
}

function refusal(file: string, why: string): CommandFailure {
  return misused(`${file} was not changed: ${why}. Run the command without --write and add the printed entry by hand.`);
}

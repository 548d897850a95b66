// The headers of a call.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { isSetByClient } from '../../../lib/http-client/index.ts';
import { type Failed, invalid } from './call-error.ts';
import { scalarText } from './members.ts';

export type HeadersRead = { ok: true; headers: Record<string, string> } | Failed;

/** By lower-case name; null counts as absent. */
export function readHeaders(given: Json | undefined): HeadersRead {
  if (given === undefined || given === null) return { ok: true, headers: {} };
  if (!isJsonObject(given)) return invalid('`headers` must be an object of names and values.');
  const entries: [string, string][] = [];
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    const words = written.slice(0, 100);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return invalid(`\`${words}\` cannot be the name of a header.`);
    if (isSetByClient(name)) return invalid(`The header \`${words}\` is set by the service; remove it.`);
    if (value === null) continue;
    const text = scalarText(value)?.trim();
    if (text === undefined) return invalid(`The header \`${words}\` must be a string, a number or a boolean.`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      return invalid(`The header \`${words}\` contains a character that is not allowed in headers.`);
    }
    entries.push([name, text]);
  }
  return { ok: true, headers: Object.fromEntries(entries) };
}

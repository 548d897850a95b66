// Names of members whose values are likely secrets. An example is part of the document, which everybody reads.
import { isJsonObject, type Json } from '../../../shared/json.ts';

const SENSITIVE = /passw|secret|token|api_?key|authorization|credential|private_?key/i;

/** The paths of members that look like secrets, at most a few. */
export function sensitivePaths(value: Json | undefined, path = ''): string[] {
  const members: [string, Json | undefined][] = Array.isArray(value)
    ? value.map((item, index): [string, Json] => [String(index), item])
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  const found: string[] = [];
  for (const [name, member] of members) {
    const at = `${path}/${name}`;
    const isText = typeof member === 'string' && member !== '';
    if (!Array.isArray(value) && SENSITIVE.test(name) && isText) found.push(at);
    else found.push(...sensitivePaths(member, at));
    if (found.length >= MOST) break;
  }
  return found.slice(0, MOST);
}

const MOST = 5;

import type { Json } from '../../../../shared/json.ts';

/**
 * About how many bytes a value has as JSON; counting ends where `most` is passed. Parts that stand in several places
 * count at each, as they do in the text.
 */
export function bytesOf(value: Json, most = Number.MAX_SAFE_INTEGER): number {
  let bytes = 0;
  const open: Json[] = [value];
  while (open.length > 0 && bytes <= most) {
    const next = open.pop();
    if (typeof next === 'string') bytes += next.length + 2;
    else if (typeof next !== 'object' || next === null) bytes += 4;
    else if (Array.isArray(next)) {
      bytes += next.length + 2;
      if (bytes <= most) for (const item of next) open.push(item);
    } else {
      bytes += 2;
      for (const [name, member] of Object.entries(next)) {
        bytes += name.length + 4;
        open.push(member);
      }
    }
  }
  return bytes;
}

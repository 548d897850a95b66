// Texts of fields that are no JSON yet, as parts of the JSON of the whole value.
import { isJsonObject, type Json } from '../../../shared/json.ts';

export interface PlacedText {
  /** The names and indexes that lead to the field. */
  at: readonly (string | number)[];
  text: string;
}

/** The value as JSON, in which the texts stand where their fields are. */
export function halfWritten(value: Json, texts: readonly PlacedText[]): string {
  const plain = JSON.stringify(value);
  let mark = 'half written';
  while (plain.includes(mark)) mark += '.';
  const marked = texts.reduce((whole, { at }, index) => placed(whole, at, `${mark} ${index}`), value);
  return texts.reduce(
    (whole, { text }, index) => whole.replace(JSON.stringify(`${mark} ${index}`), () => text),
    JSON.stringify(marked, undefined, 2),
  );
}

/** Creates the missing holders of the value. */
function placed(value: Json | undefined, [first, ...rest]: PlacedText['at'], mark: string): Json {
  if (first === undefined) return mark;
  if (typeof first === 'number') {
    const items = Array.isArray(value) ? value : [];
    const padded = Array.from({ length: Math.max(items.length, first + 1) }, (_, index) => items[index] ?? null);
    return padded.with(first, placed(padded[first], rest, mark));
  }
  const members = new Map(isJsonObject(value) ? Object.entries(value) : []);
  return Object.fromEntries(members.set(first, placed(members.get(first), rest, mark)));
}

import { isJsonObject, type JsonObject } from '../../shared/json.ts';

export interface RowsTable {
  columns: { key: string; title: string }[];
  rows: JsonObject[];
}

/** A list of flat objects as a table of all their members; undefined for any other value. */
export function rowsTable(value: unknown): RowsTable | undefined {
  if (!Array.isArray(value) || !value.every(isFlat)) return undefined;
  const keys = [...new Set(value.flatMap((row) => Object.keys(row)))];
  return keys.length === 0 ? undefined : { columns: keys.map((key) => ({ key, title: key })), rows: value };
}

function isFlat(row: unknown): row is JsonObject {
  return isJsonObject(row) && Object.values(row).every((cell) => typeof cell !== 'object' || cell === null);
}

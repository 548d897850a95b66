import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

export interface AnswerTable {
  columns: { key: string; title: string }[];
  rows: JsonObject[];
}

const MOST_COLUMNS = 12;

/** An answer that is a list of flat objects, or holds nothing but one, as a table; undefined for any other. */
export function answerTable(answer: Json): AnswerTable | undefined {
  const [only, ...others] = isJsonObject(answer) ? Object.values(answer) : [answer];
  if (others.length > 0 || !Array.isArray(only) || only.length === 0) return undefined;
  const rows = only.filter((row) => isJsonObject(row) && Object.values(row).every((value) => !isNested(value)));
  if (rows.length < only.length) return undefined;
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row as JsonObject)))];
  if (keys.length === 0 || keys.length > MOST_COLUMNS) return undefined;
  return { columns: keys.map((key) => ({ key, title: key })), rows: rows as JsonObject[] };
}

function isNested(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

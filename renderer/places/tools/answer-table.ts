import { isJsonObject, type Json } from '../../../shared/json.ts';
import { type RowsTable, rowsTable } from '../../shapes/table-view.tsx';

const MOST_COLUMNS = 12;

/** A table for an answer that is a list of flat objects or contains only such a list; otherwise undefined. */
export function answerTable(answer: Json): RowsTable | undefined {
  const [only, ...others] = isJsonObject(answer) ? Object.values(answer) : [answer];
  const table = others.length > 0 ? undefined : rowsTable(only);
  return table === undefined || table.columns.length > MOST_COLUMNS ? undefined : table;
}

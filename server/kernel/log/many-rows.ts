// Statements that write many rows at once.

/** What one statement writes at most: SQLite and PostgreSQL bound the parameters of a statement. */
const ROWS_A_STATEMENT = 50;

/** The rows by statements, in their order. */
export function pagesOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  if (rows.length <= ROWS_A_STATEMENT) return rows.length === 0 ? [] : [rows];
  const pages = Math.ceil(rows.length / ROWS_A_STATEMENT);
  return Array.from({ length: pages }, (_none, page) =>
    rows.slice(page * ROWS_A_STATEMENT, (page + 1) * ROWS_A_STATEMENT),
  );
}

const known = new Map<string, string>();

/** What stands behind VALUES: `($1, $2), ($3, $4)` for two rows of two columns. */
export function placeholders(rows: number, columns: number): string {
  const key = `${rows} ${columns}`;
  const made =
    known.get(key) ??
    Array.from({ length: rows }, (_row, row) => {
      const values = Array.from({ length: columns }, (_column, column) => `$${row * columns + column + 1}`);
      return `(${values.join(', ')})`;
    }).join(', ');
  known.set(key, made);
  return made;
}

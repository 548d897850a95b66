// Statistics of young tables. PostgreSQL plans a statement by what it last counted in its tables. Autovacuum counts once a
// minute, and until then a table that was empty when it was made is read through any index that begins with the playbook,
// however many rows that gives.
import type { Messenger } from './messenger.ts';

/** Rows: a smaller table is read quickly in any way. */
const FEWEST = 100;
/** Rows: autovacuum keeps up with the growth of a larger table. */
const MOST = 10_000;

/** The tables whose changed rows have come to outnumber those that were counted; -1 stands for never. */
const SELECT_OUTGROWN = `
  SELECT quote_ident(pg_class.relname) AS name FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
  WHERE schemaname = current_schema()
    AND n_mod_since_analyze > GREATEST(reltuples, ${FEWEST}) AND reltuples < ${MOST}`;

/** Counts the young tables of the schema that have outgrown their statistics. */
export async function analyzeYoungTables({ ask }: Pick<Messenger, 'ask'>): Promise<void> {
  const { rows } = await ask([SELECT_OUTGROWN]);
  if (rows.length === 0) return;
  // Another process counts what is locked.
  await ask([`ANALYZE (SKIP_LOCKED) ${rows.map(({ name }) => String(name)).join(', ')}`]);
}

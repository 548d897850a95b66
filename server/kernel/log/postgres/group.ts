// Statements that are sent together, with one Sync behind the last of them: PostgreSQL answers them in one message, where
// each would cost it a write and this process a read otherwise. See "Extended Query" in the manual's protocol flow.
//
// 1. Where one fails, PostgreSQL skips those behind it. All of them have failed then: they belong to one transaction.
// 2. Only the rows of those that are described can be read.
import pg from 'pg';

export interface GroupedStatement {
  /** The name that it is prepared by on this connection. */
  name: string;
  values: readonly (string | Buffer | null)[];
  /** Whether it may answer rows. */
  isDescribed: boolean;
  resolve: (result: pg.QueryResult<pg.QueryResultRow>) => void;
  reject: (error: Error) => void;
}

/** Hands statements to a connection that pipelines. */
export function sendTogether(client: pg.ClientBase, statements: readonly GroupedStatement[]): void {
  client.query(new Group(statements));
}

/** The driver pipelines what is a query of its own class. */
class Group extends pg.Query<pg.QueryResultRow> {
  constructor(statements: readonly GroupedStatement[]) {
    super({ text: '' }, (error: Error | undefined | null, results?: Results) => {
      if (error) {
        for (const { reject } of statements) reject(error);
        return;
      }
      const all = Array.isArray(results) ? results : [results];
      for (const [index, { resolve }] of statements.entries()) resolve(all[index] as pg.QueryResult);
    });
    this.submit = (connection) => {
      const { stream } = connection;
      stream.cork();
      for (const { name, values, isDescribed } of statements) {
        connection.bind({ statement: name, values: [...values] }, true);
        if (isDescribed) connection.describe({ type: 'P' }, true);
        connection.execute(null, true);
      }
      connection.sync();
      stream.uncork();
      // What the driver takes for "submitted".
      return null;
    };
  }
}

/** The driver gives a list where there are several. */
type Results = pg.QueryResult | pg.QueryResult[];

// One connection of a process for what it says to the others and to the database about itself, and one to listen. Both are
// made when they are needed, and again after they were lost. They are apart from the pools: a lease is renewed however
// many playbooks are blocked.
import pg from 'pg';
import { connectionConfig, type DatabaseAddress } from './pool.ts';
import { answered } from './failures.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { Statement } from './holders-sql.ts';

/** Milliseconds after which a database that does not answer is taken for lost. */
const PATIENCE = 5000;

export interface Messenger {
  /** Carries out a statement; one after the other. @throws ConnectionLost, pg.DatabaseError, Refused once it is closed */
  ask(statement: Statement): Promise<pg.QueryResult<pg.QueryResultRow>>;
  /** Begins to listen where it does not listen yet. @throws ConnectionLost, Refused once it is closed */
  listen(): Promise<void>;
  close(): Promise<void>;
}

/** A connection whose statements need not survive a crash of the database: what they say expires by itself. */
function configOf(address: DatabaseAddress): pg.ClientConfig {
  const config = connectionConfig(address);
  return { ...config, options: `${config.options} -c synchronous_commit=off`, query_timeout: PATIENCE };
}

export function createMessenger(
  address: DatabaseAddress,
  { channel, onHeard }: { channel: string; onHeard: (payload: string) => void },
): Messenger {
  const speaking = createConnection(address, () => Promise.resolve());
  const listening = createConnection(address, async (client) => {
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) onHeard(payload);
    });
    await answered(client.query(`LISTEN "${channel}"`));
  });
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask([text, values = []]) {
      const asked = last.then(async () => {
        const client = await speaking.open();
        return answered(client.query(text, [...values])).catch((error: unknown) => {
          // Whether it was carried out is unknown; a new connection waits for nothing.
          if (!(error instanceof pg.DatabaseError)) speaking.drop(client);
          throw error;
        });
      });
      last = asked.catch(() => {});
      return asked;
    },
    listen: async () => void (await listening.open()),
    async close() {
      await last;
      await Promise.all([speaking.close(), listening.close()]);
    },
  };
}

interface KeptConnection {
  open(): Promise<pg.Client>;
  drop(client: pg.Client): void;
  close(): Promise<void>;
}

function createConnection(address: DatabaseAddress, prepare: (client: pg.Client) => Promise<void>): KeptConnection {
  let opening: Promise<pg.Client> | undefined;
  let opened: pg.Client | undefined;
  let isClosed = false;

  function drop(client: pg.Client): void {
    if (opened === client) opening = opened = undefined;
    client.end().catch(() => {});
  }

  async function connect(): Promise<pg.Client> {
    // A connection that is made now would keep the process running.
    if (isClosed) throw unavailable('The store is closed.');
    const client = new pg.Client(configOf(address));
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    opened = client;
    try {
      await answered(client.connect());
      await prepare(client);
      return client;
    } catch (error) {
      opening = undefined;
      drop(client);
      throw error;
    }
  }

  return {
    open: () => (opening ??= connect()),
    drop,
    async close() {
      isClosed = true;
      const client = opened;
      opening = opened = undefined;
      await client?.end().catch(() => {});
    },
  };
}

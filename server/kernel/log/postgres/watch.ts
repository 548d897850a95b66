// Asks the database for its time every second, on a connection apart from the pools: however busy they are, it is known
// within seconds that the database is away, or that it is back.
import pg from 'pg';
import type { ReportedStanding } from '../database-standing.ts';
import { connectionConfig, type DatabaseAddress } from './pool.ts';

const ASKED_EVERY = 1000;
/** Milliseconds for a connection, and for an answer. */
const PATIENCE = 2000;
/** Questions without an answer after which all connections are taken for lost, those that still seem to be open as well. */
const MOST_UNANSWERED = 3;

export interface Watch {
  /** Resolves after the first question was answered, or failed. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @param breakConnections ends all connections at once, whatever waits for an answer on them */
export function createWatch(
  address: DatabaseAddress,
  { standing, breakConnections }: { standing: ReportedStanding; breakConnections: () => void },
): Watch {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | undefined;
  let unanswered = 0;
  let isClosed = false;

  function drop(): void {
    const dropped = client;
    client = undefined;
    dropped?.end().catch(() => {});
  }

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
      ...connectionConfig(address),
      connectionTimeoutMillis: PATIENCE,
      query_timeout: PATIENCE,
    });
    made.on('error', () => {});
    client = made;
    await made.connect();
    return made;
  }

  async function ask(): Promise<void> {
    try {
      const asked = client ?? (await connect());
      const before = performance.now();
      const { rows } = await asked.query<{ now: number }>(
        'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS now',
      );
      const after = performance.now();
      unanswered = 0;
      standing.answered(Number(rows[0]?.now), (before + after) / 2);
    } catch {
      drop();
      if (isClosed) return;
      unanswered += 1;
      if (unanswered === MOST_UNANSWERED) breakConnections();
      standing.failed();
    }
  }

  async function turn(): Promise<void> {
    await ask();
    if (!isClosed) timer = setTimeout(() => (asking = turn()), ASKED_EVERY).unref();
  }

  return {
    start: () => (asking = turn()),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      drop();
      await asking;
    },
  };
}

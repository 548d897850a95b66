// What processes left behind: one that died before this start, or one whose lease has expired, where several processes
// share the store.
import type { Logger } from 'pino';
import type { Runs } from '../domain/runs/index.ts';
import type { EventLog } from '../kernel/log/index.ts';
import { freeExpiredClaims, readClaimants, type Tasks } from '../kernel/tasks/index.ts';

export interface TakeOverOptions {
  log: EventLog;
  runs: Pick<Runs, 'endInterrupted' | 'attemptHolders'>;
  tasks: Tasks;
  logger: Pick<Logger, 'warn'>;
}

/** Has work taken over whenever a lease expires, and answers what takes over what was left before the start. */
export function createTakeOver({ log, runs, tasks, logger }: TakeOverOptions): () => Promise<void> {
  const { shared } = log;

  /** @param holders undefined: every other one, where no other process writes to the store */
  async function takeOver(holders?: readonly string[]): Promise<void> {
    const ended = await runs.endInterrupted(holders);
    if (ended > 0) logger.warn({ runs: ended }, 'Runs that another start of the server left were ended as failed.');
    // The runner frees the claims of the processes before its own where it is alone.
    if (holders !== undefined) await freeExpiredClaims(log, tasks, holders);
  }

  if (shared === undefined) return () => takeOver();
  shared.onExpired(takeOver);
  return async () => {
    // A holder that is not known either: all processes may have been away for long.
    const holders = new Set([...(await runs.attemptHolders()), ...(await readClaimants(log))]);
    const expired: string[] = [];
    for (const holder of holders) if ((await shared.leaseEnd(holder)) === undefined) expired.push(holder);
    await takeOver(expired);
  };
}

// What a server does about a database in another process: it takes the time from it, and reports when it is away.
import type { Logger } from 'pino';
import type { DatabaseStanding } from '../kernel/log/index.ts';
import type { Clock, FollowingClock } from '../lib/clock.ts';

/** Milliseconds from which a clock is reported as wrong. */
const WORTH_A_WARNING = 2000;

/** @param machine the clock of this machine */
export function followDatabase(
  standing: DatabaseStanding,
  { clock, machine, logger }: { clock: Pick<FollowingClock, 'follow'>; machine: Clock; logger: Logger },
): void {
  let hasWarned = false;
  standing.onClockMeasured((measured, elapsed) => {
    const time = measured + machine.elapsed() - elapsed;
    clock.follow(time);
    const ahead = time - machine.now();
    const isOff = Math.abs(ahead) > WORTH_A_WARNING;
    if (isOff && !hasWarned) {
      const seconds = (Math.abs(ahead) / 1000).toFixed(1);
      const direction = ahead > 0 ? 'behind' : 'ahead of';
      logger.warn(
        `The clock of this machine is ${seconds} seconds ${direction} that of the database, which is used instead. Synchronize both.`,
      );
    }
    hasWarned = isOff;
  });
  standing.onReachable((isReachable) => {
    if (isReachable) logger.info('The database is back.');
    else logger.error('The database cannot be reached. Requests are answered with unavailable until it is back.');
  });
}

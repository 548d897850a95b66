// What a server does about a database in another process: it takes the time from it, and reports when it is away.
import type { Logger } from 'pino';
import type { DatabaseStanding } from './kernel/log/index.ts';

/** Milliseconds of difference that measuring may cause. */
const TOLERANCE = 100;
/** Milliseconds from which a clock is reported as wrong. */
const WORTH_A_WARNING = 2000;

export function followDatabase(
  standing: DatabaseStanding,
  { clock, logger }: { clock: { adjust(ahead: number): void }; logger: Logger },
): void {
  let ahead = 0;
  let hasWarned = false;
  standing.onClockMeasured((measured) => {
    if (Math.abs(measured - ahead) > TOLERANCE) {
      ahead = measured;
      clock.adjust(measured);
    }
    const isOff = Math.abs(measured) > WORTH_A_WARNING;
    if (isOff && !hasWarned) {
      const seconds = (Math.abs(measured) / 1000).toFixed(1);
      const direction = measured > 0 ? 'behind' : 'ahead of';
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

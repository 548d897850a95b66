// A runtime that ends once it has been idle for a given time.
import type { Runtime } from '../../runtime/app.ts';
import { misused } from './failure.ts';

const MOST_SECONDS = 86_400;
/** Checks within one idle time. */
const CHECKS = 10;

/**
 * How long a runtime may be idle before it ends, in milliseconds.
 * @param name the option or variable that holds the seconds
 * @throws CommandFailure
 */
export function idleMs(seconds: string, name: string): number {
  const given = Number(seconds);
  if (given > 0 && given <= MOST_SECONDS) return given * 1000;
  throw misused(
    `${name} is ${JSON.stringify(seconds)}; it must be a number of seconds above 0 and at most ${MOST_SECONDS}.`,
  );
}

/** Calls `stop` once the runtime has been idle for so many milliseconds. */
export function endWhenIdle(runtime: Runtime, milliseconds: number, stop: () => void): void {
  const check = async (): Promise<void> => {
    if (await runtime.isIdle(milliseconds)) return stop();
    next();
  };
  // A check fails while the runtime is closing.
  const next = (): void => void setTimeout(() => void check().catch(() => {}), milliseconds / CHECKS).unref();
  next();
}

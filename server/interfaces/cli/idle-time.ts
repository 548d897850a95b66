import { CommandFailure, EXIT } from './failure.ts';

const MOST_SECONDS = 86_400;

/**
 * How long a runtime may be idle before it ends, in milliseconds.
 * @param name the option or variable that holds the seconds
 * @throws CommandFailure
 */
export function idleMs(seconds: string, name: string): number {
  const given = Number(seconds);
  if (given > 0 && given <= MOST_SECONDS) return given * 1000;
  throw new CommandFailure(
    `${name} is ${JSON.stringify(seconds)}; it takes a number of seconds, at most ${MOST_SECONDS}.`,
    EXIT.misused,
  );
}

import { v7 } from 'uuid';
import type { Clock } from './clock.ts';
import { randomBytes } from './random.ts';

/** Makes a UUIDv7 (RFC 9562, section 5.7) of the clock's time. */
export type Ids = () => string;

export function createIds(clock: Clock): Ids {
  return () => v7({ msecs: clock.now(), random: randomBytes(16) });
}

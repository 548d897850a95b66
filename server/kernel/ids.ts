import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from '../lib/clock.ts';
import { randomBytes } from '../lib/random.ts';

/** Makes a UUIDv7 (RFC 9562, section 5.7) of the clock's time. */
export type Ids = () => string;

export function createIds(clock: Clock): Ids {
  return () => v7({ msecs: clock.now(), random: randomBytes(16) });
}

/** A UUIDv8 (RFC 9562, section 5.8) that follows from the text: the same text always has the same id. */
export function derivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** What stands before the version of a UUID; in a UUIDv7, the time. */
const TIME_CHARACTERS = 'xxxxxxxx-xxxx-'.length;

/**
 * A UUIDv8 of the text that begins with the first 48 bits of another id. Indexes sort it next to that id, so that a commit
 * that records both changes fewer pages.
 */
export function derivedIdBeside(id: string, text: string): string {
  return id.slice(0, TIME_CHARACTERS) + derivedId(text).slice(TIME_CHARACTERS);
}

import { randomFillSync } from 'node:crypto';

/** One request to the system serves many small ones: each by itself costs more than what it is for. */
const pool = Buffer.alloc(8192);
let used = pool.length;

/** Random bytes from the system's generator, at most 1,024 per call. Each byte is used once. */
export function randomBytes(count: number): Buffer {
  const start = take(count);
  return Buffer.from(pool.subarray(start, start + count));
}

export function randomHex(bytes: number): string {
  const start = take(bytes);
  return pool.toString('hex', start, start + bytes);
}

/** The start of so many unused bytes. */
function take(count: number): number {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return used - count;
}

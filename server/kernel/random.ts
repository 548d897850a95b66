import { randomFillSync } from 'node:crypto';

/** One request to the system serves many small ones: each by itself costs more than what it is for. */
const pool = Buffer.alloc(8192);
let used = pool.length;

/** Random bytes of the system's generator; at most 1,024 at once. Each byte is given out once. */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return Buffer.from(pool.subarray(used - count, used));
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

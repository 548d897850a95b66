/** When a message was sent: the time of the server's clock, and of one that all threads have. */
export interface SentAt {
  /** In milliseconds since 1970. */
  now: number;
  at: number;
}

/** The same in all threads, unlike `performance.now`. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

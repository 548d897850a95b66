/** How long a server may take, in milliseconds. */
export const LIMITS_MS = { connect: 10_000, start: 30_000, list: 10_000, call: 30_000 } as const;

import { randomHex } from '../../lib/random.ts';

// The version ff is none; later versions may hold more behind the flags.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The trace of a `traceparent` header (W3C Trace Context, section 3.2), else a new one. */
export function traceIdOf(traceparent: string | undefined): string {
  if (traceparent === undefined) return randomHex(16);
  const [, traceId, parentId] = TRACEPARENT.exec(traceparent) ?? [];
  const isGiven = traceId !== undefined && !/^0+$/.test(traceId) && !/^0+$/.test(parentId ?? '0');
  return isGiven ? traceId : randomHex(16);
}

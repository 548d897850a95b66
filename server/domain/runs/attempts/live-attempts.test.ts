import { expect, test } from 'vitest';
import { Callers } from './live-attempts.ts';

test('a run is left alone when everybody who asked for it has gone, and not before', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const callers = new Callers(first.signal);
  callers.join(second.signal);
  first.abort();
  expect(callers.signal.aborted).toBe(false);
  second.abort();
  expect(callers.signal.aborted).toBe(true);
});

test('a caller that had left before does not count, and leaving an ended run has no effect', () => {
  expect(new Callers(AbortSignal.abort()).signal.aborted).toBe(true);
  const caller = new AbortController();
  const callers = new Callers(caller.signal);
  callers.join(AbortSignal.abort());
  expect(callers.signal.aborted).toBe(false);
  callers.done();
  caller.abort();
  expect(callers.signal.aborted).toBe(false);
});

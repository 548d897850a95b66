import { expect, test } from 'vitest';
import { createCallers } from './callers.ts';

test('a run is left alone when everybody who asked for it has gone, and not before', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const callers = createCallers(first.signal);
  callers.join(second.signal);
  first.abort();
  expect(callers.signal.aborted).toBe(false);
  second.abort();
  expect(callers.signal.aborted).toBe(true);
});

test('a caller that had left before does not count, and leaving an ended run has no effect', () => {
  expect(createCallers(AbortSignal.abort()).signal.aborted).toBe(true);
  const caller = new AbortController();
  const callers = createCallers(caller.signal);
  callers.join(AbortSignal.abort());
  expect(callers.signal.aborted).toBe(false);
  callers.done();
  caller.abort();
  expect(callers.signal.aborted).toBe(false);
});

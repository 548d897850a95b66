import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRuns, rejectionOf, type TestRuns, statesOf } from './testing.ts';

let runs: TestRuns;
beforeAll(() => {
  runs = createTestRuns();
});
afterAll(() => runs.close());

describe('set', () => {
  test('given expressions and plain values, then the object is made of both', async () => {
    const steps = `
      do:
        - shape:
            set: { shape: circle, size: "\${ .size }", deep: { list: [1, "\${ .size.width }"] } }`;
    expect(await runs.output(steps, { size: { width: 6 } })).toEqual({
      shape: 'circle',
      size: { width: 6 },
      deep: { list: [1, 6] },
    });
  });

  test('given one expression, then its value is the output', async () => {
    expect(await runs.output('do: [ { color: { set: "${ .color }" } } ]', { color: 'red' })).toBe('red');
  });

  test('given an expression in the data, then it stays text', async () => {
    expect(await runs.output('do: [ { a: { set: { x: "${ .x }" } } } ]', { x: '${ .y }' })).toEqual({ x: '${ .y }' });
  });
});

describe('flow', () => {
  test('given steps in a list, then they run in order and pass their data on', async () => {
    const steps = `
      do:
        - red: { set: { colors: "\${ .colors + [\\"red\\"] }" } }
        - green: { set: { colors: "\${ .colors + [\\"green\\"] }" } }`;
    expect(await runs.output(steps)).toEqual({ colors: ['red', 'green'] });
  });

  test('given `then`, then it continues there; `end` ends the workflow', async () => {
    const steps = `
      do:
        - first: { set: { seen: "\${ .seen + [1] }" }, then: third }
        - second: { set: { seen: "\${ .seen + [2] }" }, then: end }
        - third: { set: { seen: "\${ .seen + [3] }" }, then: second }`;
    expect(await runs.output(steps)).toEqual({ seen: [1, 3, 2] });
  });

  test('given `exit` in a nested list, then only that list ends', async () => {
    const steps = `
      do:
        - inner:
            do:
              - one: { set: { n: 1 }, then: exit }
              - two: { set: { n: 2 } }
        - after: { set: { n: "\${ .n + 10 }" } }`;
    expect(await runs.output(steps)).toEqual({ n: 11 });
  });

  test('given `if` that does not hold, then the step is skipped and its input is passed on', async () => {
    const steps = `
      do:
        - maybe: { if: .no, set: { n: 1 }, then: end }
        - after: { set: { n: "\${ .m }" } }`;
    const { ending, moved } = await runs.run(steps, { m: 7 });
    expect(ending).toMatchObject({ output: { n: 7 } });
    expect(statesOf(moved)).toEqual(['skipped /do/0/maybe', 'finished /do/1/after']);
  });

  test('given a switch, then the first case that holds names the next step, else the default, else its own `then`', async () => {
    const steps = `
      do:
        - choose:
            switch:
              - red: { when: '.color == "red"', then: red }
              - other: { then: other }
        - red: { set: { is: red }, then: end }
        - other: { set: { is: other }, then: end }`;
    expect(await runs.output(steps, { color: 'red' })).toEqual({ is: 'red' });
    expect(await runs.output(steps, { color: 'blue' })).toEqual({ is: 'other' });
    const without = `
      do:
        - choose: { switch: [ { red: { when: .no, then: red } } ], then: end }
        - red: { set: { is: red } }`;
    expect(await runs.output(without, { a: 1 })).toEqual({ a: 1 });
  });
});

describe('data flow', () => {
  test('given from, as and export, then each sees what the standard says', async () => {
    const steps = `
      input: { from: .given }
      do:
        - one:
            input: { from: .a }
            set: { b: "\${ . }" }
            output: { as: '. + { raw: $task.input, in: $input }' }
            export: { as: '{ kept: $output.b }' }
        - two: { set: { context: "\${ $context }", workflow: "\${ $workflow.input }" } }
      output: { as: '. + { last: true }' }`;
    expect(await runs.output(steps, { given: { a: 1 } })).toEqual({
      context: { kept: 1 },
      workflow: { given: { a: 1 } },
      last: true,
    });
  });

  test('given a step whose `if` is false, then its `output.as` and `export` are not evaluated either', async () => {
    const steps = `
      do:
        - first: { set: { n: 1 }, export: { as: '"first"' } }
        - skipped: { if: 'false', set: { n: 2 }, output: { as: '{ changed: . }' }, export: { as: '"skipped"' } }
      output: { as: '{ n: .n, kept: $context }' }`;
    expect(await runs.output(steps)).toEqual({ n: 1, kept: 'first' });
  });

  test('given an input that does not fit the schema of its step, then the run is refused with the pointers of the step', async () => {
    const steps = `
      do:
        - one:
            input: { schema: { document: { type: object, required: [a] } } }
            set: { b: 1 }`;
    const { ending } = await runs.run(steps, {});
    expect(rejectionOf(ending)).toMatchObject({ reason: 'invalid_input', issues: [{ pointer: '/input' }] });
  });

  test('given an expression that fails, then the run is unworkable and names it', async () => {
    const { ending } = await runs.run('do: [ { a: { set: { x: "${ .a.b }" } } } ]', { a: 1 });
    expect(rejectionOf(ending)).toMatchObject({ reason: 'conflict', kind: 'unworkable' });
  });
});

describe('try', () => {
  const bad = `{ raise: { error: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 503 } } }`;

  test('given an error that the filter matches under another name, then it is caught and handled', async () => {
    const steps = `
      do:
        - attempt:
            try: [ { bad: ${bad} } ]
            catch:
              errors: { with: { type: 'https://open-workflow-specification.org/dsl/errors/types/communication', status: 503 } }
              as: err
              do: [ { tell: { set: { status: "\${ $err.status }", at: "\${ $err.instance }" } } } ]`;
    expect(await runs.output(steps)).toEqual({ status: 503, at: '/do/0/attempt/try/0/bad' });
  });

  test('given an error of another status, then it passes', async () => {
    const steps = `
      do:
        - attempt: { try: [ { bad: ${bad} } ], catch: { errors: { with: { status: 404 } } } }`;
    expect(rejectionOf((await runs.run(steps)).ending)).toMatchObject({ reason: 'unavailable' });
  });

  test('given a retry policy, then it tries again after growing waits, then handles', async () => {
    const steps = `
      do:
        - attempt:
            try: [ { bad: ${bad} } ]
            catch:
              errors: { with: { type: communication } }
              retry: { delay: { seconds: 1 }, backoff: { exponential: {} }, limit: { attempt: { count: 3 } } }
              do: [ { tell: { set: { gave: up } } } ]`;
    const { ending, now } = await runs.run(steps);
    expect(ending).toMatchObject({ output: { gave: 'up' } });
    expect(now - Date.UTC(2026, 0, 1)).toBe(7000);
  });

  test.each([
    ['exponential: { factor: 3 }', 13_000],
    ['exponential: { maximum: PT3S }', 6_000],
    ['exponential: { factor: 3, maximum: "${ .most }" }', 9_000],
    ['exponential: { factor: 1, maximum: { hours: 1 } }', 3_000],
    ['linear: {}', 6_000],
  ])('given a backoff with %s, then the waits grow by it, up to the maximum', async (backoff, waited) => {
    const steps = `
      do:
        - attempt:
            try: [ { bad: ${bad} } ]
            catch:
              retry: { delay: PT1S, backoff: { ${backoff} }, limit: { attempt: { count: 3 } } }
              do: [ { tell: { set: { gave: up } } } ]`;
    const { ending, now } = await runs.run(steps, { most: 'PT5S' });
    expect(ending).toMatchObject({ output: { gave: 'up' } });
    expect(now - Date.UTC(2026, 0, 1)).toBe(waited);
  });

  test('given a delay of nothing, then a backoff never makes it longer', async () => {
    const steps = `
      do:
        - attempt:
            try: [ { bad: ${bad} } ]
            catch:
              retry: { delay: PT0S, backoff: { exponential: { factor: 1e300 } }, limit: { attempt: { count: 4 } } }
              do: [ { tell: { set: { gave: up } } } ]`;
    const { ending, now } = await runs.run(steps);
    expect(ending).toMatchObject({ output: { gave: 'up' } });
    expect(now - Date.UTC(2026, 0, 1)).toBe(0);
  });

  test('given a policy that is used up and no steps to handle the error, then the error propagates', async () => {
    const steps = `
      do:
        - attempt:
            try: [ { bad: ${bad} } ]
            catch: { retry: { delay: PT1S, limit: { attempt: { count: 1 } } } }`;
    expect(rejectionOf((await runs.run(steps)).ending)).toMatchObject({ reason: 'unavailable' });
  });

  test('given `then` of the catch, then the error path continues there', async () => {
    const steps = `
      do:
        - attempt: { try: [ { bad: ${bad} } ], catch: { errors: { with: { status: 503 } }, then: failed } }
        - fine: { set: { ok: true }, then: end }
        - failed: { set: { ok: false } }`;
    expect(await runs.output(steps)).toEqual({ ok: false });
  });

  test('given a limit of one try, then it is cut off and caught as a timeout', async () => {
    const steps = `
      do:
        - attempt:
            try: [ { slow: { wait: PT1H } } ]
            catch:
              errors: { with: { type: timeout } }
              retry: { delay: PT1S, limit: { attempt: { count: 1, duration: PT5S } } }
              do: [ { tell: { set: { late: true } } } ]`;
    const { ending, now } = await runs.run(steps);
    expect(ending).toMatchObject({ output: { late: true } });
    expect(now - Date.UTC(2026, 0, 1)).toBe(11_000);
  });
});

describe('time', () => {
  test('given waits of every form, then time passes exactly', async () => {
    const steps = `
      do:
        - one: { wait: PT1.5S }
        - two: { wait: { minutes: 1, milliseconds: 500 } }
        - three: { wait: "\${ .length }" }`;
    const { now, ending } = await runs.run(steps, { length: 'P1D' });
    expect(now - Date.UTC(2026, 0, 1)).toBe(62_000 + 86_400_000);
    expect(ending).toMatchObject({ output: { length: 'P1D' } });
  });

  test.each([
    [{ seconds: -5 }, '{"seconds":-5} is negative, and a duration is 0 or more'],
    [{ hours: 1, minutes: -90 }, 'is negative'],
    ['-PT5S', '"-PT5S" is negative'],
    ['PT-5S', '"PT-5S" is negative'],
    [-5, '-5 is negative'],
    ['soon', '"soon" is not a duration; write PT30S'],
    [5, '5 is not a duration'],
  ])('given a wait that is computed as %j, then the error says what is wrong with it', async (length, words) => {
    const { ending } = await runs.run('do: [ { a: { wait: "${ .length }" } } ]', { length });
    expect(rejectionOf(ending)).toMatchObject({ kind: 'unworkable', detail: expect.stringContaining(words) });
  });

  test('given a step that takes longer than its timeout, then it is a timeout that can be caught', async () => {
    const steps = `
      use: { timeouts: { short: { after: PT2S } } }
      do:
        - attempt:
            try: [ { slow: { wait: PT1H, timeout: short } } ]
            catch: { errors: { with: { status: 408 } }, do: [ { late: { set: { late: true } } } ] }`;
    const { now, ending } = await runs.run(steps);
    expect(ending).toMatchObject({ output: { late: true } });
    expect(now - Date.UTC(2026, 0, 1)).toBe(2000);
  });

  test('given a workflow that takes longer than its timeout, then it is unavailable, timed out', async () => {
    const { ending } = await runs.run('timeout: { after: PT1S }\ndo: [ { slow: { wait: PT1H } } ]');
    expect(rejectionOf(ending)).toMatchObject({ reason: 'unavailable', because: 'timed_out' });
  });
});

describe('calls', () => {
  test('given a called definition, then its output is the step', async () => {
    const steps = `
      do:
        - score: { call: computation/score, with: { n: "\${ .n }" }, output: { as: .score } }`;
    expect(await runs.output(steps, { n: 1 }, { calls: { 'computation/score': { score: 9 } } })).toBe(9);
  });

  test('given an own function, then it runs with its arguments as input', async () => {
    const steps = `
      use: { functions: { double: { set: { n: "\${ .n * 2 }" } } } }
      do:
        - twice: { call: double, with: { n: "\${ .m }" } }`;
    expect(await runs.output(steps, { m: 4 })).toEqual({ n: 8 });
  });

  test('given a called run that refuses its input, then it is a validation error of 400', async () => {
    const steps = `
      do:
        - attempt:
            try: [ { score: { call: computation/score } } ]
            catch: { errors: { with: { type: validation, status: 400 } }, do: [ { tell: { set: { why: "\${ $error.rejection.reason }" } } } ] }`;
    const rejection = {
      reason: 'invalid_input',
      detail: 'No.',
      issues: [{ pointer: '/input/n', detail: 'No n.' }],
    } as const;
    const answer = () => ({ status: 'rejected', rejection }) as const;
    expect(await runs.output(steps, {}, { answer })).toEqual({ why: 'invalid_input' });
    const uncaught = await runs.run('do: [ { score: { call: computation/score } } ]', {}, { answer });
    expect(rejectionOf(uncaught.ending)).toMatchObject({ reason: 'invalid_input', issues: [{ pointer: '/input/n' }] });
  });

  test('given a called run that is unavailable, then the workflow is, because of the same', async () => {
    const rejection = { reason: 'unavailable', because: 'provider_not_configured', detail: 'No model.' } as const;
    const answer = () => ({ status: 'rejected', rejection }) as const;
    const { ending } = await runs.run('do: [ { greet: { call: reasoning/greet } } ]', {}, { answer });
    expect(rejectionOf(ending)).toMatchObject({ reason: 'unavailable', because: 'provider_not_configured' });
  });

  test('given extensions, then they run around the step and leave its data alone; exit before it takes its place', async () => {
    const extended = (before: string): string => `
      use:
        extensions:
          - log: { extend: call, before: [ { note: { ${before} } } ], after: [ { end: { set: { x: 1 } } } ] }
      do:
        - score: { call: computation/score }`;
    const calls = { 'computation/score': 5 };
    expect(await runs.output(extended('set: { a: 1 }'), {}, { calls })).toBe(5);
    expect(await runs.output(extended('set: { mocked: true }, then: exit'), {}, { calls })).toEqual({ mocked: true });
  });
});

describe('events', () => {
  const event = (id: string, type: string, data: unknown) => ({ id, type, source: '/s', data }) as never;

  test('given one, any, all, then each takes what it wants', async () => {
    const events = [event('1', 'b', { n: 1 }), event('2', 'a', { n: 2 })];
    expect(
      await runs.output('do: [ { l: { listen: { to: { one: { with: { type: a } } } } } } ]', {}, { events }),
    ).toEqual([{ n: 2 }]);
    expect(
      await runs.output(
        'do: [ { l: { listen: { to: { all: [ { with: { type: a } }, { with: { type: b } } ] } } } } ]',
        {},
        { events },
      ),
    ).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await runs.output('do: [ { l: { listen: { to: { any: [] } } } } ]', {}, { events })).toEqual([{ n: 1 }]);
  });

  test('given a filter on data, then only what it accepts is taken', async () => {
    const steps = `do: [ { l: { listen: { to: { one: { with: { type: t, data: "\${ .temperature > 38 }" } } } } } } ]`;
    const events = [event('1', 't', { temperature: 37 }), event('2', 't', { temperature: 39 })];
    expect(await runs.output(steps, {}, { events })).toEqual([{ temperature: 39 }]);
  });

  test('given until, then it listens until the condition, or until the other event, which is not in the output', async () => {
    const events = [event('1', 'a', 1), event('2', 'a', 2), event('3', 'stop', 3)];
    const condition = `do: [ { l: { listen: { to: { any: [ { with: { type: a } } ], until: '. | length >= 2' } } } } ]`;
    expect(await runs.output(condition, {}, { events })).toEqual([1, 2]);
    const strategy = `do: [ { l: { listen: { to: { any: [ { with: { type: a } } ], until: { one: { with: { type: stop } } } } } } } ]`;
    expect(await runs.output(strategy, {}, { events })).toEqual([1, 2]);
  });

  test('given foreach, then the steps work through the events one at a time, first in, first out', async () => {
    const steps = `
      do:
        - l:
            listen: { to: { any: [ { with: { type: a } } ], until: '. | length >= 3' } }
            foreach:
              item: e
              at: i
              do:
                - pause: { wait: PT1S }
                - mark: { set: { e: "\${ $e }", i: "\${ $i }" } }
              output: { as: '.e * 10 + .i' }`;
    const events = [event('1', 'a', 1), event('2', 'a', 2), event('3', 'a', 3)];
    expect(await runs.output(steps, {}, { events })).toEqual([10, 21, 32]);
  });

  test('given a correlation without an expectation, then the first value is the one that others must have', async () => {
    const filter = (type: string) => `{ with: { type: ${type} }, correlate: { room: { from: .room } } }`;
    const steps = `do: [ { l: { listen: { to: { all: [ ${filter('a')}, ${filter('b')} ] } } } } ]`;
    const events = [event('1', 'a', { room: 1 }), event('2', 'b', { room: 2 }), event('3', 'b', { room: 1 })];
    expect(await runs.output(steps, {}, { events })).toEqual([{ room: 1 }, { room: 1 }]);
  });

  test('given emit, then the event is published by the run and is the output', async () => {
    const steps = `do: [ { e: { emit: { event: { with: { type: x.y, data: { n: "\${ .n }" } } } } } } ]`;
    const { published, ending } = await runs.run(steps, { n: 1 });
    expect(published).toHaveLength(1);
    expect(ending).toMatchObject({ output: { specversion: '1.0', type: 'x.y', data: { n: 1 } } });
    expect(published[0]?.source).toMatch(/^\/runs\//);
  });
});

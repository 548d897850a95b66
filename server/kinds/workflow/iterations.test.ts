import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestRuns, rejectionOf, type TestRuns, statesOf } from './testing.ts';

let runs: TestRuns;
beforeAll(() => {
  runs = createTestRuns();
});
afterAll(() => runs.close());

describe('for', () => {
  test('given items, then each turn sees its item and index and gets what the last one gave', async () => {
    const steps = `
      do:
        - loop:
            for: { each: color, in: .colors }
            do:
              - mark: { set: { seen: "\${ .seen + [{ c: $color, i: $index }] }", colors: "\${ .colors }" } }`;
    expect(await runs.output(steps, { colors: ['red', 'green'] })).toMatchObject({
      seen: [
        { c: 'red', i: 0 },
        { c: 'green', i: 1 },
      ],
    });
  });

  test.each([
    ['many steps', 450, 1, 3],
    // Each output has 100 kB: 11 of them are more than 1 MiB.
    ['large outputs', 40, 100_000, 4],
  ])(
    'given a loop of %s, then one input moves a bounded part of it, and others the rest',
    async (_, turns, size, inputs) => {
      const steps = `
      do:
        - loop:
            for: { in: '\${ [range(${turns})] }' }
            do:
              - keep: { set: { text: '\${ .text }' } }`;
      const run = await runs.run(steps, { text: 'x'.repeat(size) });
      expect(run.ending).toMatchObject({ status: 'succeeded' });
      expect(run.moved.filter(({ step }) => step.endsWith('/keep'))).toHaveLength(turns);
      expect(run.inputs).toBe(inputs);
    },
  );

  test('given loops in loops, then each step names the iterations that it stands in, outermost first', async () => {
    const steps = `
      do:
        - rows:
            for: { each: row, in: '\${ [["a"], ["b", "c"]] }' }
            do:
              - cells:
                  for: { each: cell, in: '\${ $row }' }
                  do: [ { one: { set: '\${ $cell }' } }, { never: { if: '\${ false }', set: 1 } } ]
        - after: { set: done }`;
    const { moved } = await runs.run(steps);
    const at = (name: string) => moved.filter(({ step }) => step.endsWith(name)).map(({ iterations }) => iterations);
    expect(at('/one')).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
    expect(at('/never')).toEqual(at('/one'));
    expect(at('/cells')).toEqual([[0], [1]]);
    expect([...at('/rows'), ...at('/after')]).toEqual([undefined, undefined]);
  });

  test('given steps of a turn that wait, fail or are cut off, then they name their iteration too', async () => {
    const steps = `
      do:
        - each:
            for: { in: '\${ [1, 2] }' }
            do:
              - safely:
                  try:
                    - both:
                        fork:
                          branches:
                            - slow: { wait: PT1H }
                            - bad: { do: [ { nap: { wait: PT1S } }, { no: { raise: { error: { type: 'https://a.example/no', status: 500 } } } } ] }
                  catch: { do: [ { heal: { set: { n: 1 } } } ] }`;
    const { moved } = await runs.run(steps);
    const inside = moved.filter(({ step }) => step.includes('/for/') || step.includes('/do/0/each/do'));
    expect(new Set(inside.map(({ state }) => state))).toEqual(
      new Set(['started', 'waiting', 'failed', 'skipped', 'finished']),
    );
    const turns = inside.map(({ iterations }) => iterations?.join('.'));
    const second = turns.indexOf('1');
    expect(new Set(turns.slice(0, second))).toEqual(new Set(['0']));
    expect(new Set(turns.slice(second))).toEqual(new Set(['1']));
  });

  test('given events that a foreach works through, then its steps name the event by its number', async () => {
    const steps = `
      do:
        - hear:
            listen: { to: { any: [ { with: { type: a } } ], until: '\${ length == 2 }' } }
            foreach: { do: [ { one: { set: { n: 1 } } } ] }`;
    const events = ['1', '2'].map((id) => ({ id, source: '/x', type: 'a' }));
    const { moved } = await runs.run(steps, {}, { events });
    const ones = moved.filter(({ step }) => step.endsWith('/one'));
    expect(ones.map(({ iterations }) => iterations)).toEqual([[0], [1]]);
  });

  test.each([
    ['an empty list', 'in: .none', ''],
    ['`while` that is false before the first turn', 'in: .items', 'while: .n < 0'],
  ])('given %s, then the output of the loop is its input', async (_, list, condition) => {
    const steps = `
      do:
        - loop:
            for: { ${list} }
            ${condition}
            do: [ { step: { set: { n: 5 } } } ]`;
    const input = { n: 0, items: [1, 2], none: [] };
    expect(await runs.output(steps, input)).toEqual(input);
  });

  test('given `while` that no longer holds, then the loop ends', async () => {
    const steps = `
      do:
        - loop:
            for: { in: '[1, 2, 3, 4]' }
            while: (.n // 0) < 2
            do: [ { add: { set: { n: "\${ (.n // 0) + 1 }" } } } ]`;
    expect(await runs.output(steps)).toEqual({ n: 2 });
  });

  test('given more turns than one input moves, then the run continues by itself', async () => {
    const steps = `
      do:
        - loop:
            for: { in: '[range(500)]' }
            do: [ { add: { set: { n: "\${ (.n // 0) + 1 }" } } } ]`;
    const { ending, inputs } = await runs.run(steps);
    expect(ending).toMatchObject({ output: { n: 500 } });
    expect(inputs).toBe(3);
  });
});

describe('fork', () => {
  test('given branches, then their outputs come in declared order', async () => {
    const steps = `
      do:
        - both:
            fork:
              branches:
                - slow: { wait: PT10S, output: { as: '"slow"' } }
                - quick: { set: { is: quick } }`;
    expect(await runs.output(steps)).toEqual(['slow', { is: 'quick' }]);
  });

  test('given branches that compete, then the first one wins and the others are passed over', async () => {
    const steps = `
      do:
        - race:
            fork:
              compete: true
              branches:
                - slow: { wait: PT10S, output: { as: '"slow"' } }
                - quick: { wait: PT1S, output: { as: '"quick"' } }`;
    const { ending, moved, now } = await runs.run(steps);
    expect(ending).toMatchObject({ output: 'quick' });
    expect(now).toBe(Date.UTC(2026, 0, 1, 0, 0, 1));
    expect(statesOf(moved)).toContain('skipped /do/0/race/fork/branches/0/slow');
  });

  test('given a branch that fails, then the fork fails and the others are passed over', async () => {
    const steps = `
      do:
        - both:
            fork:
              branches:
                - slow: { wait: PT10S }
                - bad: { raise: { error: { type: 'https://example.com/bad', status: 400, title: Bad } } }`;
    const { ending, moved } = await runs.run(steps);
    expect(rejectionOf(ending)).toMatchObject({ reason: 'conflict', kind: 'raised', detail: 'Bad' });
    expect(statesOf(moved)).toContain('skipped /do/0/both/fork/branches/0/slow');
  });
});

describe('much at a time', () => {
  test('given a loop that is longer than one input, when a wait comes after it, then each turn was taken once', async () => {
    const steps = `
      do:
        - loop:
            for: { in: '[range(450)]' }
            do: [ { tell: { emit: { event: { with: { type: turn } } } } } ]
        - pause: { wait: PT1S }
        - end: { set: { done: true } }`;
    const { ending, published, moved } = await runs.run(steps);
    expect(ending).toMatchObject({ output: { done: true } });
    expect(published).toHaveLength(450);
    expect(statesOf(moved).filter((step) => step === 'waiting /do/1/pause')).toHaveLength(1);
  });

  test('given branches with long loops and a wait between them, then each turn of each branch was taken once', async () => {
    const loop = (name: string) =>
      `{ ${name}: { for: { in: '[range(250)]' }, do: [ { tell: { emit: { event: { with: { type: ${name} } } } } } ] } }`;
    const steps = `do: [ { both: { fork: { branches: [ ${loop('one')}, ${loop('two')}, { pause: { wait: PT1S } } ] } } } ]`;
    const { ending, published } = await runs.run(steps);
    expect(ending).toMatchObject({ status: 'succeeded' });
    expect(published.filter(({ type }) => type === 'one')).toHaveLength(250);
    expect(published.filter(({ type }) => type === 'two')).toHaveLength(250);
  });

  test('given steps that go in a circle without waiting, then the run is ended as unworkable', async () => {
    const { ending, inputs } = await runs.run('do: [ { a: { set: { n: 1 }, then: a } } ]');
    expect(rejectionOf(ending)).toMatchObject({ reason: 'conflict', kind: 'unworkable' });
    expect(inputs).toBe(501);
  });

  test('given a template that doubles the data at each turn, then it fails before it is too large to hold', async () => {
    const steps = `do: [ { a: { set: { x: "\${ . }", y: "\${ . }" }, then: a } } ]`;
    const { ending } = await runs.run(steps, { text: 'x'.repeat(1000) });
    expect(rejectionOf(ending)).toMatchObject({ reason: 'conflict', kind: 'unworkable' });
  });

  test('given many waiting steps with large data, then the run is ended as oversized', async () => {
    const branches = Array.from({ length: 100 }, (_none, n) => `{ b${n}: { wait: PT1H } }`).join(', ');
    const steps = `do: [ { all: { fork: { branches: [ ${branches} ] } } } ]`;
    const { ending } = await runs.run(steps, { text: 'x'.repeat(1_000_000) });
    expect(rejectionOf(ending)).toMatchObject({ reason: 'conflict', kind: 'oversized' });
  });
});

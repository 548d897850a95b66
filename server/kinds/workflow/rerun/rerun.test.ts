import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { derivedId } from '../../../kernel/ids.ts';
import type { CloudEvent } from '../../durable.ts';
import { createTestRuns } from '../testing.ts';
import {
  beginAgain,
  callsOf,
  FAILED,
  failing,
  runAgain,
  runOnce,
  START,
  type Tried,
  type TriedRun,
} from './rerunning.testing.ts';

const runs = createTestRuns();
afterAll(() => runs.close());
const { kind } = runs;

/** The run as it was recorded when the ids of called runs did not begin like the caller's. */
function withEarlierIds(run: TriedRun): TriedRun {
  const called = run.decisions.flatMap(({ commands }) => commands).filter((command) => command.do === 'start_run');
  const inputs = run.recorded.inputs.map((input) => {
    const command = called.find(({ runId }) => runId === input.key);
    return command === undefined ? input : { ...input, key: derivedId(`${run.runId} run ${command.number}`) };
  });
  expect(inputs).not.toEqual(run.recorded.inputs);
  return { ...run, recorded: { ...run.recorded, inputs } };
}

describe('a step that failed', () => {
  const tried: Tried = { workflow: callsOf('read', 'charge', 'tell') };

  test('runs again with the results before it, and nothing before it is called', async () => {
    const before = await runOnce(kind, { ...tried, answer: failing({ '/do/1/charge': 1 }) });
    expect(before.ending?.status).toBe('failed');
    const again = await runAgain([before], tried, { kind, until: { step: 'charge' } });
    expect(again.ending).toMatchObject({ status: 'succeeded', output: { of: '/do/2/tell' } });
    expect(again.calls).toEqual(['/do/1/charge', '/do/2/tell']);
    const [start] = again.decisions;
    expect(start?.commands).toContainEqual(
      expect.objectContaining({ do: 'start_run', name: 'charge', input: { of: '/do/0/read' } }),
    );
  });

  test('calls of an earlier history, whose ids began otherwise, are found', async () => {
    const before = await runOnce(kind, { ...tried, answer: failing({ '/do/2/tell': 1 }) });
    const again = await runAgain([withEarlierIds(before)], tried, { kind, until: { step: 'tell' } });
    expect(again.ending).toMatchObject({ status: 'succeeded', output: { of: '/do/2/tell' } });
    expect(again.calls).toEqual(['/do/2/tell']);
  });

  test('a rerun of a rerun has the results of both', async () => {
    const first = await runOnce(kind, { ...tried, answer: failing({ '/do/1/charge': 1 }) });
    const second = await runAgain(
      [first],
      { ...tried, answer: failing({ '/do/2/tell': 1 }) },
      { kind, until: { step: 'charge' } },
    );
    expect(second.ending?.status).toBe('failed');
    const third = await runAgain([first, second], tried, { kind, until: { step: '/do/2/tell' } });
    expect(third.ending).toMatchObject({ status: 'succeeded' });
    expect(third.calls).toEqual(['/do/2/tell']);
  });
});

describe('loops', () => {
  const workflow: JsonObject = {
    do: [
      {
        all: {
          for: { in: '${ .items }' },
          do: [
            { fetch: { call: 'computation/fetch', with: '${ $item }' } },
            { add: { call: 'computation/add', with: '${ { item: $item, at: $index, got: . } }' } },
          ],
        },
      },
    ],
  };
  const input = { items: ['a', 'b', 'c', 'd'] };

  test('the last iteration in which the step ran, or the chosen one', async () => {
    const fails: NonNullable<Tried['answer']> = ({ input: given, reference }) =>
      reference.endsWith('add') && (given as JsonObject)['item'] === 'c' ? FAILED : undefined;
    const before = await runOnce(kind, { workflow, input, answer: fails });
    const again = await runAgain([before], { workflow, input }, { kind, until: { step: 'add' } });
    expect(again.ending?.status).toBe('succeeded');
    expect(again.until).toEqual({ step: '/do/0/all/do/1/add', iterations: [2] });
    expect(again.calls.map((call) => call.split('/').at(-1))).toEqual(['add', 'fetch', 'add']);
    const second = await runAgain([before], { workflow, input }, { kind, until: { step: 'fetch', iterations: [1] } });
    expect(second.calls.map((call) => call.split('/').at(-1))).toEqual([
      'fetch',
      'add',
      'fetch',
      'add',
      'fetch',
      'add',
    ]);
  });

  test('an iteration in which the step did not run is refused with those in which it did', async () => {
    const before = await runOnce(kind, { workflow, input });
    await expect(beginAgain([before], { kind, until: { step: 'add', iterations: [9] } })).rejects.toThrow(
      'The step /do/0/all/do/1/add did not run in the iterations [9]; it ran in [0], [1], [2], [3].',
    );
  });
});

describe('forks', () => {
  const workflow: JsonObject = {
    do: [
      {
        both: {
          fork: {
            branches: [
              { left: { do: [{ l1: { call: 'computation/l1' } }, { l2: { call: 'computation/l2' } }] } },
              { right: { do: [{ r1: { call: 'computation/r1' } }, { r2: { call: 'computation/r2' } }] } },
            ],
          },
        },
      },
      { last: { call: 'computation/last', with: '${ . }' } },
    ],
  };
  const names = (run: TriedRun): Set<string | undefined> => new Set(run.calls.map((call) => call.split('/').at(-1)));

  test('what the other branches did until the step ended is kept; what was cut off begins again', async () => {
    // The calls are answered in the order l1, r1, l2, r2.
    const before = await runOnce(kind, { workflow, answer: failing({ '/do/0/both/fork/branches/0/left/do/1/l2': 1 }) });
    expect([...names(before)]).toEqual(['l1', 'r1', 'l2', 'r2']);
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'l2' } });
    expect(names(again)).toEqual(new Set(['l2', 'last', 'r2']));
    expect(again.ending?.status).toBe('succeeded');
  });

  test('a call of another branch that succeeded later keeps its result', async () => {
    const before = await runOnce(kind, { workflow, answer: failing({ '/do/1/last': 1 }) });
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'l1' } });
    // r1 was in progress when l1 ended, and succeeded: it is not called again.
    expect(names(again)).toEqual(new Set(['l1', 'l2', 'last', 'r2']));
  });

  test('of branches that compete, those in progress begin again', async () => {
    const race = structuredClone(workflow);
    const [{ both }] = race['do'] as [{ both: { fork: JsonObject } }];
    both.fork['compete'] = true;
    const before = await runOnce(kind, { workflow: race, answer: failing({ '/do/1/last': 1 }) });
    const again = await runAgain([before], { workflow: race }, { kind, until: { step: 'r1' } });
    expect(again.ending?.status).toBe('succeeded');
    expect([...names(again)]).toEqual(expect.arrayContaining(['r1', 'last']));
  });
});

describe('try', () => {
  const workflow: JsonObject = {
    do: [
      { first: { call: 'computation/first' } },
      {
        careful: {
          try: [{ risky: { call: 'computation/risky' } }],
          catch: {
            retry: { delay: 'PT10S', limit: { attempt: { count: 2 } } },
            do: [{ mend: { call: 'computation/mend', with: '${ $error.status }' } }],
          },
        },
      },
      { last: { call: 'computation/last' } },
    ],
  };
  const risky = '/do/1/careful/try/0/risky';

  test('the last try of a step that was tried again', async () => {
    const before = await runOnce(kind, { workflow, answer: failing({ [risky]: 1, '/do/2/last': 1 }) });
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'risky' } });
    expect(again.calls).toEqual([risky, '/do/2/last']);
    // The waits before were part of the history: nothing is waited for.
    expect(again.now).toBe(START);
  });

  test('a step of the catch has the recorded error', async () => {
    const before = await runOnce(kind, {
      workflow,
      answer: failing({ [risky]: 9, '/do/1/careful/catch/do/0/mend': 1 }),
    });
    expect(before.ending?.status).toBe('failed');
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'mend' } });
    expect(again.calls).toEqual(['/do/1/careful/catch/do/0/mend', '/do/2/last']);
    expect(again.decisions[0]?.commands).toContainEqual(
      expect.objectContaining({ do: 'start_run', name: 'mend', input: 500 }),
    );
  });
});

describe('what the document does besides', () => {
  test('exported context, a switch, a skipped step and a wait are as they were; only the time that is left is waited', async () => {
    const workflow: JsonObject = {
      do: [
        { fetch: { call: 'computation/fetch', export: { as: '${ { seen: .of } }' } } },
        { choose: { switch: [{ big: { when: '${ .of != null }', then: 'nap' } }, { other: { then: 'end' } }] } },
        { never: { set: { no: true } } },
        { nap: { wait: 'PT1H' } },
        { maybe: { if: '${ false }', call: 'computation/maybe' } },
        {
          both: {
            fork: {
              branches: [
                { slow: { wait: 'PT10M' } },
                {
                  quick: {
                    do: [{ short: { wait: 'PT4M' } }, { ask: { call: 'computation/ask', with: '${ $context }' } }],
                  },
                },
              ],
            },
          },
        },
      ],
    };
    const before = await runOnce(kind, {
      workflow,
      answer: failing({ '/do/5/both/fork/branches/1/quick/do/1/ask': 1 }),
    });
    expect(before.ending?.status).toBe('failed');
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'ask' } });
    expect(again.decisions[0]?.commands).toContainEqual(
      expect.objectContaining({ do: 'start_run', name: 'ask', input: { seen: '/do/0/fetch' } }),
    );
    expect(again.ending?.status).toBe('succeeded');
    expect(again.now - START).toBe(6 * 60_000);
    expect(again.calls).toEqual(['/do/5/both/fork/branches/1/quick/do/1/ask']);
  });

  test('a block begins with the context that it began with', async () => {
    const workflow: JsonObject = {
      do: [
        { start: { set: { n: 1 }, export: { as: '${ { n: 1 } }' } } },
        {
          block: {
            do: [
              { count: { set: { n: '${ $context.n + 1 }' }, export: { as: '${ { n: $context.n + 1 } }' } } },
              { call: { call: 'computation/fails', with: '${ $context }' } },
            ],
          },
        },
      ],
    };
    const before = await runOnce(kind, { workflow, answer: failing({ '/do/1/block/do/1/call': 1 }) });
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'block' } });
    expect(again.decisions[0]?.commands).toContainEqual(expect.objectContaining({ do: 'start_run', input: { n: 2 } }));
  });

  test('events that a listen took are taken again; nothing is published again', async () => {
    const workflow: JsonObject = {
      do: [
        { note: { emit: { event: { with: { type: 'noted', source: '/test' } } } } },
        { hear: { listen: { to: { one: { with: { type: 'paid' } } } } } },
        { book: { call: 'computation/book', with: '${ . }' } },
      ],
    };
    const events: CloudEvent[] = [{ specversion: '1.0', id: 'e1', source: '/shop', type: 'paid', data: { sum: 3 } }];
    const before = await runOnce(kind, { workflow, events, answer: failing({ '/do/2/book': 1 }) });
    const again = await runAgain([before], { workflow }, { kind, until: { step: 'book' } });
    expect(again.published).toEqual([]);
    expect(again.decisions[0]?.commands).toContainEqual(
      expect.objectContaining({ do: 'start_run', input: [{ sum: 3 }] }),
    );
    const waiting = await runAgain([before], { workflow }, { kind, until: { step: 'hear' } });
    expect(waiting.ending).toBeUndefined();
    expect(waiting.waitsFor).toBe('events of type paid');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { CloudEvent } from '../../durable.ts';
import { createTestRuns } from '../testing.ts';
import { beginAgain, callsOf, FAILED, failing, runAgain, runOnce, succeeded, type Tried } from './rerunning.testing.ts';

const runs = createTestRuns();
afterAll(() => runs.close());
const { kind } = runs;

describe('another version', () => {
  const workflow = callsOf('read', 'charge', 'tell');
  const answer = failing({ '/do/1/charge': 1 });

  test('the chosen step and what follows may differ', async () => {
    const before = await runOnce(kind, { workflow, answer });
    const mended = callsOf('read', 'charge', 'book', 'tell');
    (mended['do'] as { charge?: JsonObject }[])[1] = { charge: { call: 'computation/charge-well', with: '${ . }' } };
    const again = await runAgain([before], { workflow: mended }, { kind, until: { step: 'charge' }, workflow: mended });
    expect(again.ending?.status).toBe('succeeded');
    expect(again.calls).toEqual(['/do/1/charge', '/do/2/book', '/do/3/tell']);
  });

  test('a step that ran and is not the same is named', async () => {
    const before = await runOnce(kind, { workflow, answer });
    const other = callsOf('read', 'charge', 'tell');
    (other['do'] as JsonObject[])[0] = { read: { call: 'computation/read', with: { other: 1 } } };
    await expect(beginAgain([before], { kind, until: { step: 'charge' }, workflow: other })).rejects.toThrow(
      'The run of version 1 cannot continue on version 2: the step /do/0/read is not the same there',
    );
    const moved = callsOf('new', 'read', 'charge', 'tell');
    await expect(beginAgain([before], { kind, until: { step: 'charge' }, workflow: moved })).rejects.toThrow(
      'the step /do/0/read is not the same there',
    );
  });
});

describe('a step that cannot be chosen', () => {
  test('one that did not run, one that is unknown, and a name of several', async () => {
    const workflow: JsonObject = {
      do: [
        { read: { call: 'computation/read' } },
        { part: { do: [{ twice: { set: { a: 1 } } }] } },
        { other: { do: [{ twice: { set: { a: 1 } } }] } },
      ],
    };
    const before = await runOnce(kind, { workflow, answer: failing({ '/do/0/read': 1 }) });
    const choose = (step: string) => beginAgain([before], { kind, until: { step } });
    await expect(choose('part')).rejects.toThrow(
      /The step \/do\/1\/part did not run .* nearest steps that ran: \/do\/0\/read\./,
    );
    await expect(choose('raed')).rejects.toThrow('The workflow has no step "raed". Did you mean read?');
    await expect(choose('twice')).rejects.toThrow(
      'Several steps have the name twice; give the JSON Pointer of one: /do/1/part/do/0/twice, /do/2/other/do/0/twice.',
    );
  });
});

test('a long history is replayed', async () => {
  const workflow: JsonObject = {
    do: [
      {
        all: {
          for: { in: '${ [range(3000)] }' },
          do: [{ one: { set: { at: '${ $index }' } } }, { nap: { wait: 'PT0S' } }],
        },
      },
      { last: { call: 'computation/last', with: '${ . }' } },
    ],
  };
  const before = await runOnce(kind, { workflow, answer: failing({ '/do/1/last': 1 }) });
  const again = await runAgain([before], { workflow }, { kind, until: { step: 'last' } });
  expect(again.calls).toEqual(['/do/1/last']);
  expect(again.decisions[0]?.commands).toContainEqual(
    expect.objectContaining({ do: 'start_run', input: { at: 2999 } }),
  );
});

describe('every step of the golden histories', () => {
  const folder = new URL('../golden/', import.meta.url);
  const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  test.each(names)('%s', async (name) => {
    const golden = parse(readFileSync(new URL(name, folder), 'utf8')) as {
      workflow: JsonObject;
      input?: Json;
      events?: CloudEvent[];
      calls?: Record<string, Json>;
    };
    const { workflow, input = {}, events = [], calls = {} } = golden;
    const answer: NonNullable<Tried['answer']> = ({ reference, called }) => {
      const output = calls[reference] ?? calls[called];
      return output === undefined ? FAILED : succeeded(output);
    };
    const tried = { workflow, input, events, answer };
    const before = await runOnce(kind, tried);
    const visited = new Set(before.recorded.inputs.flatMap(({ moved }) => moved.map(({ step }) => step)));
    expect(visited.size).toBeGreaterThan(2);
    for (const step of visited) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const again = await runAgain([before], { ...tried, events: [] }, { kind, until: { step } });
      expect(again.calls.length, step).toBeLessThanOrEqual(before.calls.length);
      // Events are not sent again: what listens for them waits.
      const status = events.length > 0 && again.ending === undefined ? before.ending?.status : again.ending?.status;
      expect(status, step).toBe(before.ending?.status);
    }
  });
});

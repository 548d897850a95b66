// What a type of task costs: two files and a line in the table. `twice` is such a type, and the line is the mock's.
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createChecking } from './document/checking.testing.ts';
import type * as TaskTypes from './task-types.ts';
import { createTestRuns, statesOf } from './testing.ts';

vi.mock('./task-types.ts', async (importOriginal) => {
  const { TASK_TYPES } = await importOriginal<typeof TaskTypes>();
  const { TWICE } = await import('./document/tasks/twice.testing.ts');
  const { TWICE_ENGINE } = await import('./engine/tasks/twice.testing.ts');
  return { TASK_TYPES: { ...TASK_TYPES, twice: { descriptor: TWICE, engine: TWICE_ENGINE } } };
});

const { checked, issuesOf, warningsOf } = createChecking();
const runs = createTestRuns();
afterAll(() => runs.close());

const COUNTING = `
  do:
    - count:
        twice:
          from: '{ n: 1 }'
          do:
            - nap: { wait: PT1S }
            - add: { set: '\${ { n: (.n * 10 + $round) } }' }
`;

describe('given a type of task in two files and a line of the table', () => {
  test('when a workflow with it runs, then its steps run, each in its iteration', async () => {
    const { ending, moved } = await runs.run(COUNTING);
    expect(ending).toMatchObject({ status: 'succeeded', output: { n: 112 } });
    expect(statesOf(moved).filter((step) => step.startsWith('finished'))).toEqual([
      'finished /do/0/count/twice/do/0/nap',
      'finished /do/0/count/twice/do/1/add',
      'finished /do/0/count/twice/do/0/nap',
      'finished /do/0/count/twice/do/1/add',
      'finished /do/0/count',
    ]);
    expect(moved.flatMap(({ iterations = [], state }) => (state === 'finished' ? iterations : []))).toEqual([
      0, 0, 1, 1,
    ]);
  });

  test('when a workflow with it is drawn and described, then its steps stand under it, and its words say what it does', async () => {
    const { graph, overview } = await checked('do:\n  - a: { twice: { do: [{ b: { wait: PT1S } }] } }');
    expect(graph.nodes).toContainEqual({ id: '/do/0/a', name: 'a', type: 'twice', summary: 'does it twice', line: 4 });
    expect(graph.nodes).toContainEqual(expect.objectContaining({ id: '/do/0/a/twice/do/0/b', parent: '/do/0/a' }));
    expect(graph.edges).toContainEqual({ from: '/do/0/a', to: '/do/0/a/twice/do/0/b', kind: 'enter' });
    expect(overview).toContain('- `a`: does it twice\n  - `b`: waits 1 second');
  });

  test('when a workflow with it is saved, then its form, its expressions and its own rules are checked', async () => {
    expect(await issuesOf('do:\n  - a: { twice: { do: [], times: 3 } }')).toEqual([
      '4:27 /do/0/a/twice/times Unknown field `times`; write one of `from`, `do`.',
    ]);
    expect(await issuesOf('do:\n  - a: { twice: { from: .a |, do: [] } }')).toEqual([
      expect.stringContaining('/do/0/a/twice/from The expression is not valid'),
    ]);
    expect(await issuesOf('do:\n  - a: { twice: { do: [{ b: { set: "${ $round }" } }] } }')).toEqual([]);
    expect(await issuesOf('do:\n  - a: { wait: PT1S, twice: { do: [] } }')).toEqual([
      expect.stringContaining('`twice` cannot be combined with `wait`'),
    ]);
    expect(await warningsOf('do:\n  - a: { twice: { do: [] } }')).toEqual([
      '4:19 /do/0/a/twice/do Nothing is done twice; add a step.',
    ]);
  });

  test('when an extension names it, then it is extended', async () => {
    const extension = 'use: { extensions: [{ log: { extend: twice, before: [{ nap: { wait: PT5S } }] } }] }';
    expect(await issuesOf(`${extension}\ndo: [{ a: { twice: { do: [] } } }]`)).toEqual([]);
    const { moved } = await runs.run(`${extension}\ndo: [{ a: { twice: { do: [{ b: { set: { c: 1 } } }] } } }]`);
    expect(statesOf(moved)).toContain('finished /use/extensions/0/log/before/0/nap');
  });
});

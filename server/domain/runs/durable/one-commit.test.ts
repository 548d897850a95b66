// What is recorded in one commit, over a store in which the test triggers each commit.
import { expect, test } from 'vitest';
import type { Json } from '../../../../shared/json.ts';
import { cancelTop, PLACE } from '../../../test/durability/callers.testing.ts';
import { question } from '../../../test/durability/document.testing.ts';
import type { ServiceProcess } from '../../../test/durability/process.testing.ts';
import {
  ADD_ONE,
  appliedIn,
  commitAll,
  EMIT,
  inputsOf,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
  workflow,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, begun, started, start } = useSteppedCases([
  workflow('two', [ADD_ONE, ADD_ONE]),
  { type: 'interaction', name: 'ask', source: question('P90D') },
]);

test('given a workflow that calls functions with something else between, then each of them costs one commit', async () => {
  const file = await given([ADD_ONE, EMIT, ADD_ONE, EMIT, ADD_ONE]);
  const service = await started(file);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  expect(await commitAll(service)).toBe(2);
  expect(await topOf(service)).toMatchObject({ output: { n: 4 } });
  const cause = `SELECT type FROM events WHERE id = '${appliedIn(file)[1]?.cause}'`;
  expect(look(file, cause)).toEqual([{ type: 'run_succeeded' }]);
});

test('given a commit that has to wait, then the call ends no later than the step that waits for it', async () => {
  const file = await given([ADD_ONE]);
  const service = await started(file);
  clock.advance(40);
  await commitAll(service);
  const times = "SELECT type, metadata ->> 'at' AS at FROM events WHERE type IN ('run_succeeded', 'step_finished')";
  const [call, step] = look<{ type: string; at: string }>(file, `${times} ORDER BY read_position`);
  expect([call?.type, step?.type]).toEqual(['run_succeeded', 'step_finished']);
  expect(call?.at).toBe(step?.at);
});

test('given a called workflow that calls functions, then its start, its end and what follows above it are one commit', async () => {
  const file = await given([{ call: 'workflow/two', with: { n: '${ .n }' } }]);
  const service = await started(file);
  expect(await commitAll(service)).toBe(1);
  expect(statusesOf(file)).toEqual(['main succeeded', 'two succeeded', 'add-one succeeded', 'add-one succeeded']);
});

test('given a workflow that moves before the ending is recorded, then the ending is applied on its own', async () => {
  const file = await given([ADD_ONE, ADD_ONE]);
  const service = await started(file);
  cancelTop(service).catch(() => {});
  expect(await service.settle()).toBe(2);
  await service.commit(1, false);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started']);
  await commitAll(service);
  expect(statusesOf(file)).toEqual(['main rejected', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'cancel_requested']);
});

const ask = (service: ServiceProcess, file: string, answer: Json): Promise<unknown> => {
  const [asking] = look<{ run_id: string }>(file, "SELECT run_id FROM runs WHERE name = 'ask'");
  return service.interactions.answer(PLACE, String(asking?.run_id), { answer, claimedFor: undefined, by: 'ada' });
};

test('given an answer, then it ends the question and moves the workflow that asked in the same commit', async () => {
  const file = await given([{ call: 'interaction/ask', with: { n: '${ .n }' } }, ADD_ONE]);
  const service = await begun(file);
  await commitAll(service);
  expect(statusesOf(file)).toEqual(['main started', 'ask started']);
  const answered = ask(service, file, { n: 5 });
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'ask succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  await answered;
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ output: { n: 6 } });
});

test('given a workflow that is cancelled before the answer to its question is recorded, then it ends as cancelled', async () => {
  const file = await given([{ call: 'interaction/ask', with: { n: '${ .n }' } }]);
  const service = await begun(file);
  await commitAll(service);
  const answered = ask(service, file, { n: 5 });
  await service.settle();
  cancelTop(service).catch(() => {});
  await service.settle();
  // The workflow is asked to stop before the answer is recorded; its question is still open.
  await service.commit(1, false);
  await commitAll(service);
  await answered;
  expect(statusesOf(file)).toEqual(['main rejected', 'ask succeeded']);
});

const TOLD = { listen: { to: { one: { with: { type: 'told' } } } } };
const tell = ({ events }: ServiceProcess): Promise<unknown> =>
  events.publish(PLACE, { type: 'told', source: '/outside', id: 'event' }, 'developer', 'a'.repeat(32));

test('given an input that comes before the ending is recorded, then it is applied after the ending', async () => {
  const file = await given([{ fork: { branches: [{ calls: ADD_ONE }, { listens: TOLD }] } }]);
  const service = await started(file);
  void tell(service);
  await service.settle();
  await service.commit(1, false);
  // The ending still waits for its commit, and the input for the ending.
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  await commitAll(service);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended', 'event_received']);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
});

test('given an input that is being applied when a function ends, then its ending is recorded on its own', async () => {
  const file = await given([
    {
      fork: { branches: [{ calls: { do: [{ one: ADD_ONE }, { emits: EMIT }, { two: ADD_ONE }] } }, { listens: TOLD }] },
    },
  ]);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let functions = 0;
  const holds = (): Promise<void> | undefined => (++functions === 2 ? released : undefined);
  const service = await started(file, { watch: { carriedOut: () => {}, performed: () => {}, holds } });
  void tell(service);
  await service.settle();
  await service.commit(1, false);
  await service.settle();
  await service.commit(0, false);
  // The input, and behind it the ending of the second function.
  expect(await service.settle()).toBe(1);
  release();
  expect(await service.settle()).toBe(2);
  await service.commit(1, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  await commitAll(service);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended', 'event_received', 'called_run_ended']);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
});

test.each([0, 1, 2])('given a process that ends after %i of its commits, then the next one continues', async (most) => {
  const file = await given([ADD_ONE, ADD_ONE]);
  const service = await started(file);
  await commitAll(service, most);
  await service.settle();
  await service.kill();
  const next = start(file);
  void next.begin();
  await commitAll(next);
  expect(await topOf(next)).toMatchObject({ output: { n: 3 } });
  expect(statusesOf(file)).toEqual(['main succeeded', 'add-one succeeded', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended', 'called_run_ended']);
});

const NO_TIME = { wait: 'PT0S' };

test('given timers that are due when they are set, then they are recorded with what sets them', async () => {
  const file = await given([NO_TIME, NO_TIME, ADD_ONE, NO_TIME]);
  const service = await begun(file);
  const [first, second, third] = appliedIn(file);
  expect([first, second, third].map((one) => one?.kind)).toEqual(['started', 'timer_due', 'timer_due']);
  expect([second?.cause, third?.cause]).toEqual([first?.id, second?.id]);
  // The call, and the timer behind it.
  expect(await commitAll(service)).toBe(1);
  expect(inputsOf(file).slice(3)).toEqual(['called_run_ended', 'timer_due']);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: 2 } });
  expect(look(file, 'SELECT * FROM tasks')).toEqual([]);
});

test('given a branch that wins with such a timer, then what the other one began is not carried out', async () => {
  const branches = [{ quick: NO_TIME }, { slow: ADD_ONE }];
  const file = await given([{ fork: { compete: true, branches } }]);
  const service = await begun(file);
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
  expect(statusesOf(file)).toEqual(['main succeeded']);
  expect(look(file, 'SELECT * FROM run_waiters')).toEqual([]);
});

test.each([
  ['its start', []],
  ['an input', [ADD_ONE]],
])(
  'given an event id that is published twice around such a timer after %s, then the second one fails',
  async (_, before) => {
    const emit = (data: string) => ({ emit: { event: { with: { id: 'one', source: '/here', type: 'told', data } } } });
    const file = await given([...before, emit('first'), NO_TIME, emit('second')]);
    const service = await begun(file);
    await commitAll(service);
    expect(await topOf(service)).toMatchObject({ status: 'rejected', reason: 'invalid_input' });
    expect(look(file, `SELECT id FROM events WHERE stream = 'events'`)).toHaveLength(1);
    expect(inputsOf(file).at(-1)).toBe('timer_due');
  },
);

test('given a loop of such timers, then one commit holds a bounded number of its turns', async () => {
  const file = await given([{ for: { in: '[range(150)]' }, do: [{ pause: NO_TIME }] }]);
  const service = await begun(file);
  expect(inputsOf(file)).toHaveLength(100);
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
  expect(inputsOf(file)).toHaveLength(151);
});

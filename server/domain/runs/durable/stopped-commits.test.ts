// A stop by a signal while endings wait for their commits. The test triggers each commit.
import { expect, test } from 'vitest';
import { PLACE } from '../../../test/durability/callers.testing.ts';
import type { ServiceProcess } from '../../../test/durability/process.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  commitAll,
  EMIT,
  look,
  statusesOf,
  useSteppedCases,
  WATCH,
} from '../../../test/durability/stepped-cases.testing.ts';
import { STOP_GRACE_MS } from '../../../kernel/stopping.ts';

const { clock, given, start } = useSteppedCases();

const TOPS = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

/** A service in which workflows have called functions whose endings wait for their commits. */
async function queued(): Promise<{ file: string; service: ServiceProcess }> {
  // The event is recorded before the second call begins.
  const file = await given([ADD_ONE, EMIT, ADD_ONE]);
  let areWorkersBusy = true;
  const service = start(file, { watch: { ...WATCH, areWorkersBusy: () => areWorkersBusy } });
  void service.begin();
  await commitAll(service);
  const caller = { by: 'developer', signal: new AbortController().signal };
  const started = TOPS.map((runId) =>
    service.runs.runOrFind({ ...PLACE, type: 'workflow', name: 'main', runId, input: { n: 1 }, ...caller }),
  );
  expect(await service.settle()).toBe(TOPS.length);
  areWorkersBusy = false;
  for (let run = 0; run < TOPS.length; run += 1) await service.commit(0, false);
  await Promise.all(started);
  expect(await service.settle()).toBe(TOPS.length);
  return { file, service };
}

/** Stops, and commits what waits until the service has stopped. */
async function stopAll(service: ServiceProcess, meanwhile: () => void = () => {}): Promise<void> {
  let hasStopped = false;
  const stopped = service.stop().finally(() => {
    hasStopped = true;
  });
  await service.settle();
  expect(hasStopped).toBe(false);
  meanwhile();
  for (let round = 0; round < 10 && !hasStopped; round += 1) await commitAll(service);
  await stopped;
}

const tasksIn = (file: string): unknown[] =>
  look(file, `SELECT kind, claimed_by, tries, deaths FROM tasks WHERE kind = 'run-start'`);
const GIVEN_BACK = { kind: 'run-start', claimed_by: null, tries: 0, deaths: 0 };

async function continued(file: string): Promise<void> {
  const next = start(file);
  void next.begin();
  await commitAll(next);
  const calls = TOPS.flatMap(() => ['add-one succeeded', 'add-one succeeded']);
  expect(statusesOf(file).toSorted()).toEqual([...calls, ...TOPS.map(() => 'main succeeded')]);
  expect(look(file, `SELECT DISTINCT attempt FROM runs`)).toEqual([{ attempt: 1 }]);
  expect(breachesOf(file)).toEqual([]);
}

test('given a stop, then the endings that wait are recorded with the next calls, which the next start begins', async () => {
  const { file, service } = await queued();
  await stopAll(service);
  expect(statusesOf(file).filter((one) => one === 'add-one succeeded')).toHaveLength(TOPS.length);
  expect(tasksIn(file)).toEqual(TOPS.map(() => GIVEN_BACK));
  await service.kill();
  await continued(file);
});

test('given a stop whose grace is over, then nothing of the endings that wait is recorded, and no try is counted', async () => {
  const { file, service } = await queued();
  await stopAll(service, () => clock.advance(STOP_GRACE_MS));
  expect(statusesOf(file)).toEqual(TOPS.map(() => 'main started'));
  expect(tasksIn(file)).toEqual(TOPS.map(() => GIVEN_BACK));
  await service.kill();
  await continued(file);
});

test.each([1, 2, 3])(
  'given a stop and a kill after %i of the commits, then the next start continues',
  async (commits) => {
    const { file, service } = await queued();
    service.stop().catch(() => {});
    await commitAll(service, commits - 1);
    await service.settle();
    await service.commit(0, true);
    await service.kill();
    expect(statusesOf(file)).toHaveLength(TOPS.length + commits);
    await continued(file);
  },
);

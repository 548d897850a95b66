// Called functions around the time after which their start is recorded by itself. The test moves the clock, triggers each
// commit and says when the function works.
import { expect, test } from 'vitest';
import type { ProcessOptions, ServiceProcess } from '../../../test/durability/process.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  commitAll,
  inputsOf,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, begun, start } = useSteppedCases();

/** The time, in milliseconds. */
const UNRECORDED = 50;

/** A service in which `main` has called a function that works once it is released. */
async function held(): Promise<{ file: string; service: ServiceProcess; release: () => void }> {
  const file = await given([ADD_ONE]);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const watch: ProcessOptions['watch'] = { carriedOut: () => {}, performed: () => {}, holds: () => promise };
  const service = await begun(file, { watch });
  expect(await service.settle()).toBe(0);
  return { file, service, release };
}

const historyOf = (file: string): string[] =>
  look<{ type: string }>(
    file,
    `SELECT events.type FROM events JOIN runs ON events.stream = 'run-' || runs.run_id WHERE runs.name = 'add-one' ORDER BY events.position`,
  ).map(({ type }) => type);

async function expectEnded(file: string, service: ServiceProcess, history: readonly string[]): Promise<void> {
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: 2 } });
  expect(historyOf(file)).toEqual(history);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  expect(breachesOf(file)).toEqual([]);
}

const ONCE = ['run_started', 'run_succeeded'];

test('given a function that works within the time, then one commit holds its start, its ending and the move of its caller', async () => {
  const { file, service, release } = await held();
  clock.advance(UNRECORDED - 1);
  expect(await service.settle()).toBe(0);
  release();
  expect(await service.settle()).toBe(1);
  // What waits for its commit is not recorded by itself, however long that takes.
  clock.advance(10 * UNRECORDED);
  expect(await commitAll(service)).toBe(1);
  await expectEnded(file, service, ONCE);
});

test('given a function that takes the time, then its start is recorded by itself, and its ending behind it', async () => {
  const { file, service, release } = await held();
  clock.advance(UNRECORDED);
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one started']);
  release();
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded']);
  await commitAll(service);
  await expectEnded(file, service, ONCE);
});

test('given a function that ends while its start waits for its commit, then the ending follows that commit', async () => {
  const { file, service, release } = await held();
  clock.advance(UNRECORDED);
  expect(await service.settle()).toBe(1);
  release();
  expect(await service.settle()).toBe(1);
  await service.commit(0, false);
  expect(historyOf(file)).toEqual(['run_started']);
  await commitAll(service);
  await expectEnded(file, service, ONCE);
});

const AGAIN = ['run_started', 'run_failed', ...ONCE];

test.each([
  ['before that commit', 0, false, ONCE],
  ['with that commit', 0, true, AGAIN],
  ['before the commit of the ending', 1, false, AGAIN],
  ['with the commit of the ending', 1, true, ONCE],
])(
  'given a start that is recorded by itself and a process that ends %s, then the next one ends the run',
  async (_, commits, isKept, history) => {
    const { file, service, release } = await held();
    clock.advance(UNRECORDED);
    await service.settle();
    release();
    await commitAll(service, commits);
    await service.settle();
    if (isKept) await service.commit(0, true);
    await service.kill();
    expect(inputsOf(file)).toEqual(['started']);
    const next = start(file);
    void next.begin();
    await commitAll(next);
    await expectEnded(file, next, history);
  },
);

// Requests under one run id at the same time, for a function whose start and ending are one commit. The test triggers each
// commit, and ends the process where it chooses.
import { expect, test } from 'vitest';
import { PLACE } from '../../test/durability/callers.testing.ts';
import type { ServiceProcess } from '../../test/durability/process.testing.ts';
import { breachesOf } from '../../test/durability/record.testing.ts';
import { commitAll, look, useSteppedCases } from '../../test/durability/stepped-cases.testing.ts';

const { given, start } = useSteppedCases();

const RUN_ID = '00000000-0000-4000-8000-000000000007';
const ENDED = { status: 'succeeded', output: { n: 2 } };

/** Requests a run of the function; how it went is asked for later. */
function request({ runs }: ServiceProcess, n = 1): { answer: Promise<unknown> } {
  const caller = { by: 'developer', signal: new AbortController().signal };
  const run = runs.runOrFind({
    ...PLACE,
    type: 'computation',
    name: 'add-one',
    runId: RUN_ID,
    input: { n },
    ...caller,
  });
  run.catch(() => {});
  return { answer: run };
}

/** A service in which nothing waits for a commit; `works` has an entry for each time a function was carried out. */
async function serviceOf(file: string, { isSlow = false } = {}) {
  const works: number[] = [];
  const watch = {
    carriedOut: (run: { attempt: number }) => works.push(run.attempt),
    performed: () => {},
    isSlow: () => isSlow,
  };
  const service = start(file, { watch });
  void service.begin();
  await commitAll(service);
  return { ...service, works };
}

const historyOf = (file: string): string[] =>
  look<{ type: string }>(file, `SELECT type FROM events WHERE stream = 'run-${RUN_ID}' ORDER BY position`).map(
    ({ type }) => type,
  );

test('given a run whose ending waits for its commit, then a second request gets that ending', async () => {
  const file = await given([]);
  const service = await serviceOf(file);
  const first = request(service);
  expect(await service.settle()).toBe(1);
  const second = request(service);
  const other = request(service, 5);
  expect(await service.settle()).toBe(1);
  await expect(other.answer).rejects.toThrow(
    `The run ${RUN_ID} belongs to another definition, version, model or input`,
  );
  expect(historyOf(file)).toEqual([]);
  await service.commit(0, false);
  expect(await Promise.all([first.answer, second.answer])).toMatchObject([ENDED, ENDED]);
  expect(await service.settle()).toBe(0);
  expect([historyOf(file), service.works]).toEqual([['run_started', 'run_succeeded'], [1]]);
});

test.each([
  ['before the commit of the ending', false, [1]],
  ['with the commit of the ending', true, []],
])(
  'given a process that is killed %s, then two requests get one run from the next one',
  async (_, isCommitted, works) => {
    const file = await given([]);
    const dying = await serviceOf(file);
    request(dying);
    request(dying);
    expect(await dying.settle()).toBe(1);
    if (isCommitted) await dying.commit(0, true);
    await dying.kill();
    const next = await serviceOf(file);
    const answers = [request(next), request(next)].map(({ answer }) => answer);
    await commitAll(next);
    expect(await Promise.all(answers)).toMatchObject([
      { ...ENDED, attempt: 1 },
      { ...ENDED, attempt: 1 },
    ]);
    expect([historyOf(file), next.works]).toEqual([['run_started', 'run_succeeded'], works]);
    expect(breachesOf(file)).toEqual([]);
  },
);

test('given a start that was recorded by itself when the process is killed, then two requests get one new attempt', async () => {
  const file = await given([]);
  const dying = await serviceOf(file, { isSlow: true });
  request(dying);
  expect(await dying.settle()).toBe(1);
  await dying.commit(0, true);
  expect(historyOf(file)).toEqual(['run_started']);
  await dying.kill();
  const next = await serviceOf(file);
  const answers = [request(next), request(next)].map(({ answer }) => answer);
  await commitAll(next);
  expect(await Promise.all(answers)).toMatchObject([
    { ...ENDED, attempt: 2 },
    { ...ENDED, attempt: 2 },
  ]);
  expect([historyOf(file), next.works]).toEqual([['run_started', 'run_failed', 'run_started', 'run_succeeded'], [2]]);
  expect(breachesOf(file)).toEqual([]);
});

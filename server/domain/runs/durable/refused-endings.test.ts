// Called runs whose start was recorded by itself, and whose ending the store refuses at first. Whatever happens until the
// store takes it, the run ends once, and a caller that still waits takes that in once.
import { expect, test } from 'vitest';
import { cancelTop } from '../../../test/durability/callers.testing.ts';
import type { ProcessOptions, ServiceProcess } from '../../../test/durability/process.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import {
  ADD_ONE,
  commitAll,
  inputsOf,
  look,
  statusesOf,
  useSteppedCases,
} from '../../../test/durability/stepped-cases.testing.ts';
import { openSqliteStore, type Store } from '../../../kernel/log/index.ts';
import { Refused } from '../../../lib/rejection.ts';

const { clock, given, begun } = useSteppedCases();

/** Longer than the waits until an ending, and a task, are tried again, in milliseconds. */
const RETRIED = 10_000;

const store = { isFull: false };

/** A store that refuses to record that a function succeeded, while it is full. */
function openStore(options: Parameters<typeof openSqliteStore>[0]): Store {
  const opened = openSqliteStore(options);
  return {
    ...opened,
    write: (scope, work) =>
      opened.write(scope, (tx) =>
        work({
          ...tx,
          async run(sql, parameters, expected) {
            const isEnding = sql.includes('INTO events') && parameters?.some((one) => String(one) === 'run_succeeded');
            if (store.isFull && isEnding === true)
              throw new Refused({ reason: 'unavailable', detail: 'The disk is full.' });
            return tx.run(sql, parameters, expected);
          },
        }),
      ),
  };
}

const watch: ProcessOptions['watch'] = { carriedOut: () => {}, performed: () => {}, isSlow: () => true };

const endingsOf = (file: string): string[] =>
  look<{ type: string }>(
    file,
    `SELECT events.type FROM events JOIN runs ON events.stream = 'run-' || runs.run_id
     WHERE runs.name = 'add-one' AND events.type NOT IN ('run_started', 'run_cancel_requested')`,
  ).map(({ type }) => type);

/** A service in which the ending of `add-one` was refused, and its task waits for another try if `isPostponed`. */
async function refused(isPostponed: boolean): Promise<{ file: string; service: ServiceProcess }> {
  store.isFull = true;
  const file = await given([ADD_ONE]);
  const service = await begun(file, { openStore, watch, onError: () => {} });
  const tasks = (): unknown[] => look(file, 'SELECT key FROM start_tasks WHERE claimed_by IS NULL');
  while ((await service.settle()) > 0 && !(isPostponed ? tasks().length > 0 : statusesOf(file).length > 1))
    await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one started']);
  return { file, service };
}

test.each([true, false])('its caller takes it in, where its task was postponed: %s', async (isPostponed) => {
  const { file, service } = await refused(isPostponed);
  await commitAll(service);
  clock.advance(RETRIED);
  await commitAll(service);
  expect(statusesOf(file)).toEqual(['main started', 'add-one started']);
  store.isFull = false;
  clock.advance(RETRIED);
  await commitAll(service);
  expect(statusesOf(file)).toEqual(['main succeeded', 'add-one succeeded']);
  expect(endingsOf(file)).toEqual(['run_succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  expect(breachesOf(file)).toEqual([]);
});

test.each([true, false])(
  'it ends where its caller was cancelled meanwhile, and its task was postponed: %s',
  async (isPostponed) => {
    const { file, service } = await refused(isPostponed);
    cancelTop(service).catch(() => {});
    await commitAll(service);
    expect(statusesOf(file)).toEqual(['main rejected', 'add-one started']);
    store.isFull = false;
    clock.advance(RETRIED);
    await commitAll(service);
    expect(statusesOf(file)).toEqual(['main rejected', 'add-one succeeded']);
    expect(endingsOf(file)).toEqual(['run_succeeded']);
    expect(inputsOf(file)).toEqual(['started', 'cancel_requested']);
    expect(breachesOf(file)).toEqual([]);
  },
);

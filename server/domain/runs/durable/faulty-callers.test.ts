// A workflow whose part of a commit cannot be recorded: it is its own fault, not one of what ends in that commit.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { PLACE } from '../../../test/durability/callers.testing.ts';
import { question } from '../../../test/durability/document.testing.ts';
import { breachesOf } from '../../../test/durability/record.testing.ts';
import { openSqliteStore, type Store } from '../../../kernel/log/index.ts';
import {
  ADD_ONE,
  commitAll,
  look,
  statusesOf,
  topOf,
  useSteppedCases,
} from '../../../test/durability/stepped-cases.testing.ts';

const { clock, given, begun } = useSteppedCases([{ type: 'interaction', name: 'ask', source: question('P90D') }]);

const course = { isFaulty: true };

/** A store that does not record that a workflow takes in the end of a called run, while it is faulty. */
function openStore(options: Parameters<typeof openSqliteStore>[0]): Store {
  const store = openSqliteStore(options);
  return {
    ...store,
    write: (scope, work) =>
      store.write(scope, (tx) =>
        work({
          ...tx,
          async run(sql, parameters, expected) {
            const isFaulty =
              sql.includes('INTO events') && parameters?.some((one) => String(one).includes('called_run_ended'));
            if (course.isFaulty && isFaulty === true) throw new Error('A fault of the test.');
            return tx.run(sql, parameters, expected);
          },
        }),
      ),
  };
}

/** Longer than the longest wait between two tries, in milliseconds. */
const RETRIED = 600_000;

test.each<[string, JsonObject, string]>([
  ['a function that it called', ADD_ONE, 'add-one'],
  ['the answer to its question', { call: 'interaction/ask', with: { n: '${ .n }' } }, 'ask'],
])(
  'given a workflow that cannot take in %s, then that is recorded, and the workflow continues once it can',
  async (_, step, name) => {
    course.isFaulty = true;
    const file = await given([step]);
    const service = await begun(file, { openStore, onError: () => {} });
    await commitAll(service);
    if (name === 'ask') {
      const [asking] = look<{ run_id: string }>(file, `SELECT run_id FROM runs WHERE name = 'ask'`);
      const answer = { answer: { n: 5 }, claimedFor: undefined, by: 'ada' };
      const answered = service.interactions.answer(PLACE, String(asking?.run_id), answer);
      await commitAll(service);
      await answered;
    }
    expect(statusesOf(file)).toEqual(['main started', `${name} succeeded`]);
    clock.advance(RETRIED);
    await commitAll(service);
    expect(await topOf(service)).toMatchObject({ status: 'started' });
    course.isFaulty = false;
    clock.advance(RETRIED);
    await commitAll(service);
    expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
    expect(breachesOf(file)).toEqual([]);
  },
);

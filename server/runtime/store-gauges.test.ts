import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFakeClock } from '../lib/clock.ts';
import { openLog } from './open-stores.ts';
import { storeGauges } from './store-gauges.ts';
import { temporaryFolder } from '../test/index.ts';

const folder = temporaryFolder();
const clock = createFakeClock();
const database = { kind: 'sqlite', file: path.join(folder.path, 'cuebook.db') } as const;
const log = openLog({ dataDir: folder.path, database }, clock, (sentence) => expect.fail(sentence));
afterAll(async () => {
  await log.close();
  folder.remove();
});

const PLACE = { org: 'acme', playbook: 'desk' };
const measure = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(storeGauges(log, clock).map(async ({ name, read }) => [name, await read()] as const)),
  );

test('given nothing to do, then every gauge is 0', async () => {
  expect(await measure()).toEqual({ 'tasks.due': 0, 'tasks.late': 0, 'views.behind': 0, 'views.stalled': 0 });
});

test('given due tasks and views that are behind or stalled, then the gauges say how many and how far', async () => {
  await log.write(PLACE, async (tx) => {
    const add = (table: string, key: string, dueAt: number, claimedBy: string | null): Promise<void> =>
      tx.run(
        `INSERT INTO ${table} (org, playbook, kind, key, due_at, payload, tries, claimed_by)
         VALUES ('acme', 'desk', 'note', $1, $2, 'null', 0, $3)`,
        [key, dueAt, claimedBy],
      );
    await add('tasks', 'late', clock.now() - 90_000, null);
    await add('start_tasks', 'due', clock.now(), null);
    await add('tasks', 'claimed', clock.now() - 120_000, 'another');
    await add('tasks', 'later', clock.now() + 1, null);
    const events = [1, 2, 3, 4, 5].map((n) => ({ type: 'note.made', data: { n }, metadata: { by: 'developer' } }));
    await log.append(tx, { ...PLACE, stream: 'notes', events });
    for (const [name, checkpoint, stalled] of [
      ['a', 5, null],
      ['b', 1, null],
      ['c', 3, '{}'],
    ] as const) {
      await tx.run(
        `INSERT INTO views (org, playbook, name, version, reads, target, checkpoint, folded, state, at, stalled)
         VALUES ('acme', 'desk', $1, 1, '[]', 0, $2, 0, '', '', $3)`,
        [name, checkpoint, stalled],
      );
    }
  });
  expect(await measure()).toEqual({ 'tasks.due': 2, 'tasks.late': 90, 'views.behind': 4, 'views.stalled': 1 });
});

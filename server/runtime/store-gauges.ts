// What the operator watches of the store, tasks and views, read when it is exported.
import { readViewLag } from '../domain/views/index.ts';
import type { EventLog, ReadTransaction } from '../kernel/log/index.ts';
import { readBacklog } from '../kernel/tasks/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Gauge } from '../lib/telemetry/index.ts';

export function storeGauges(log: EventLog, clock: Clock): Gauge[] {
  const backlog = (): ReturnType<typeof readBacklog> => log.read((tx) => readBacklog(tx, clock.now()));
  const lag = (): ReturnType<typeof readViewLag> => log.read(readViewLag);
  const { standing } = log;
  return [
    {
      name: 'tasks.due',
      description: 'Tasks that are due and that no server carries out.',
      unit: '{task}',
      read: async () => (await backlog()).due,
    },
    {
      name: 'tasks.late',
      description: 'How long the oldest due task has been waiting.',
      unit: 's',
      read: async () => (await backlog()).late / 1000,
    },
    {
      name: 'views.behind',
      description: 'Events that the view furthest behind has not stored.',
      unit: '{event}',
      read: async () => (await lag()).behind,
    },
    {
      name: 'views.stalled',
      description: 'Views that an event stalled.',
      unit: '{view}',
      read: async () => (await lag()).stalled,
    },
    ...(standing === undefined
      ? []
      : [
          {
            name: 'store.reachable',
            description: '1 while the database answers, otherwise 0.',
            // Collectors add `_ratio` to the name of a gauge whose unit is 1.
            unit: '{database}',
            read: async () => (standing.isReachable() ? 1 : 0),
          },
          {
            name: 'store.lock_waits',
            description: 'Connections of all servers that wait for a lock of the database.',
            unit: '{connection}',
            read: () => log.read(readLockWaits),
          },
        ]),
  ];
}

async function readLockWaits(tx: ReadTransaction): Promise<number> {
  const row = await tx.get<{ waits: number }>(
    `SELECT COUNT(*) AS waits FROM pg_stat_activity
     WHERE wait_event_type = 'Lock' AND application_name = 'cuebook' AND datname = current_database()`,
  );
  return Number(row?.waits ?? 0);
}

// A schedule that is paused after an event was taken for its workflow, and before the event's run is recorded.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import { createIds } from '../../kernel/ids.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import { createTasks } from '../../kernel/tasks/index.ts';
import type { Trigger } from '../../kinds/checked.ts';
import type { Triggering } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import { systemClock as clock } from '../../lib/clock.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { Definitions } from '../definitions/index.ts';
import { createPublishing } from '../events/index.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import type { Runs } from '../runs/index.ts';
import { Firing, Schedules, createTriggers } from './index.ts';
import { EVENT_TASK } from './tasks.ts';

const PLACE = { org: 'local', playbook: 'desk' };
const TRIGGERS: Trigger[] = [
  { kind: 'event', reference: '/schedule/on', filters: [] },
  { kind: 'every', reference: '/schedule/every', milliseconds: 60_000 },
];
const triggering: Triggering = {
  scheduleOf: async () => ({}),
  interests: () => [],
  takes: () => undefined,
  gather: async () => ({ consumption: {}, isKept: true, isDone: true }),
  inputOf: () => [],
  timeZoneOf: () => undefined,
  nextTime: (_schedule, anchor, now) => anchor + Math.ceil((now + 1 - anchor) / 60_000) * 60_000,
};
const kind = (type: DefinitionType): Kind => ({
  type,
  traits: {},
  check: async () => ({
    ok: true,
    document: { examples: [], expose: false, overview: '', references: [], warnings: [], triggers: TRIGGERS },
  }),
  start: async () => ({ status: 'failed', detail: '' }),
});

let folder: ReturnType<typeof temporaryFolder>;
let log: EventLog;
beforeEach(() => {
  folder = temporaryFolder();
  log = openLog(readSettings({ DATA_DIR: folder.path }), clock, () => {});
});
afterEach(async () => {
  await log.close();
  folder.remove();
});

test('stays paused', async () => {
  const tasks = createTasks();
  const publishing = createPublishing({ log, clock, ids: createIds(clock) });
  const common = { log, clock, tasks, triggering };
  const triggers = createTriggers({ ...common, publishing });
  const kinds = Object.fromEntries(DEFINITION_TYPES.map((type) => [type, kind(type)])) as Record<DefinitionType, Kind>;
  const definitions = new Definitions(log, kinds, [triggers.definitions]);
  await createPlaybooks(log, async () => {}).create(PLACE, { name: 'Desk', description: '' }, 'developer');
  await definitions.create({ ...PLACE, type: 'workflow', name: 'both' }, 'source', 'developer');
  const [event] = await log.write(PLACE, (tx) =>
    log.append(tx, {
      ...PLACE,
      stream: 'events',
      events: [
        {
          type: 'event_published',
          data: { event: { id: '1', source: '/s', type: 'came' } },
          metadata: { by: 'developer' },
        },
      ],
    }),
  );

  const runs: Pick<Runs, 'startTriggered'> = {
    async startTriggered({ key, mayStart }) {
      await schedules.pause(PLACE, 'both', 'colleague');
      return log.write(key, mayStart);
    },
  };
  const schedules = new Schedules({ ...common, runs });
  const lease = {
    finish: async () => {},
    settle: async () => true,
    require: async () => {},
    leavePlace: () => {},
    unwanted: new AbortController().signal,
  };
  const payload = { name: 'both', event_id: event?.id ?? '' };
  const task = { ...PLACE, kind: EVENT_TASK, key: 'both', dueAt: 0, payload, tries: 0, deaths: 0 };
  await new Firing({ ...common, runs }).handlers[EVENT_TASK]?.(task, lease);

  expect(await schedules.list(PLACE)).toMatchObject([{ workflow: 'both', paused_by: 'colleague', next_times: [] }]);
});

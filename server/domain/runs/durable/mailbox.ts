// Events that reach a run: those that are sent to it, which wait until a listen of the run takes them, and published ones.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { EventLog, PlaybookKey } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { CloudEvent } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { type Clock, isoTime } from '../../../lib/clock.ts';
import { notFound, unavailable } from '../../../lib/rejection.ts';
import type { Publishing } from '../../events/index.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import { selectRun } from '../history/sql.ts';
import { RUN_REACTION, readListener } from './commands.ts';
import { attemptField, inputTask } from './run-tasks.ts';
import { countSent, putSent, selectSent } from './sql.ts';

const MOST_WAITING = 1000;

export interface Mailbox {
  /** Returns the event as it was delivered; an event whose id was sent before is delivered once. */
  send(
    playbookKey: PlaybookKey,
    runId: string,
    event: JsonObject,
    by: string,
  ): Promise<{ run_id: string; event: CloudEvent }>;
}

export interface MailboxOptions {
  log: EventLog;
  tasks: Tasks;
  clock: Clock;
  ids: Ids;
  kinds: Readonly<Record<DefinitionType, Kind>>;
}

export function createMailbox({ log, tasks, clock, ids, kinds }: MailboxOptions): Mailbox {
  return {
    send: (playbookKey, id, given, by) =>
      log.write(playbookKey, async (tx) => {
        await requireActivePlaybook(tx, playbookKey);
        const runId = id.toLowerCase();
        const run = await selectRun(tx, playbookKey, runId);
        if (run === undefined || run.status !== 'started' || kinds[run.type].traits.takesEvents !== true) {
          throw notFound(
            `The playbook ${playbookKey.playbook} has no run in progress with the id ${id} that accepts events.`,
          );
        }
        const before = typeof given['id'] === 'string' ? await selectSent(tx, run, given['id']) : undefined;
        if (before !== undefined) return { run_id: runId, event: before.event };
        const { sent, waiting } = await countSent(tx, run);
        if (waiting >= MOST_WAITING) {
          throw unavailable(
            `${MOST_WAITING} events are already waiting for the run ${id}; send this one after the run has received some of them.`,
            {
              retryAfter: 5,
            },
          );
        }
        const source = `/callers/${encodeURIComponent(by)}`;
        const event = {
          specversion: '1.0',
          id: ids(),
          source,
          ...given,
          time: isoTime(clock.now()),
        } as unknown as CloudEvent;
        await putSent(tx, run, event, sent);
        const own = { run_id: runId, ...attemptField(run) };
        const input = { ...own, kind: 'event_received', key: event.id, data: { sent: event.id } } as const;
        await tasks.add(tx, playbookKey, inputTask({ ...input, cause: null }, clock.now()));
        return { run_id: runId, event };
      }),
  };
}

/** Published events that a run listens for are inputs of it. */
export function receivePublished({
  publishing,
  tasks,
  clock,
}: {
  publishing: Publishing;
  tasks: Tasks;
  clock: Clock;
}): void {
  publishing.onPublished(RUN_REACTION, async (tx, playbookKey, { subscriber, listener }, { id }) => {
    const { listener: number, ...attempt } = readListener(listener);
    const data = { listener: number, published: id };
    const input = { run_id: subscriber, ...attempt, kind: 'event_received', key: id, data, cause: id } as const;
    const task = inputTask(input, clock.now());
    // An event may reach several listens of a run, each with an input of its own.
    await tasks.add(tx, playbookKey, { ...task, key: `${task.key} ${listener}` });
    return { run_id: subscriber, effect: 'receives' };
  });
}

// Commands of a decision, written in the transaction that records the decision.
import { assertNever } from '../../../../shared/assert-never.ts';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Command } from '../../../kinds/durable.ts';
import { type Publishing, subscribe, unsubscribe } from '../../events/index.ts';
import type { WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import { type Attempt, metadataOf } from '../history/events.ts';
import { waiterOf } from './waiter.ts';
import type { Cancelling } from './cancel.ts';
import {
  attemptField,
  INPUT_TASK,
  inputKey,
  inputTask,
  PERFORM_TASK,
  type PerformPayload,
  performKey,
  type StartPayload,
  startTaskOf,
} from './run-tasks.ts';
import { dropCall, markTaken, putWaiter } from './sql.ts';

/** Names the runs among those who react to published events. */
export const RUN_REACTION = 'run';

/** A listener of a later attempt names it, so that it gets no event for another one. */
function listenerName(listener: number, attempt: Pick<Attempt, 'attempt'>): string {
  return [listener, ...Object.values(attemptField(attempt))].join(' ');
}

/** What a listener is called by: its number, and the attempt where it is not the first. */
export function readListener(name: string): { listener: number; attempt?: number } {
  const [listener, attempt] = name.split(' ').map(Number);
  return { listener: listener ?? 0, ...(attempt === undefined ? {} : { attempt }) };
}

export interface CommandsOptions {
  tasks: Tasks;
  publishing: Publishing;
  cancelling: Cancelling;
  kinds: Readonly<Record<DefinitionType, Kind>>;
}

export interface Commanding {
  attempt: Attempt;
  now: number;
  /** When tasks are due that are to begin at once. */
  dueAt: number;
  /** The event of the input that led to the commands. */
  cause: string;
}

export type ApplyCommand = (tx: WriteTransaction, by: Commanding, command: Command) => Promise<void>;

export function createCommands(options: CommandsOptions): ApplyCommand {
  const { tasks, publishing, cancelling, kinds } = options;
  return async (tx, { attempt, now, dueAt, cause }, command) => {
    const { runId } = attempt;
    const run = { org: attempt.org, playbook: attempt.playbook, run_id: runId };
    const own = { run_id: runId, ...attemptField(attempt) };
    const listener = (number: number) => ({
      reaction: RUN_REACTION,
      subscriber: runId,
      listener: listenerName(number, attempt),
    });
    switch (command.do) {
      case 'start_timer': {
        const { number, at, data } = command;
        const key = String(number);
        const input = { ...own, kind: 'timer_due', key, data: { ...data, number }, cause } as const;
        await tasks.add(tx, attempt, inputTask(input, at));
        return;
      }
      case 'stop_timer':
        await tasks.remove(tx, attempt, INPUT_TASK, inputKey(own, 'timer_due', String(command.number)));
        return;
      case 'start_run': {
        const { runId: called, type, name, input, reference, data } = command;
        const started = { type, name, input, reference, isAwaited: data !== null, cause };
        const payload: StartPayload = { run_id: called, caller_run_id: runId, ...started };
        if (data !== null) {
          const waiter = waiterOf(attempt, data);
          if (kinds[type].traits.endsAtOnce === true) payload.waiter = waiter;
          else await putWaiter(tx, { ...run, run_id: called }, waiter);
        }
        await tasks.add(tx, attempt, { kind: startTaskOf(kinds[type]), key: called, dueAt, payload });
        return;
      }
      case 'cancel_run':
        return cancelling.cancelCalled(tx, { ...run, run_id: command.runId }, { ...command, by: attempt.by });
      case 'perform': {
        const { number, effect, data } = command;
        const payload: PerformPayload = { ...own, number, effect, data };
        await tasks.add(tx, attempt, { kind: PERFORM_TASK, key: performKey(own, number), dueAt, payload });
        return;
      }
      case 'stop_performing':
        await tasks.remove(tx, attempt, PERFORM_TASK, performKey(own, command.number));
        await dropCall(tx, run, command.number);
        return;
      case 'publish': {
        const metadata = { ...metadataOf(attempt), causation_id: cause, depth: attempt.chain.depth };
        await publishing.publishIn(tx, attempt, command.event, { metadata, at: now });
        return;
      }
      case 'listen':
        return subscribe(tx, attempt, listener(command.listener), command.interests);
      case 'stop_listening':
        return unsubscribe(tx, attempt, listener(command.listener));
      case 'take':
        for (const event of command.events) await markTaken(tx, run, event);
        return;
      case 'resume': {
        const input = { ...own, kind: 'resumed', key: String(command.number), data: {}, cause } as const;
        await tasks.add(tx, attempt, inputTask(input, dueAt));
        return;
      }
      case 'add_task':
        await tasks.add(tx, attempt, { kind: command.kind, key: command.key, dueAt, payload: {} });
        return;
      case 'put_request':
      case 'expect_upload':
      case 'stop_expecting_upload':
        // Recorded with the decision itself.
        return undefined;
      default:
        return assertNever(command);
    }
  };
}

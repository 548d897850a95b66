// What the start of a run that waits and the application of its inputs share.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { EventLog, PlaybookKey, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { Bursts, Decided } from '../../../kinds/burst/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createSerial, type Serially } from '../../../lib/gate.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import { EventIdTaken } from '../../events/index.ts';
import { type Attempt, attemptOf } from '../history/events.ts';
import { RunBursts } from './bursts.ts';
import { Deciding } from './deciding.ts';
import type { RunTrigger } from './invocation.ts';
import type { RecordDecision } from './record-decision.ts';
import { createStates, type States } from './states.ts';
import type { NotifyWaiter } from './waiter.ts';
import type { WithAwaited } from './waits-for.ts';
import { createWithCaller, type PassOnEnding, type WithCaller, type WriteEnding } from './with-caller.ts';

export interface DurableRunsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  record: RecordDecision;
  tasks: Pick<Tasks, 'firstDue'>;
  bursts: Bursts;
  /** Aborted once the service stops. */
  stopping: AbortSignal;
  /** Aborted when the service stops and has waited long enough. */
  graceOver: AbortSignal;
  notifyWaiter: NotifyWaiter;
  withAwaited: WithAwaited;
  triggeredRunEnded: (
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    name: string,
    trigger: RunTrigger,
  ) => Promise<void>;
}

export interface DurableContext extends DurableRunsOptions {
  states: States;
  /** Applies the inputs of a run one at a time. */
  serially: Serially;
  deciding: Deciding;
  runBursts: RunBursts;
  withCaller: WithCaller;
  passOnEnding: PassOnEnding;
}

export function createDurableContext(options: DurableRunsOptions): DurableContext {
  const { log, kinds, triggeredRunEnded } = options;
  const states = createStates();
  const serially = createSerial();
  const deciding = new Deciding({ log, kinds, states });
  const passOnEnding: PassOnEnding = async (tx, row, ended, notify) => {
    if (ended === undefined) return;
    await notify(tx, row, ended.ending, ended.event.id);
    const { trigger } = attemptOf(row).chain;
    if (trigger !== undefined) await triggeredRunEnded(tx, row, row.name, trigger);
  };
  const runBursts = new RunBursts({ ...options, serially });
  const withCaller = createWithCaller({ ...options, states, serially, deciding, bursts: runBursts, passOnEnding });
  return { ...options, states, serially, deciding, runBursts, withCaller, passOnEnding };
}

/** Writes what was decided about a run, with what its caller does next if the run ends. */
export function writeDecided<T>(
  { notifyWaiter, withCaller }: DurableContext,
  run: Attempt,
  decided: readonly Decided[],
  write: WriteEnding<T>,
): Promise<T> {
  const ending = decided.at(-1)?.decision.ending;
  return ending === undefined ? write(notifyWaiter) : withCaller(run, ending, write);
}

/** How to decide again what could not be recorded: without events that others have published, or without what follows. */
export class DecisionRetry {
  readonly takenEventKeys = new Set<string>();
  isFirstOnly = false;

  /** What fails with several decisions may succeed with the first one. @throws the error if deciding again does not help */
  after(error: unknown, decided: readonly Decided[]): void {
    if (decided.length > 1) this.isFirstOnly = true;
    else if (error instanceof EventIdTaken && !this.takenEventKeys.has(error.key)) this.takenEventKeys.add(error.key);
    else throw error;
  }
}

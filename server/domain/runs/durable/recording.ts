// One decision of a run that waits, as it is recorded: its events, its state and what it asks for, all or nothing.
import type { JsonObject } from '../../../../shared/json.ts';
import type { Decision, MovedStep, RunInput } from '../../../kinds/durable.ts';
import { keepLarge } from '../../../kernel/contents/index.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { EventLog, NewEvent, StoredEvent, WriteTransaction } from '../../../kernel/log/index.ts';
import { streamOf } from '../present.ts';
import { type Attempt, endedEvent, metadataOf } from '../record.ts';
import type { CarryOutCommand } from './commands.ts';
import { dropRunState, writeParts } from './sql.ts';

export interface Recorded {
  /** Where the run's stream ends now. */
  position: number;
  /** The event that ended the run, where it ended. */
  ending: StoredEvent | undefined;
  /** The parts that were written, as JSON; undefined: the part is gone. */
  texts: readonly (readonly [string, string | undefined])[];
}

export interface ToRecord {
  attempt: Attempt;
  /** The name of the output's shape, where the definition has one. */
  shape: string | undefined;
  /** Where the run's stream must end; the decision was made for that state. */
  position: number;
  /** Events that come before the input's: the start of the run. */
  before: readonly NewEvent[];
  input: RunInput;
  /** The event that the input comes from, or null. */
  cause: string | null;
  decision: Decision;
  now: number;
  traceId?: string;
}

const LISTED = 5;

export type RecordDecision = (tx: WriteTransaction, given: ToRecord) => Promise<Recorded>;

export function createRecording(log: EventLog, ids: Ids, carryOut: CarryOutCommand): RecordDecision {
  return async (tx, given) => {
    const { attempt, decision, now } = given;
    const run = { org: attempt.org, playbook: attempt.playbook, run_id: attempt.runId };
    const inputId = ids();
    const metadata = { ...metadataOf(attempt), causation_id: inputId };
    const events: NewEvent[] = [...given.before, inputApplied(given, inputId)];
    for (const [index, step] of decision.moved.entries()) {
      const { data, kept } = await keepLarge(tx, attempt, { output: step.output });
      events.push({
        id: `${inputId}_${index + 1}`,
        type: `step_${step.state}`,
        data: { ...wordsOf(step), ...data },
        kept,
        metadata,
      });
    }
    if (decision.ending !== undefined) {
      events.push(await endedEvent(tx, attempt, decision.ending, given.shape, inputId));
    } else if (given.input.kind === 'started') {
      const waits = decision.waitsFor === undefined ? {} : { waits_for: decision.waitsFor };
      events.push({ type: 'run_deferred', data: { attempt: attempt.attempt, ...waits }, metadata });
    }
    const recorded = await log.append(tx, {
      org: attempt.org,
      playbook: attempt.playbook,
      stream: streamOf(attempt.runId),
      expected: given.position,
      at: now,
      ...(given.traceId === undefined ? {} : { traceId: given.traceId }),
      events,
    });
    for (const command of decision.commands) await carryOut(tx, { attempt, now, cause: inputId }, command);
    const texts = decision.ending === undefined ? textsOf(decision) : [];
    if (decision.ending === undefined) await writeParts(tx, run, texts);
    else await dropRunState(tx, run);
    return {
      position: given.position + events.length,
      ending: decision.ending === undefined ? undefined : recorded.at(-1),
      texts,
    };
  };
}

function inputApplied({ attempt, input, decision, cause }: ToRecord, id: string): NewEvent {
  const took = decision.commands.flatMap((command) => (command.do === 'take' ? command.events : []));
  return {
    id,
    type: 'workflow_input_applied',
    data: {
      kind: input.kind,
      key: input.key,
      moved: decision.moved.length,
      steps: decision.moved.slice(0, LISTED).map(({ step }) => step),
      ...(took.length === 0 ? {} : { took: took.slice(0, LISTED) }),
    },
    metadata: { ...metadataOf(attempt), causation_id: cause },
  };
}

function wordsOf({ step, kind, iterations, error, waitsFor, because }: MovedStep): JsonObject {
  return {
    step,
    kind,
    ...(iterations === undefined ? {} : { iterations: [...iterations] }),
    ...(error === undefined ? {} : { error }),
    ...(waitsFor === undefined ? {} : { waits_for: waitsFor }),
    ...(because === undefined ? {} : { because }),
  };
}

function textsOf({ parts }: Decision): [string, string | undefined][] {
  return [...parts].map(([part, value]) => [part, value === undefined ? undefined : JSON.stringify(value)]);
}

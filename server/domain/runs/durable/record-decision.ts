// Records a decision of a run: its events, its state and what it requests, all or nothing.
import { DEFINITION_FACTS } from '../../../../shared/definition-types.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { storeLargeMembers } from '../../../kernel/contents/index.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { EventLog, NewEvent, StoredEvent, WriteTransaction } from '../../../kernel/log/index.ts';
import type { CalledRun, Decided } from '../../../kinds/burst/index.ts';
import type { NewRequest } from '../../../kinds/conversing.ts';
import type { Decision, MovedStep } from '../../../kinds/durable.ts';
import type { Ending } from '../../../kinds/run.ts';
import { isoTime } from '../../../lib/clock.ts';
import { type Attempt, endedEvent, metadataOf, appendToRun } from '../history/events.ts';
import type { ApplyCommand } from './commands.ts';
import type { RequestEvent, RunRequests } from './requests.ts';
import { dropRunState, selectPart, writeParts } from './sql.ts';
import { partsWithUploads, UPLOADS_PART } from './uploads.ts';

export interface Recorded {
  /** The event of the input: what the decision asks for is caused by it. */
  inputId: string;
  /** Where the run's stream ends now. */
  position: number;
  /** The event that ended the run, where it ended, and how. */
  ended: { event: StoredEvent; ending: Ending } | undefined;
  /** The parts that changed. */
  parts: Decision['parts'];
  /** The same as JSON; undefined: the part is gone. */
  texts: readonly (readonly [string, string | undefined])[];
}

export interface ToRecord {
  attempt: Attempt;
  /** The name of the output's shape, where the definition has one. */
  shape: string | undefined;
  /** Where the run's stream must end; the decision was made for that state. Absent where a lease guards the run. */
  position?: number;
  /** Events that come before the input's: the start of the run. */
  before: readonly NewEvent[];
  /** Absent for the outcome of an attempt: its own event records that. */
  input?: NonNullable<Decided['input']>;
  /** The event that the decision comes from, or null. */
  cause: string | null;
  decision: Decision;
  now: number;
  /** When tasks are due that are to begin at once; absent: now. A worker's clock may be ahead of this thread's. */
  dueAt?: number;
  traceId?: string | undefined;
}

const LISTED = 5;

export type RecordDecision = (tx: WriteTransaction, given: ToRecord) => Promise<Recorded>;

export interface RecordingOptions {
  log: EventLog;
  ids: Ids;
  applyCommand: ApplyCommand;
  requests: Pick<RunRequests, 'put' | 'opened' | 'dropped'>;
}

export function createRecording({ log, ids, applyCommand, requests }: RecordingOptions): RecordDecision {
  /** The events of the requests that the decision puts; or how the run ends, since one of them cannot be put. */
  async function requestsOf(
    tx: WriteTransaction,
    attempt: Attempt,
    { commands }: Decision,
    cause: string,
  ): Promise<{ refused: Ending } | { put: { request: NewRequest; event: RequestEvent }[] }> {
    const put: { request: NewRequest; event: RequestEvent }[] = [];
    for (const command of commands) {
      if (command.do !== 'put_request') continue;
      const made = await requests.put(tx, attempt, command.request, cause);
      if ('ending' in made) return { refused: made.ending };
      put.push({ request: command.request, event: made.event });
    }
    return { put };
  }

  return async function recordDecision(tx, given) {
    const { attempt, now, dueAt = now, input, position } = given;
    const run = { org: attempt.org, playbook: attempt.playbook, run_id: attempt.runId };
    const inputId = input === undefined && given.cause !== null ? given.cause : ids();
    const prepared = await requestsOf(tx, attempt, given.decision, inputId);
    const put = 'put' in prepared ? prepared.put : [];
    const decision = 'put' in prepared ? given.decision : endWith(prepared.refused);
    const metadata = { ...metadataOf(attempt), causation_id: inputId };
    const events: NewEvent[] = [...given.before];
    if (input !== undefined) events.push(inputApplied(given, input, decision, inputId));
    for (const [index, step] of decision.moved.entries()) {
      const { data, kept } = await storeLargeMembers(tx, attempt, { output: step.output });
      events.push({
        id: `${inputId}_${index + 1}`,
        type: `step_${step.state}`,
        data: { ...wordsOf(step), ...data },
        kept,
        metadata,
      });
    }
    for (const { type, data } of decision.facts ?? []) events.push({ type, data, metadata });
    events.push(...put.map(({ event }) => event));
    if (decision.ending !== undefined) {
      events.push(await endedEvent(tx, attempt, decision.ending, given.shape, inputId));
      if (input !== undefined && DEFINITION_FACTS[attempt.definition.type].mayAsk === true) {
        await requests.dropped(tx, attempt);
      }
    } else if (input === undefined || input.kind === 'started') {
      events.push(deferred(attempt, decision, put.at(-1)?.event.id ?? inputId));
    }
    const options = { expected: position, at: now, traceId: given.traceId };
    const recorded = await appendToRun(log, tx, attempt, events, options);
    for (const command of decision.commands) await applyCommand(tx, { attempt, now, dueAt, cause: inputId }, command);
    const last = recorded.at(-1);
    if (decision.ending !== undefined && last !== undefined) {
      // What ends at its start has no state yet.
      if (input !== undefined) await dropRunState(tx, run);
      return {
        inputId,
        position: Number(last.position),
        ended: { event: last, ending: decision.ending },
        parts: new Map(),
        texts: [],
      };
    }
    for (const { request, event } of put) await requests.opened(tx, attempt, { request, eventId: event.id, now });
    const parts = await partsWithUploads(decision, () => selectPart(tx, run, UPLOADS_PART));
    const texts = textsOf(parts);
    await writeParts(tx, run, texts);
    return { inputId, position: Number(last?.position ?? position), ended: undefined, parts, texts };
  };
}

export interface RecordCalled {
  /** Returns the id of the event that ended the called run. @param cause the event that led to the call */
  record(tx: WriteTransaction, called: CalledRun, cause: string): Promise<string>;
}

/**
 * Records the decisions of one commit, one after the other.
 * @param given the first of them as it is recorded
 * @param calls records the runs that they call
 */
export async function recordAll(
  tx: WriteTransaction,
  record: RecordDecision,
  given: Omit<ToRecord, 'input' | 'decision'>,
  decided: readonly Decided[],
  calls?: RecordCalled,
): Promise<Recorded> {
  const all: Recorded[] = [];
  let { traceId } = given;
  for (const { input, decision, follows } of decided) {
    const last = all.at(-1);
    const setBy = follows && all[follows.index]?.inputId;
    const called = follows?.called;
    // The request's trace ends where the run waits for what it has called.
    if (called !== undefined) traceId = undefined;
    const ended = setBy === undefined || called === undefined ? undefined : await calls?.record(tx, called, setBy);
    const cause = ended ?? setBy ?? given.cause;
    const behind = last === undefined ? {} : { position: last.position, before: [] };
    const now = follows?.now ?? given.now;
    const own = {
      ...given,
      ...behind,
      ...(input === undefined ? {} : { input }),
      cause,
      now,
      dueAt: given.now,
      traceId,
    };
    all.push(await record(tx, { ...own, decision }));
  }
  const end = all.at(-1);
  if (end === undefined) throw new Error('Nothing was decided.');
  return { ...end, parts: new Map(all.flatMap(({ parts }) => [...parts])), texts: all.flatMap(({ texts }) => texts) };
}

/** A decision that only ends the run. */
export function endWith(ending: Ending): Decision {
  return { moved: [], parts: new Map(), commands: [], ending };
}

function deferred(attempt: Attempt, { waitsFor, until }: Decision, cause: string): NewEvent {
  const waits = {
    ...(waitsFor === undefined ? {} : { waits_for: waitsFor }),
    ...(until === undefined ? {} : { until: isoTime(until) }),
  };
  const metadata = { ...metadataOf(attempt), causation_id: cause };
  return { type: 'run_deferred', data: { attempt: attempt.attempt, ...waits }, metadata };
}

function inputApplied(
  { attempt, cause }: ToRecord,
  input: NonNullable<Decided['input']>,
  decision: Decision,
  id: string,
): NewEvent {
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

function wordsOf({ step, kind, iterations, error, waitsFor, taken, because }: MovedStep): JsonObject {
  return {
    step,
    kind,
    ...(iterations === undefined ? {} : { iterations: [...iterations] }),
    ...(error === undefined ? {} : { error }),
    ...(waitsFor === undefined ? {} : { waits_for: waitsFor }),
    ...(taken === undefined ? {} : { case: taken }),
    ...(because === undefined ? {} : { because }),
  };
}

function textsOf(parts: Decision['parts']): [string, string | undefined][] {
  return [...parts].map(([part, value]) => [part, value === undefined ? undefined : JSON.stringify(value)]);
}

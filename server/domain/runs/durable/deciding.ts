// What an input of a waiting run comes to. It is decided from the state as it is known here, and has no effects.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { MIB } from '../../../../shared/product.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { readVersion, type Runnable } from '../../definitions/index.ts';
import { readPublished } from '../../events/index.ts';
import {
  type EventLog,
  type PlaybookKey,
  type ReadTransaction,
  selectEvent,
  selectStreamEnd,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import type { CloudEvent, Command, Decision, DurableRun, RunInput, RunState } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending } from '../../../kinds/run.ts';
import { type Attempt, attemptOf, streamOf } from '../history/events.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import { type EndedRun, inputOfWaiter, waiterOf } from './waiter.ts';
import { type InputPayload, isOfAttempt } from './run-tasks.ts';
import { selectMailbox, selectPartText, selectSent } from './sql.ts';
import { keepRead, type KnownState, stateKey, type States } from './states.ts';

/** An input with what it comes to. Absent for what the start of a run comes to without one. */
export interface Decided {
  input?: RunInput;
  decision: Decision;
  /** Where it follows from another decision of the same commit. */
  follows?: {
    /** The place of the one that set the timer or called the run. */
    place: number;
    /** In milliseconds since 1970. */
    now: number;
    /** The run whose ending is the input. */
    called?: CalledAhead;
  };
}

/** A called run that has ended before its call is committed: both are recorded in one commit, or neither. */
export interface CalledAhead {
  run: EndedRun;
  ending: Ending;
  /** In milliseconds since 1970. */
  endedAt: number;
  /** Records the run. Answers the id of the event that ended it. @param cause the event that led to the call */
  record: (tx: WriteTransaction, cause: string) => Promise<string>;
}

export type StartRun = Extract<Command, { do: 'start_run' }>;

/** Carries out the run of a call; undefined where it is to be started by a task. */
export type CallAhead = (caller: Attempt, call: StartRun) => Promise<CalledAhead | undefined>;

export interface Deciding {
  /** The run's state as it is stored; undefined if there is no such run. */
  load(playbookKey: PlaybookKey, runId: string): Promise<KnownState | undefined>;
  /**
   * What the input comes to, followed by what timers come to that are due as soon as they are set, and calls that can be
   * carried out ahead; undefined if the run has ended or nothing in it waits for the input.
   * @param isAlone nothing follows: timers that are due are tasks, too
   * @param callAhead absent: all calls are tasks
   */
  decide(
    state: KnownState,
    payload: InputPayload,
    options: { now: number; takenEventKeys?: ReadonlySet<string>; isAlone?: boolean; callAhead?: CallAhead },
  ): Promise<readonly Decided[] | undefined>;
  /** The first decision of a run, followed by what timers come to. */
  follow(
    attempt: Attempt,
    source: string,
    first: Decided,
    options: Pick<DecidingRun, 'now' | 'takenEventKeys'>,
  ): Promise<readonly Decided[]>;
}

export interface DecidingOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  states: States;
}

export function createDeciding({ log, kinds, states }: DecidingOptions): Deciding {
  function readerOf(state: KnownState): RunState {
    const { row, parts, isWhole } = state;
    return {
      part(part) {
        if (isWhole || parts.has(part)) return parts.get(part);
        return log.read(async (tx) => keepRead(states, state, part, await selectPartText(tx, row, part)));
      },
      mailbox: () => log.read((tx) => selectMailbox(tx, row)),
    };
  }

  /** An input as the kind takes it: an event comes by its name and is read now. */
  async function inputOf(playbookKey: PlaybookKey, payload: InputPayload): Promise<RunInput | undefined> {
    const { kind, key, data } = payload;
    if (kind !== 'event_received') return { kind, key, data };
    const event = await log.read((tx) => eventOf(tx, playbookKey, payload));
    return event === undefined ? undefined : { kind, key, data: { ...data, event } };
  }

  function decideOne(
    { attempt, source, now, takenEventKeys }: DecidingRun,
    state: RunState,
    input: RunInput,
  ): Promise<Decision | undefined> {
    const run = { ...runOf(attempt, source, now), takenEventKeys };
    return kinds[attempt.definition.type].decide?.(run, state, input) ?? Promise.resolve(undefined);
  }

  /**
   * The decision with those that follow from it in the same commit: about the timers that it sets and that are due, in the
   * order of their setting, and then about the call that it makes, where that can be carried out ahead.
   */
  async function followed(
    run: DecidingRun,
    before: RunState,
    first: Decided,
    callAhead?: CallAhead,
  ): Promise<readonly Decided[]> {
    const decided = [first];
    const due = dueTimers(first, 0, run.now);
    const handled = new Set<number>();
    for (let [now, bytes, steps] = [run.now, 0, 0]; ; ) {
      const last = decided.at(-1);
      if (last === undefined || last.decision.ending !== undefined) break;
      bytes += bytesOf(last);
      steps += last.decision.moved.length;
      if (decided.length >= MOST_DECIDED || steps >= MOST_MOVED || bytes >= MOST_BYTES) break;
      const timer = due.shift();
      // oxlint-disable-next-line no-await-in-loop -- each decision is about the state after the one before
      const next = timer === undefined ? await endedAhead(run.attempt, decided, handled, callAhead) : fired(timer, now);
      if (next === undefined) break;
      now = next.follows.now;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const decision = await decideOne({ ...run, now }, stateAfter(before, decided), next.input);
      if (decision === undefined && timer === undefined) break;
      handled.add(next.number);
      if (decision === undefined) continue;
      const one = { input: next.input, decision, follows: next.follows };
      due.push(...dueTimers(one, decided.length, now));
      decided.push(one);
    }
    return decided.map((one) => without(one, handled));
  }

  return {
    async load(playbookKey, runId) {
      return (
        states.get(stateKey(playbookKey, runId)) ??
        log.read(async (tx) => {
          const row = await selectRun(tx, playbookKey, runId);
          if (row === undefined) return undefined;
          const key = { ...playbookKey, type: row.type, name: row.name };
          const { source, shape } = await readVersion(tx, key, Number(row.definition_version));
          return newState(row, { source, shape }, await selectStreamEnd(tx, playbookKey, streamOf(runId)), false);
        })
      );
    },
    async decide(state, payload, { now, takenEventKeys = new Set(), isAlone = false, callAhead }) {
      const { row, source } = state;
      if (row.status !== 'started' || !isOfAttempt(payload, row)) return undefined;
      const input = await inputOf(row, payload);
      if (input === undefined) return undefined;
      const deciding = { attempt: attemptOf(row), source, now, takenEventKeys };
      const decision = await decideOne(deciding, readerOf(state), input);
      if (decision === undefined) return undefined;
      return isAlone ? [{ input, decision }] : followed(deciding, readerOf(state), { input, decision }, callAhead);
    },
    follow: (attempt, source, first, { now, takenEventKeys }) =>
      followed({ attempt, source, now, takenEventKeys }, NO_STATE, first),
  };
}

const NO_STATE: RunState = { part: () => undefined, mailbox: async () => [] };

export function newState(
  row: RunRow,
  { source, shape }: Pick<Runnable, 'source' | 'shape'>,
  position: number,
  isWhole: boolean,
): KnownState {
  return { row, source, shape, position, parts: new Map(), isWhole, sizes: new Map(), size: source.length };
}

function runOf(
  { org, playbook, runId, definition, chain }: Attempt,
  source: string,
  now: number,
): Omit<DurableRun, 'takenEventKeys'> {
  const { name, version } = definition;
  return { org, playbook, runId, name, version, source, depth: chain.depth, now };
}

/** The event that an input names: one that was sent to the run, or one that was published. */
async function eventOf(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  { run_id, data }: InputPayload,
): Promise<CloudEvent | undefined> {
  if (typeof data['sent'] === 'string') {
    const sent = await selectSent(tx, { org: playbookKey.org, playbook: playbookKey.playbook, run_id }, data['sent']);
    return sent?.isTaken === false ? sent.event : undefined;
  }
  const recorded = await selectEvent(tx, playbookKey, String(data['published']));
  return recorded && ({ specversion: '1.0', ...(await readPublished(tx, recorded)).event } as CloudEvent);
}

/** A run that is decided about. */
interface DecidingRun {
  attempt: Attempt;
  source: string;
  now: number;
  /** Of events that it cannot publish. */
  takenEventKeys: ReadonlySet<string>;
}

/** Bounds of the decisions of one commit, the steps that they move and what they hold: past them, timers and calls are tasks. */
const MOST_DECIDED = 100;
const MOST_MOVED = 200;
const MOST_BYTES = MIB;

/** A timer that is due when it is set. */
interface DueTimer {
  number: number;
  data: JsonObject;
  place: number;
}

function dueTimers({ decision: { commands, ending } }: Decided, place: number, now: number): DueTimer[] {
  if (ending !== undefined) return [];
  return commands.flatMap((command) => {
    if (command.do !== 'start_timer' || command.at > now) return [];
    return [{ number: command.number, data: command.data, place }];
  });
}

/** An input that follows from a decision of the same commit, and the number of the command that it answers. */
interface Following extends Required<Pick<Decided, 'input' | 'follows'>> {
  number: number;
}

function fired({ number, data, place }: DueTimer, now: number): Following {
  const input = { kind: 'timer_due', key: String(number), data: { ...data, number } } as const;
  return { input, number, follows: { place, now } };
}

/** The ending of the run that is called, where nothing else is asked for and no timer is due before it has ended. */
async function endedAhead(
  attempt: Attempt,
  decided: readonly Decided[],
  handled: ReadonlySet<number>,
  callAhead: CallAhead | undefined,
): Promise<Following | undefined> {
  if (callAhead === undefined) return undefined;
  let asked: { call: StartRun; data: JsonObject; place: number } | undefined;
  const timers = new Map<number, number>();
  for (const [place, { decision }] of decided.entries()) {
    for (const command of decision.commands) {
      if ('number' in command && handled.has(command.number)) continue;
      if (command.do === 'start_timer') timers.set(command.number, command.at);
      else if (command.do === 'stop_timer') timers.delete(command.number);
      else if (command.do === 'start_run' && command.data !== null && asked === undefined) {
        asked = { call: command, data: command.data, place };
      } else return undefined;
    }
  }
  if (asked === undefined) return undefined;
  const { call, data, place } = asked;
  const called = await callAhead(attempt, call);
  if (called === undefined || called.endedAt >= Math.min(...timers.values())) return undefined;
  const { kind, key, data: given } = inputOfWaiter(waiterOf(attempt, data), called.run, called.ending, null);
  return { input: { kind, key, data: given }, number: call.number, follows: { place, now: called.endedAt, called } };
}

/** The state as it is once the decisions are recorded. */
function stateAfter(before: RunState, decided: readonly Decided[]): RunState {
  const parts = new Map(decided.flatMap(({ decision }) => [...decision.parts]));
  const taken = new Set(
    decided.flatMap(({ decision }) =>
      decision.commands.flatMap((command) => (command.do === 'take' ? command.events : [])),
    ),
  );
  return {
    part: (key) => (parts.has(key) ? parts.get(key) : before.part(key)),
    mailbox: async () => (await before.mailbox()).filter(({ id }) => !taken.has(id)),
  };
}

/** What is decided already needs no task. */
function without({ decision, ...one }: Decided, handled: ReadonlySet<number>): Decided {
  const isHandled = (command: Command): boolean =>
    (command.do === 'start_timer' || command.do === 'start_run') && handled.has(command.number);
  return { ...one, decision: { ...decision, commands: decision.commands.filter((command) => !isHandled(command)) } };
}

/** Of the outputs of the steps, and of the inputs and outputs of calls. */
function bytesOf({ input, decision: { moved, commands } }: Decided): number {
  let bytes = input === undefined ? 0 : jsonBytes(input.data);
  for (const { output } of moved) bytes += jsonBytes(output ?? null);
  for (const command of commands) bytes += command.do === 'start_run' ? jsonBytes(command.input) : 0;
  return bytes;
}

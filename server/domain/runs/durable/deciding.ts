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
} from '../../../kernel/log/index.ts';
import type { CloudEvent, Decision, DurableRun, RunInput, RunState } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { streamOf } from '../present.ts';
import { type Attempt, attemptOf } from '../record.ts';
import { type RunRow, selectRun } from '../sql.ts';
import { type InputPayload, isOfAttempt } from './keys.ts';
import { selectMailbox, selectPartText, selectSent } from './sql.ts';
import { keepRead, type KnownState, stateKey, type States } from './states.ts';

/** An input with what it comes to. Absent for what the start of a run comes to without one. */
export interface Decided {
  input?: RunInput;
  decision: Decision;
  /** The place among the decisions of one commit of the one that set the timer; absent for the first. */
  setBy?: number;
}

export interface Deciding {
  /** The run's state as it is stored; undefined if there is no such run. */
  load(place: PlaybookKey, runId: string): Promise<KnownState | undefined>;
  /**
   * What the input comes to, followed by what timers come to that are due as soon as they are set; undefined if the run
   * has ended or nothing in it waits for the input.
   * @param isAlone nothing follows: timers that are due are tasks, too
   */
  decide(
    state: KnownState,
    payload: InputPayload,
    options: { now: number; takenEventKeys?: ReadonlySet<string>; isAlone?: boolean },
  ): Promise<readonly Decided[] | undefined>;
  /** The first decision of a run, followed in the same way. */
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
  async function inputOf(place: PlaybookKey, payload: InputPayload): Promise<RunInput | undefined> {
    const { kind, key, data } = payload;
    if (kind !== 'event_received') return { kind, key, data };
    const event = await log.read((tx) => eventOf(tx, place, payload));
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

  /** The decision with those about the timers that it sets and that are due, in the order of their setting. */
  async function followed(run: DecidingRun, before: RunState, first: Decided): Promise<readonly Decided[]> {
    const decided = [first];
    const due = dueTimers(first, 0, run.now);
    const handled = new Set<number>();
    for (let [bytes, steps] = [0, 0]; ; ) {
      const last = decided.at(-1);
      if (due.length === 0 || last === undefined || last.decision.ending !== undefined) break;
      bytes += outputBytes(last.decision);
      steps += last.decision.moved.length;
      const hasRoom = decided.length < MOST_DECIDED && steps < MOST_MOVED && bytes < MOST_BYTES;
      const next = hasRoom ? due.shift() : undefined;
      if (next === undefined) break;
      handled.add(next.number);
      const input = {
        kind: 'timer_due',
        key: String(next.number),
        data: { ...next.data, number: next.number },
      } as const;
      // oxlint-disable-next-line no-await-in-loop -- each decision is about the state after the one before
      const decision = await decideOne(run, stateAfter(before, decided), input);
      if (decision === undefined) continue;
      const one = { input, decision, setBy: next.setBy };
      due.push(...dueTimers(one, decided.length, run.now));
      decided.push(one);
    }
    return decided.map((one) => without(one, handled));
  }

  return {
    async load(place, runId) {
      return (
        states.get(stateKey(place, runId)) ??
        log.read(async (tx) => {
          const row = await selectRun(tx, place, runId);
          if (row === undefined) return undefined;
          const key = { ...place, type: row.type, name: row.name };
          const { source, shape } = await readVersion(tx, key, Number(row.definition_version));
          return newState(row, { source, shape }, await selectStreamEnd(tx, place, streamOf(runId)), false);
        })
      );
    },
    async decide(state, payload, { now, takenEventKeys = new Set(), isAlone = false }) {
      const { row, source } = state;
      if (row.status !== 'started' || !isOfAttempt(payload, row)) return undefined;
      const input = await inputOf(row, payload);
      if (input === undefined) return undefined;
      const deciding = { attempt: attemptOf(row), source, now, takenEventKeys };
      const decision = await decideOne(deciding, readerOf(state), input);
      if (decision === undefined) return undefined;
      return isAlone ? [{ input, decision }] : followed(deciding, readerOf(state), { input, decision });
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
  place: PlaybookKey,
  { run_id, data }: InputPayload,
): Promise<CloudEvent | undefined> {
  if (typeof data['sent'] === 'string') {
    const sent = await selectSent(tx, { org: place.org, playbook: place.playbook, run_id }, data['sent']);
    return sent?.isTaken === false ? sent.event : undefined;
  }
  const recorded = await selectEvent(tx, place, String(data['published']));
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

/** Bounds of the decisions of one commit, the steps that they move and their outputs: past them, due timers are tasks. */
const MOST_DECIDED = 100;
const MOST_MOVED = 200;
const MOST_BYTES = MIB;

/** A timer that is due when it is set. */
interface DueTimer {
  number: number;
  data: JsonObject;
  setBy: number;
}

function dueTimers({ decision: { commands, ending } }: Decided, setBy: number, now: number): DueTimer[] {
  if (ending !== undefined) return [];
  return commands.flatMap((command) => {
    if (command.do !== 'start_timer' || command.at > now) return [];
    return [{ number: command.number, data: command.data, setBy }];
  });
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

/** What is decided already needs no timer. */
function without({ decision, ...one }: Decided, handled: ReadonlySet<number>): Decided {
  const commands = decision.commands.filter((command) => command.do !== 'start_timer' || !handled.has(command.number));
  return { ...one, decision: { ...decision, commands } };
}

function outputBytes({ moved }: Decision): number {
  return moved.reduce((sum, { output }) => sum + jsonBytes(output ?? null), 0);
}

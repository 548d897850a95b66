// What an input of a waiting run comes to. It is decided from the state as it is known here, and has no effects.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
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
import { selectMailbox, selectPart, selectSent } from './sql.ts';
import { type KnownState, stateKey, type States } from './states.ts';

export interface Decided {
  input: RunInput;
  decision: Decision;
}

export interface Deciding {
  /** The run's state as it is stored; undefined if there is no such run. */
  load(place: PlaybookKey, runId: string): Promise<KnownState | undefined>;
  /**
   * What the input comes to; undefined if the run has ended or nothing in it waits for the input.
   * @param takenEventKeys of events that the run cannot publish
   */
  decide(
    state: KnownState,
    payload: InputPayload,
    now: number,
    takenEventKeys: ReadonlySet<string>,
  ): Promise<Decided | undefined>;
}

export interface DecidingOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  states: States;
}

export function createDeciding({ log, kinds, states }: DecidingOptions): Deciding {
  function readerOf({ row, parts, isWhole }: KnownState): RunState {
    return {
      part(part) {
        if (isWhole || parts.has(part)) return parts.get(part);
        return log.read(async (tx) => {
          const value = await selectPart(tx, row, part);
          parts.set(part, value);
          return value;
        });
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
    async decide(state, payload, now, takenEventKeys) {
      if (state.row.status !== 'started' || !isOfAttempt(payload, state.row)) return undefined;
      const input = await inputOf(state.row, payload);
      if (input === undefined) return undefined;
      const run = { ...runOf(attemptOf(state.row), state.source, now), takenEventKeys };
      const decision = await kinds[state.row.type].decide?.(run, readerOf(state), input);
      return decision && { input, decision };
    },
  };
}

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

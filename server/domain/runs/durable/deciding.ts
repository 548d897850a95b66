// Decides about an input of a waiting run, from the state as it is known here. Deciding has no effects. The decision itself is
// made by `decide` of the kind; for a workflow that is server/kinds/workflow/engine/: decide.ts applies the input,
// next-step.ts chooses the steps that follow.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import {
  type EventLog,
  type PlaybookKey,
  type ReadTransaction,
  selectEvent,
  selectStreamEnd,
} from '../../../kernel/log/index.ts';
import { type CloudEvent, type Decision, NO_STATE, type RunInput, type RunState } from '../../../kinds/durable.ts';
import { Burst, type Decided, newProgress } from '../../../kinds/burst/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { readVersion, type Runnable } from '../../definitions/index.ts';
import { readPublished } from '../../events/index.ts';
import { type Attempt, attemptOf, streamOf } from '../history/events.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import type { RunBurst } from './bursts.ts';
import { type InputPayload, isOfAttempt } from './run-tasks.ts';
import { selectMailbox, selectPartText, selectSent } from './sql.ts';
import { keepRead, type KnownState, stateKey, type States } from './states.ts';

export interface DecideOptions {
  now: number;
  takenEventKeys?: ReadonlySet<string>;
  /** Nothing follows the decision: timers that are due are tasks, too. */
  isFirstOnly?: boolean;
  /** Makes calls; absent: all of them are tasks. */
  burst?: RunBurst | undefined;
}

/** A run that is decided about. */
export interface DecidingRun {
  attempt: Attempt;
  source: string;
  now: number;
  /** Of events that it cannot publish. */
  takenEventKeys: ReadonlySet<string>;
}

export interface DecidingOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  states: States;
}

export class Deciding {
  readonly #options: DecidingOptions;

  constructor(options: DecidingOptions) {
    this.#options = options;
  }

  /** The run's state, from memory or as it is stored; undefined if there is no such run. */
  async load(playbookKey: PlaybookKey, runId: string): Promise<KnownState | undefined> {
    const { log, states } = this.#options;
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
  }

  /** The burst of the input; undefined if the run has ended or nothing in it waits for the input. */
  async decide(
    state: KnownState,
    payload: InputPayload,
    { now, takenEventKeys = new Set(), isFirstOnly = false, burst }: DecideOptions,
  ): Promise<readonly Decided[] | undefined> {
    const { row, source } = state;
    if (row.status !== 'started' || !isOfAttempt(payload, row)) return undefined;
    const input = await this.#inputOf(row, payload);
    if (input === undefined) return undefined;
    const run = { attempt: attemptOf(row), source, now, takenEventKeys };
    const decision = await this.#decideOne(run, this.#readerOf(state), input);
    if (decision === undefined) return undefined;
    if (isFirstOnly) return [{ input, decision }];
    return this.#followedBy({ run, state: this.#readerOf(state), burst }, { input, decision }, jsonBytes(input.data));
  }

  /** The burst of the first decision of a run. */
  decideStart(
    attempt: Attempt,
    source: string,
    first: Decided,
    { now, takenEventKeys, burst }: Pick<DecidingRun, 'now' | 'takenEventKeys'> & Pick<DecideOptions, 'burst'>,
  ): Promise<readonly Decided[]> {
    const run = { attempt, source, now, takenEventKeys };
    return this.#followedBy({ run, state: NO_STATE, burst }, first, 0);
  }

  /**
   * The first decision with those that follow from it. With a burst, these are bounded by its time, and an error of one of them
   * ends it: what has not been decided is left to tasks.
   */
  async #followedBy(
    { run, state, burst: calls }: { run: DecidingRun; state: RunState; burst: RunBurst | undefined },
    first: Decided,
    bytes: number,
  ): Promise<readonly Decided[]> {
    const burst = new Burst(state, newProgress(run.now));
    burst.add(first, bytes);
    const decide = (after: RunState, input: RunInput, now: number) => this.#decideOne({ ...run, now }, after, input);
    if (calls === undefined) {
      await burst.moveOn({ decide, call: async () => undefined });
      return burst.result();
    }
    await burst
      .moveOn({
        decide: (...given) => calls.inTime(decide(...given)),
        call: () => calls.continueInWorker(burst),
      })
      .catch(() => {})
      .finally(() => calls.end());
    return burst.result();
  }

  async #decideOne(
    { attempt, source, now, takenEventKeys }: DecidingRun,
    state: RunState,
    input: RunInput,
  ): Promise<Decision | undefined> {
    const { org, playbook, runId, definition, chain } = attempt;
    const { type, name, version } = definition;
    const run = { org, playbook, runId, name, version, source, depth: chain.depth, now, takenEventKeys };
    return this.#options.kinds[type].decide?.(run, state, input);
  }

  #readerOf(state: KnownState): RunState {
    const { log, states } = this.#options;
    const { row, parts, isWhole } = state;
    return {
      part(part) {
        if (isWhole || parts.has(part)) return parts.get(part);
        return log.read(async (tx) => keepRead(states, state, part, await selectPartText(tx, row, part)));
      },
      mailbox: () => log.read((tx) => selectMailbox(tx, row)),
    };
  }

  /** An input as the kind gets it: the payload names an event, which is read now. */
  async #inputOf(playbookKey: PlaybookKey, payload: InputPayload): Promise<RunInput | undefined> {
    const { kind, key, data } = payload;
    if (kind !== 'event_received') return { kind, key, data };
    const event = await this.#options.log.read((tx) => eventOf(tx, playbookKey, payload));
    return event === undefined ? undefined : { kind, key, data: { ...data, event } };
  }
}

export function newState(
  row: RunRow,
  { source, shape }: Pick<Runnable, 'source' | 'shape'>,
  position: number,
  isWhole: boolean,
): KnownState {
  return { row, source, shape, position, parts: new Map(), isWhole, sizes: new Map(), size: source.length };
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

// Simulates a run in memory: time jumps to the next timer, and the caller provides the results of calls. Used for the
// examples of definitions, which need neither a store nor a network, and for drafts. Calls are answered one at a time, in
// the order in which the run makes them, so that the same results lead to the same run.
import { assertNever } from '../../shared/assert-never.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { derivedId } from '../kernel/ids.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import { createYielder } from '../lib/event-loop.ts';
import type { CloudEvent, Command, MovedStep, Performed, RunInput } from './durable.ts';
import type { Kind } from './kind.ts';
import type { Ending } from './run.ts';
import { createGivenCalls, type GivenCalls, type SimulatedCall } from './simulated-calls.ts';

export interface SimulationOptions extends GivenCalls {
  /** The playbook that the run sees as its own. */
  playbookKey?: PlaybookKey;
  source: string;
  input: Json;
  /** When the run starts, in milliseconds since 1970. */
  now: number;
  runId?: string;
  /** Events that are sent to the run at its start. */
  events?: readonly CloudEvent[];
  /** Returns the ending of a call that is in none of the given ones; `open` while there is none yet. */
  answer?: (call: SimulatedCall) => Ending | 'open' | undefined | Promise<Ending | LateEnding | 'open'>;
  /** Makes a call that leaves the service and that is in none of them. Without it, such calls are answered as others are. */
  perform?: (call: SimulatedCall, effect: JsonObject) => Promise<Performed | 'open'>;
  /**
   * Called with the steps that each input moved, which the result then leaves out.
   * @param now the time of the run, in milliseconds since 1970
   */
  onMoved?: (moved: readonly MovedStep[], now: number) => void;
  /** Called with each event that the run publishes, which the result then leaves out. */
  onPublished?: (event: CloudEvent) => void;
  /** Aborted when nobody waits for the result any more: the simulation stops. */
  signal?: AbortSignal;
}

/** A called run that ends later: timers that are due before fire first. */
export interface LateEnding {
  ending: Ending;
  /** Milliseconds of the run's time. */
  afterMs: number;
}

export interface SimulationResult {
  /** Undefined if the run waits for something that never happens. */
  ending: Ending | undefined;
  waitsFor: string | undefined;
  moved: MovedStep[];
  published: CloudEvent[];
  /** When the run ended, or began to wait for something that never happens. */
  now: number;
  inputs: number;
  /** How many calls each of the `sequences` was used for. */
  sequenceCalls: ReadonlyMap<string, number>;
}

interface Timer {
  at: number;
  /** Of the command that set it. */
  number: number;
  input: RunInput;
}

/** Longer waits count as waits for something that never happens. */
const LONGEST_WAIT_MS = 360 * 24 * 60 * 60 * 1000;
const MOST_INPUTS = 100_000;

/** The functions that simulated runs need. */
export type SimulatedKind = Required<Pick<Kind, 'decide' | 'describe'>>;

export function simulate(kind: SimulatedKind, options: SimulationOptions): Promise<SimulationResult> {
  return new Simulation(kind, options).run();
}

class Simulation {
  readonly #kind: SimulatedKind;
  readonly #options: SimulationOptions;
  readonly #playbookKey: PlaybookKey;
  readonly #yieldNow = createYielder();
  readonly #runId: string;
  readonly #parts = new Map<string, Json>();
  /** By the number of the command, or the called run that ends then. */
  readonly #timers = new Map<string, Timer>();
  readonly #listeners = new Set<number>();
  /** Calls without an ending yet, by the run that was called or the number of the command. Time stands still meanwhile. */
  readonly #open = new Set<string>();
  readonly #queue: RunInput[];
  #mailbox: CloudEvent[];
  readonly #given: ReturnType<typeof createGivenCalls>;
  readonly #done: SimulationResult;

  constructor(kind: SimulatedKind, options: SimulationOptions) {
    this.#kind = kind;
    this.#options = options;
    const { now, input, events = [] } = options;
    this.#playbookKey = options.playbookKey ?? { org: 'local', playbook: 'test' };
    this.#runId = options.runId ?? derivedId(`simulated ${now}`);
    this.#queue = [{ kind: 'started', key: this.#runId, data: { input } }];
    this.#mailbox = [...events];
    this.#given = createGivenCalls(options);
    this.#done = {
      ending: undefined,
      waitsFor: undefined,
      moved: [],
      published: [],
      now,
      inputs: 0,
      sequenceCalls: this.#given.counts,
    };
  }

  async run(): Promise<SimulationResult> {
    const state = { part: (key: string) => this.#parts.get(key), mailbox: async () => this.#mailbox };
    for (;;) {
      const input = this.#queue.shift() ?? (this.#open.size === 0 ? this.#nextTimer() : undefined);
      if (input === undefined || this.#done.inputs >= MOST_INPUTS || this.#options.signal?.aborted === true)
        return this.#done;
      this.#done.inputs += 1;
      await this.#yieldNow();
      const { source } = this.#options;
      const run = {
        ...this.#playbookKey,
        runId: this.#runId,
        name: 'test',
        version: 1,
        source,
        depth: 0,
        now: this.#done.now,
      };
      const decision = await this.#kind.decide({ ...run, takenEventKeys: new Set() }, state, input);
      if (decision === undefined) continue;
      if (this.#options.onMoved === undefined) this.#done.moved.push(...decision.moved);
      else this.#options.onMoved(decision.moved, this.#done.now);
      this.#done.waitsFor = decision.waitsFor;
      for (const [key, value] of decision.parts) {
        if (value === undefined) this.#parts.delete(key);
        else this.#parts.set(key, value);
      }
      // oxlint-disable-next-line no-await-in-loop -- one call at a time: see above
      for (const command of decision.commands) await this.#execute(command);
      this.#done.ending = decision.ending;
      if (this.#done.ending !== undefined) return this.#done;
    }
  }

  async #execute(command: Command): Promise<void> {
    switch (command.do) {
      case 'start_timer':
        this.#setTimer(command);
        return;
      case 'stop_timer':
        this.#timers.delete(String(command.number));
        return;
      case 'start_run': {
        const called = `${command.type}/${command.name}`;
        const found = await this.#endingOf({ reference: command.reference, called, input: command.input });
        if (command.data === null) return;
        if (found === 'open') return void this.#open.add(command.runId);
        const { ending, afterMs } = 'ending' in found ? found : { ending: found, afterMs: 0 };
        const data = { ...command.data, run_id: command.runId, subject: called, ...(ending as unknown as JsonObject) };
        const input: RunInput = { kind: 'called_run_ended', key: command.runId, data };
        if (afterMs > 0)
          this.#timers.set(command.runId, { at: this.#done.now + afterMs, number: command.number, input });
        else this.#queue.push(input);
        return;
      }
      case 'perform': {
        const { server, tool, arguments: input } = this.#kind.describe(this.#playbookKey, command.effect);
        const call = { reference: String(command.data['reference']), called: `${server}/${tool}`, input };
        const performed = await this.#performedFor(call, command.effect);
        if (performed === 'open') return void this.#open.add(String(command.number));
        const answer: JsonObject = performed.ok
          ? { ok: true, output: performed.output }
          : { ok: false, error: performed.error };
        this.#queue.push({
          kind: 'call_answered',
          key: String(command.number),
          data: { ...command.data, number: command.number, ...answer },
        });
        return;
      }
      case 'publish':
        if (this.#options.onPublished === undefined) this.#done.published.push(command.event);
        else this.#options.onPublished(command.event);
        for (const listener of this.#listeners) {
          this.#queue.push({ kind: 'event_received', key: command.event.id, data: { listener, event: command.event } });
        }
        return;
      case 'listen':
        this.#listeners.add(command.listener);
        return;
      case 'stop_listening':
        this.#listeners.delete(command.listener);
        return;
      case 'take':
        this.#mailbox = this.#mailbox.filter(({ id }) => !command.events.includes(id));
        return;
      case 'resume':
        this.#queue.push({ kind: 'resumed', key: String(command.number), data: {} });
        return;
      // Examples contain no answers to questions and no uploads: the run waits for something that never happens.
      case 'put_request':
      case 'expect_upload':
      case 'stop_expecting_upload':
      case 'add_task':
        return;
      case 'cancel_run':
        this.#open.delete(command.runId);
        this.#timers.delete(command.runId);
        return;
      case 'stop_performing':
        this.#open.delete(String(command.number));
        return;
      default:
        assertNever(command);
    }
  }

  async #performedFor(call: SimulatedCall, effect: JsonObject): Promise<Performed | 'open'> {
    const known = this.#given.givenFor(call);
    if (known === undefined && this.#options.perform !== undefined) return this.#options.perform(call, effect);
    const found = known ?? (await this.#endingOf(call));
    if (found === 'open') return 'open';
    return performedAs('ending' in found ? found.ending : found);
  }

  async #endingOf(call: SimulatedCall): Promise<Ending | LateEnding | 'open'> {
    const known = this.#given.givenFor(call);
    if (known !== undefined) return known;
    const detail = `No result is given for the call ${call.called} at ${call.reference}.`;
    return (await this.#options.answer?.(call)) ?? { status: 'failed', detail };
  }

  #nextTimer(): RunInput | undefined {
    const [next] = [...this.#timers.values()].toSorted((a, b) => a.at - b.at || a.number - b.number);
    if (next === undefined || next.at > this.#done.now + LONGEST_WAIT_MS) return undefined;
    for (const [key, timer] of this.#timers) if (timer === next) this.#timers.delete(key);
    this.#done.now = Math.max(this.#done.now, next.at);
    return next.input;
  }

  #setTimer({ at, number, data }: Extract<Command, { do: 'start_timer' }>): void {
    const key = String(number);
    this.#timers.set(key, { at, number, input: { kind: 'timer_due', key, data: { ...data, number } } });
  }
}

/** An ending as the answer to a call that leaves the service. */
export function performedAs(ending: Ending): Performed {
  return ending.status === 'succeeded' ? { ok: true, output: ending.output } : { ok: false, error: errorOf(ending) };
}

function errorOf(ending: Exclude<Ending, { status: 'succeeded' }>): JsonObject {
  const detail = ending.status === 'failed' ? ending.detail : ending.rejection.detail;
  return { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 503, detail };
}

// A burst: the decisions that one commit records. The first one is about an input; those that follow are about timers that it
// sets and that are due, in the order of their setting, and then about the end of the call that it makes.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import type { Command, Decision, RunInput, RunState } from '../durable.ts';
import { endingData } from '../ending-data.ts';
import type { CalledRun, Continued, Decided, DueTimer, Follows, Progress, StartRun } from './model.ts';

/** Bounds of one commit: its decisions, the steps that they move and what they hold. Timers and calls past them are tasks. */
const MOST_DECIDED = 100;
const MOST_MOVED = 200;
const MOST_BYTES = MIB;

/** An input that follows from a decision of the same commit, and what it answers. */
export interface Following {
  input: RunInput;
  follows: Follows;
  timer?: DueTimer;
}

export interface BurstMeans {
  /** Undefined if nothing waits for the input. */
  decide: (state: RunState, input: RunInput, now: number) => Promise<Decision | undefined>;
  /** Executes a call; undefined if its task must start it. A worker may add further decisions and calls to the burst first. */
  call: (call: StartRun) => Promise<CalledRun | undefined>;
}

export class Burst {
  readonly decided: Decided[] = [];
  progress: Progress;
  /** Parts that the decisions changed. */
  readonly parts = new Map<string, Json | undefined>();
  readonly #before: RunState;
  /** Numbers of commands that are decided already, so that they need no task. */
  readonly #handled = new Set<number>();
  readonly #taken = new Set<string>();

  /** @param before the state before the first decision */
  constructor(before: RunState, progress: Progress) {
    this.#before = before;
    this.progress = progress;
  }

  /** @param bytes of what the input holds, where that is no called run */
  add(decided: Decided, bytes = 0): void {
    const { progress } = this;
    const index = progress.decided;
    this.decided.push(decided);
    progress.decided += 1;
    progress.steps += decided.decision.moved.length;
    progress.bytes += bytes + bytesOf(decided);
    for (const [part, value] of decided.decision.parts) this.parts.set(part, value);
    for (const command of decided.decision.commands) this.#note(command, index);
    if (decided.decision.ending !== undefined) progress.isBlocked = true;
  }

  /** Adds what a worker decided. */
  append({ decided, progress }: Continued): void {
    for (const one of decided) {
      this.decided.push(one);
      for (const [part, value] of one.decision.parts) this.parts.set(part, value);
      if (one.follows?.called !== undefined) this.#handled.add(one.follows.called.call.number);
    }
    this.progress = progress;
  }

  /** Makes the decisions that follow, as many as possible. An error of `decide` leaves the burst as it was before that input. */
  async moveOn({ decide, call }: BurstMeans): Promise<void> {
    while (this.#mayContinue()) {
      // oxlint-disable-next-line no-await-in-loop -- each decision is about the state after the one before
      const next = this.#firedTimer() ?? (await this.#endedCall(call));
      if (next === undefined) return;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const decision = await decide(this.state(), next.input, next.follows.now);
      if (decision === undefined && next.timer === undefined) return;
      this.#take(next, decision);
    }
  }

  /** The state as it is once the decisions are recorded. */
  state(): RunState {
    return {
      part: (key) => (this.parts.has(key) ? this.parts.get(key) : this.#before.part(key)),
      mailbox: async () => (await this.#before.mailbox()).filter(({ id }) => !this.#taken.has(id)),
    };
  }

  /** The decisions, without the commands that others of them answer; the last one has the parts that all of them changed. */
  result(): readonly Decided[] {
    return this.decided.map(({ decision, ...one }, index) => {
      const commands = decision.commands.filter((command) => !this.#isHandled(command));
      const parts = index === this.decided.length - 1 ? this.parts : NO_PARTS;
      return { ...one, decision: { ...decision, commands, parts } };
    });
  }

  #note(command: Command, index: number): void {
    const { progress } = this;
    switch (command.do) {
      case 'start_timer': {
        const { number, at, data } = command;
        if (at <= progress.now) progress.due.push({ number, data, index });
        else progress.timers.set(number, at);
        return;
      }
      case 'stop_timer':
        progress.timers.delete(command.number);
        return;
      case 'start_run':
        // Calls of several branches are tasks: they run side by side, and the first that ends may win.
        if (command.data === null || progress.call !== undefined) break;
        progress.call = { command, data: command.data, index };
        return;
      case 'take':
        for (const event of command.events) this.#taken.add(event);
        return;
      case 'stop_listening':
        return;
      default:
    }
    progress.isBlocked = true;
  }

  #mayContinue(): boolean {
    if (this.decided.at(-1)?.decision.ending !== undefined) return false;
    const { decided, steps, bytes } = this.progress;
    return decided < MOST_DECIDED && steps < MOST_MOVED && bytes < MOST_BYTES;
  }

  #firedTimer(): Following | undefined {
    const [timer] = this.progress.due;
    if (timer === undefined) return undefined;
    const { number, data, index } = timer;
    const input = { kind: 'timer_due', key: String(number), data: { ...data, number } } as const;
    return { input, timer, follows: { index, now: this.progress.now } };
  }

  /** The ending of the run that is called, where nothing else is requested and no timer is due before it has ended. */
  async #endedCall(end: BurstMeans['call']): Promise<Following | undefined> {
    const { call, isBlocked } = this.progress;
    if (call === undefined || isBlocked) return undefined;
    const called = await end(call.command);
    // A worker may have made other calls meanwhile.
    const { call: last, timers } = this.progress;
    if (called === undefined || last === undefined || called.endedAt >= Math.min(...timers.values())) return undefined;
    return { input: inputOf(called, last.data), follows: { index: last.index, now: called.endedAt, called } };
  }

  #take({ input: { kind, key }, follows, timer }: Following, decision: Decision | undefined): void {
    const { progress } = this;
    progress.now = follows.now;
    if (timer !== undefined) {
      progress.due.shift();
      this.#handled.add(timer.number);
    }
    if (follows.called !== undefined) {
      progress.call = undefined;
      this.#handled.add(follows.called.call.number);
    }
    if (decision !== undefined) this.add({ input: { kind, key }, decision, follows });
  }

  #isHandled(command: Command): boolean {
    return (command.do === 'start_timer' || command.do === 'start_run') && this.#handled.has(command.number);
  }
}

const NO_PARTS: Decision['parts'] = new Map();

/** @param now the time of the first decision, in milliseconds since 1970 */
export function newProgress(now: number): Progress {
  return { decided: 0, steps: 0, bytes: 0, now, timers: new Map(), due: [], call: undefined, isBlocked: false };
}

function inputOf({ call: { runId, type, name }, ending }: CalledRun, data: JsonObject): RunInput {
  const ended = { ...data, run_id: runId, subject: `${type}/${name}`, ...endingData(ending) };
  return { kind: 'called_run_ended', key: runId, data: ended };
}

/** The bytes of the outputs of steps, and of the inputs and outputs of calls. */
function bytesOf({ decision: { moved, commands }, follows }: Decided): number {
  const called = follows?.called?.ending;
  let bytes = called?.status === 'succeeded' ? jsonBytes(called.output) : 0;
  for (const { output } of moved) bytes += jsonBytes(output ?? null);
  for (const command of commands) bytes += command.do === 'start_run' ? jsonBytes(command.input) : 0;
  return bytes;
}

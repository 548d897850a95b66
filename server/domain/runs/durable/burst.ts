// A burst: the decisions that one commit records. The first one is about an input; those that follow are about timers that it
// sets and that are due, in the order of their setting, and then about the call that it makes, where that can run eagerly.
import type { JsonObject } from '../../../../shared/json.ts';
import { MIB } from '../../../../shared/product.ts';
import type { WriteTransaction } from '../../../kernel/log/index.ts';
import type { Command, Decision, RunInput, RunState } from '../../../kinds/durable.ts';
import type { Ending } from '../../../kinds/run.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import type { Attempt } from '../history/events.ts';
import { type EndedRun, inputOfWaiter, waiterOf } from './waiter.ts';

/** An input and the decision about it. The input is absent for the refusal of a start. */
export interface Decided {
  input?: RunInput;
  decision: Decision;
  /** Where it follows from another decision of the same commit. */
  follows?: {
    /** The index of the decision that set the timer or called the run. */
    index: number;
    /** In milliseconds since 1970. */
    now: number;
    /** The run whose ending is the input. */
    called?: EagerRun;
  };
}

/** A called run that has ended before its call is committed: both are recorded in one commit, or neither. */
export interface EagerRun {
  run: EndedRun;
  ending: Ending;
  /** In milliseconds since 1970. */
  endedAt: number;
  /** Records the run. Returns the id of the event that ended it. @param cause the event that led to the call */
  record: (tx: WriteTransaction, cause: string) => Promise<string>;
}

export type StartRun = Extract<Command, { do: 'start_run' }>;

/** Executes the run of a call; undefined where a task is to start it. */
export type RunEagerly = (caller: Attempt, call: StartRun) => Promise<EagerRun | undefined>;

/** A run that is decided about. */
export interface DecidingRun {
  attempt: Attempt;
  source: string;
  now: number;
  /** Of events that it cannot publish. */
  takenEventKeys: ReadonlySet<string>;
}

export interface BurstOptions {
  run: DecidingRun;
  /** Before the first decision. */
  state: RunState;
  /** Decides about one input; undefined if nothing waits for it. */
  decide: (run: DecidingRun, state: RunState, input: RunInput) => Promise<Decision | undefined>;
  /** Absent: tasks start all called runs. */
  runEagerly?: RunEagerly | undefined;
}

/** Bounds of one commit: its decisions, the steps that they move and what they hold. Timers and calls past them are tasks. */
const MOST_DECIDED = 100;
const MOST_MOVED = 200;
const MOST_BYTES = MIB;

/** A timer that is due when it is set. */
interface DueTimer {
  number: number;
  data: JsonObject;
  index: number;
}

/** An input that follows from a decision of the same commit, and the number of the command that it answers. */
interface Following extends Required<Pick<Decided, 'input' | 'follows'>> {
  number: number;
}

/** The first decision with those that follow from it. */
export function decideBurst(options: BurstOptions, first: Decided): Promise<readonly Decided[]> {
  return new Burst(options).decideAll(first);
}

class Burst {
  readonly #options: BurstOptions;
  readonly #decided: Decided[] = [];
  readonly #due: DueTimer[] = [];
  /** Numbers of commands that are decided already, so that they need no task. */
  readonly #handled = new Set<number>();
  #now: number;
  #bytes = 0;
  #steps = 0;

  constructor(options: BurstOptions) {
    this.#options = options;
    this.#now = options.run.now;
  }

  async decideAll(first: Decided): Promise<readonly Decided[]> {
    const { run, decide } = this.#options;
    this.#add(first);
    while (this.#mayContinue()) {
      const timer = this.#due.shift();
      // oxlint-disable-next-line no-await-in-loop -- each decision is about the state after the one before
      const next = timer === undefined ? await this.#eagerEnding() : this.#fired(timer);
      if (next === undefined) break;
      this.#now = next.follows.now;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const decision = await decide({ ...run, now: this.#now }, this.#state(), next.input);
      if (decision === undefined && timer === undefined) break;
      this.#handled.add(next.number);
      if (decision !== undefined) this.#add({ input: next.input, decision, follows: next.follows });
    }
    return this.#decided.map((one) => withoutHandled(one, this.#handled));
  }

  #add(decided: Decided): void {
    const index = this.#decided.push(decided) - 1;
    this.#bytes += bytesOf(decided);
    this.#steps += decided.decision.moved.length;
    this.#due.push(...dueTimers(decided, index, this.#now));
  }

  #mayContinue(): boolean {
    if (this.#decided.at(-1)?.decision.ending !== undefined) return false;
    return this.#decided.length < MOST_DECIDED && this.#steps < MOST_MOVED && this.#bytes < MOST_BYTES;
  }

  #fired({ number, data, index }: DueTimer): Following {
    const input = { kind: 'timer_due', key: String(number), data: { ...data, number } } as const;
    return { input, number, follows: { index, now: this.#now } };
  }

  /** The ending of the run that is called, where nothing else is requested and no timer is due before it has ended. */
  async #eagerEnding(): Promise<Following | undefined> {
    const { run, runEagerly } = this.#options;
    const only = runEagerly === undefined ? undefined : this.#onlyCall();
    if (runEagerly === undefined || only === undefined) return undefined;
    const { call, data, index, firstTimer } = only;
    const called = await runEagerly(run.attempt, call);
    if (called === undefined || called.endedAt >= firstTimer) return undefined;
    const input = inputOfWaiter(waiterOf(run.attempt, data), called.run, called.ending, null);
    const { kind, key } = input;
    const follows = { index, now: called.endedAt, called };
    return { input: { kind, key, data: input.data }, number: call.number, follows };
  }

  /** The call of a run, if that is all that the decisions request beside timers. */
  #onlyCall(): { call: StartRun; data: JsonObject; index: number; firstTimer: number } | undefined {
    let only: { call: StartRun; data: JsonObject; index: number } | undefined;
    const timers = new Map<number, number>();
    for (const [index, { decision }] of this.#decided.entries()) {
      for (const command of decision.commands) {
        if ('number' in command && this.#handled.has(command.number)) continue;
        if (command.do === 'start_timer') timers.set(command.number, command.at);
        else if (command.do === 'stop_timer') timers.delete(command.number);
        else if (command.do === 'start_run' && command.data !== null && only === undefined) {
          only = { call: command, data: command.data, index };
        } else return undefined;
      }
    }
    return only && { ...only, firstTimer: Math.min(...timers.values()) };
  }

  /** The state as it is once the decisions are recorded. */
  #state(): RunState {
    const before = this.#options.state;
    const parts = new Map(this.#decided.flatMap(({ decision }) => [...decision.parts]));
    const commands = this.#decided.flatMap(({ decision }) => decision.commands);
    const taken = new Set(commands.flatMap((command) => (command.do === 'take' ? command.events : [])));
    return {
      part: (key) => (parts.has(key) ? parts.get(key) : before.part(key)),
      mailbox: async () => (await before.mailbox()).filter(({ id }) => !taken.has(id)),
    };
  }
}

function dueTimers({ decision: { commands, ending } }: Decided, index: number, now: number): DueTimer[] {
  if (ending !== undefined) return [];
  return commands.flatMap((command) => {
    if (command.do !== 'start_timer' || command.at > now) return [];
    return [{ number: command.number, data: command.data, index }];
  });
}

function withoutHandled({ decision, ...one }: Decided, handled: ReadonlySet<number>): Decided {
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

// Simulates a run in memory: time jumps to the next timer, and the caller provides the results of calls. Used for the
// examples of definitions, which need neither a store nor a network.
import { assertNever } from '../../shared/assert-never.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { derivedId } from '../kernel/ids.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import { createYielder } from '../lib/event-loop.ts';
import type { CallFailure } from './checked.ts';
import type { CloudEvent, Command, MovedStep, RunInput } from './durable.ts';
import type { Kind } from './kind.ts';
import type { Ending } from './run.ts';

export interface SimulationOptions {
  /** The playbook that the run sees as its own. */
  place?: PlaybookKey;
  source: string;
  input: Json;
  /** When the run starts, in milliseconds since 1970. */
  now: number;
  runId?: string;
  /** Events that are sent to the run at its start. */
  events?: readonly CloudEvent[];
  /** Results of calls, by the pointer of the step, or by TYPE/NAME or SERVER/TOOL. */
  calls?: Readonly<Record<string, Json>>;
  /** How calls end that do not succeed, by the same names. */
  failures?: Readonly<Record<string, CallFailure>>;
  /** Returns the ending of a call that is in neither. */
  answer?: (call: SimulatedCall) => Ending | undefined;
  /** Aborted when nobody waits for the result any more: the simulation stops. */
  signal?: AbortSignal;
}

export interface SimulatedCall {
  reference: string;
  called: string;
  input: Json;
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
}

interface Timer {
  at: number;
  number: number;
  data: JsonObject;
}

/** Longer waits count as waits for something that never happens. */
const LONGEST_WAIT_MS = 360 * 24 * 60 * 60 * 1000;
const MOST_INPUTS = 100_000;

/** The functions that simulated runs need. */
export type SimulatedKind = Required<Pick<Kind, 'decide' | 'describe'>>;

export async function simulate(kind: SimulatedKind, options: SimulationOptions): Promise<SimulationResult> {
  const { place = { org: 'local', playbook: 'test' }, signal } = options;
  const yieldNow = createYielder();
  const runId = options.runId ?? derivedId(`simulated ${options.now}`);
  const parts = new Map<string, Json>();
  const timers = new Map<number, Timer>();
  const listeners = new Set<number>();
  const queue: RunInput[] = [{ kind: 'started', key: runId, data: { input: options.input } }];
  let mailbox = [...(options.events ?? [])];
  const done: SimulationResult = {
    ending: undefined,
    waitsFor: undefined,
    moved: [],
    published: [],
    now: options.now,
    inputs: 0,
  };

  function carryOut(command: Command): void {
    switch (command.do) {
      case 'start_timer':
        timers.set(command.number, { at: command.at, number: command.number, data: command.data });
        return;
      case 'stop_timer':
        timers.delete(command.number);
        return;
      case 'start_run': {
        const called = `${command.type}/${command.name}`;
        const ending = endingOf({ reference: command.reference, called, input: command.input });
        if (command.data === null) return;
        const data = { ...command.data, run_id: command.runId, subject: called, ...(ending as unknown as JsonObject) };
        queue.push({ kind: 'called_run_ended', key: command.runId, data });
        return;
      }
      case 'perform': {
        const { server, tool, arguments: input } = kind.describe(place, command.effect);
        const ending = endingOf({ reference: String(command.data['reference']), called: `${server}/${tool}`, input });
        const answer: JsonObject =
          ending.status === 'succeeded' ? { ok: true, output: ending.output } : { ok: false, error: errorOf(ending) };
        queue.push({
          kind: 'call_answered',
          key: String(command.number),
          data: { ...command.data, number: command.number, ...answer },
        });
        return;
      }
      case 'publish':
        done.published.push(command.event);
        for (const listener of listeners) {
          queue.push({ kind: 'event_received', key: command.event.id, data: { listener, event: command.event } });
        }
        return;
      case 'listen':
        listeners.add(command.listener);
        return;
      case 'stop_listening':
        listeners.delete(command.listener);
        return;
      case 'take':
        mailbox = mailbox.filter(({ id }) => !command.events.includes(id));
        return;
      case 'resume':
        queue.push({ kind: 'resumed', key: String(command.number), data: {} });
        return;
      // Examples contain no answers to questions and no uploads: the run waits for something that never happens.
      case 'put_request':
      case 'expect_upload':
      case 'stop_expecting_upload':
      case 'cancel_run':
      case 'stop_performing':
      case 'add_task':
        return;
      default:
        assertNever(command);
    }
  }

  function endingOf(call: SimulatedCall): Ending {
    const { calls = {}, failures = {} } = options;
    for (const key of [call.reference, call.called]) {
      const failure = Object.hasOwn(failures, key) ? failures[key] : undefined;
      if (failure !== undefined) return failedAs(failure, call);
      const output = Object.hasOwn(calls, key) ? calls[key] : undefined;
      if (output !== undefined) return { status: 'succeeded', output, record: {} };
    }
    const detail = `The example has no result for the call ${call.called} at ${call.reference}; add it to \`calls\`.`;
    return options.answer?.(call) ?? { status: 'failed', detail };
  }

  function nextTimer(): RunInput | undefined {
    const [next] = [...timers.values()].toSorted((a, b) => a.at - b.at || a.number - b.number);
    if (next === undefined || next.at > done.now + LONGEST_WAIT_MS) return undefined;
    timers.delete(next.number);
    done.now = Math.max(done.now, next.at);
    return { kind: 'timer_due', key: String(next.number), data: { ...next.data, number: next.number } };
  }

  const state = { part: (key: string) => parts.get(key), mailbox: async () => mailbox };
  for (;;) {
    const input = queue.shift() ?? nextTimer();
    if (input === undefined || done.inputs >= MOST_INPUTS || signal?.aborted === true) return done;
    done.inputs += 1;
    await yieldNow();
    const { source } = options;
    const run = { ...place, runId, name: 'test', version: 1, source, depth: 0, now: done.now };
    const decision = await kind.decide({ ...run, takenEventKeys: new Set() }, state, input);
    if (decision === undefined) continue;
    done.moved.push(...decision.moved);
    done.waitsFor = decision.waitsFor;
    for (const [key, value] of decision.parts) {
      if (value === undefined) parts.delete(key);
      else parts.set(key, value);
    }
    for (const command of decision.commands) carryOut(command);
    done.ending = decision.ending;
    if (done.ending !== undefined) return done;
  }
}

/** The ending of a call that the example lets fail. */
function failedAs(failure: CallFailure, { called }: SimulatedCall): Exclude<Ending, { status: 'succeeded' }> {
  const detail = `In this example, the call of ${called} ends as ${failure}.`;
  if (failure === 'failed') return { status: 'failed', detail };
  return {
    status: 'rejected',
    rejection: { reason: failure, detail, ...(failure === 'unanswered' ? { kind: 'expired' } : {}) },
  };
}

function errorOf(ending: Exclude<Ending, { status: 'succeeded' }>): JsonObject {
  const detail = ending.status === 'failed' ? ending.detail : ending.rejection.detail;
  return { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 503, detail };
}

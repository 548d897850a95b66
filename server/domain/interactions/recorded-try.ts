// Trying to use a tool for a request, each try recorded: its start, committed before anything is sent, then one end.
//
// 1. A try that a crash left open is recorded as failed, even if its request was closed in the meantime. While the request is
//    wanted it is made again: a party rather sees something twice than never.
// 2. A try that failed is made again after growing waits, never before the server asked for, for a day. What came of a
//    try is recorded whatever became of the request meanwhile.
import type { JsonObject } from '../../../shared/json.ts';
import type { Clock } from '../../lib/clock.ts';
import { type EventLog, selectEventByKey, type WriteTransaction } from '../../kernel/log/index.ts';
import { LeaseLost, retryWait, type Task, type TaskLease, type Tasks } from '../../kernel/tasks/index.ts';
import type { ToolUse } from '../../kinds/conversing.ts';
import type { CallStart, ToolCalled, Tools } from '../tools/index.ts';
import { wantedRequestOf } from './put-requests.ts';
import { recordByItself, type RequestEvent } from './record-in-run.ts';
import type { RequestRow, RunKey } from './sql.ts';
import { type TryPayload, tryTask } from './tasks.ts';
import { argumentsSize, failureWords, resultSize, toolNamed, type ToolUseEnd, useTool } from './tool-use.ts';

export interface RecordedTryOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  tools: Tools;
  /** Aborted when the service stops and has waited long enough. */
  signal: AbortSignal;
}

/** What is tried. */
export interface Trying<Payload extends TryPayload> {
  /** The kind of its tasks. */
  task: string;
  events: { started: string; failed: string };
  /** The event that a try comes from. */
  cause(payload: Payload): string;
  /** Since when it is tried, in milliseconds since 1970. */
  since(request: RequestRow, payload: Payload): number;
  /** What is used; undefined where nothing is to be done, now or ever. */
  use(request: RequestRow, payload: Payload): Promise<ToolUse | undefined>;
  /** What a result is recorded as. */
  ended(request: RequestRow, payload: Payload, called: ToolCalled): Promise<TryEnd>;
  /** Follows the last try of a wanted request, when it failed. */
  gaveUp?(tx: WriteTransaction, request: RequestRow, cause: string): Promise<void>;
}

export interface TryEnd {
  type: string;
  data: JsonObject;
  /** Follows where the request is still wanted. */
  follow?: (tx: WriteTransaction, cause: string) => Promise<void>;
}

/** How long something is tried. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

interface Try<Payload> {
  run: RunKey;
  payload: Payload;
  attempt: number;
  /** The event that says that it started. */
  started: string | undefined;
}

export class RecordedTry<Payload extends TryPayload> {
  readonly #options: RecordedTryOptions;
  readonly #trying: Trying<Payload>;

  constructor(options: RecordedTryOptions, trying: Trying<Payload>) {
    this.#options = options;
    this.#trying = trying;
  }

  async handle(task: Task, lease: TaskLease): Promise<void> {
    const payload = task.payload as Payload;
    const run = { org: task.org, playbook: task.playbook, run_id: payload.run_id };
    const made: Try<Payload> = { run, payload, attempt: (payload.tries ?? 0) + 1, started: undefined };
    const { cutOff, request } = await this.#options.log.read(async (tx) => ({
      cutOff: await selectEventByKey(tx, task, this.#startKey(made)),
      request: await wantedRequestOf(tx, task, payload),
    }));
    if (cutOff !== undefined) {
      return this.#options.log.write(task, async (tx) => {
        await lease.finish(tx);
        await this.#recordFailed(tx, made, cutOff.id, { kind: 'interrupted', wasSent: true });
      });
    }
    const use = request === undefined ? undefined : await this.#trying.use(request, payload);
    if (request === undefined || use === undefined) return this.#options.log.write(task, (tx) => lease.finish(tx));
    const used = await useTool(this.#options.tools, task, use, {
      signal: this.#options.signal,
      beforeSending: async (start) => {
        await this.#options.log.write(task, async (tx) => {
          await lease.require(tx);
          const isWanted = (await wantedRequestOf(tx, task, payload)) !== undefined;
          if (isWanted) made.started = await this.#recordStart(tx, made, use, start);
          else await lease.finish(tx);
        });
        if (made.started === undefined) throw new LeaseLost(task);
      },
    });
    // The service stops: the next start records a begun try as interrupted, and tries again.
    if (used.kind === 'interrupted') throw new LeaseLost(task);
    if (used.kind === 'result') return this.#recordResult(made, request, used.called, lease);
    return this.#options.log.write(task, async (tx) => {
      await lease.finish(tx);
      if (made.started !== undefined) return this.#recordFailed(tx, made, made.started, used);
      if ((await wantedRequestOf(tx, task, payload)) === undefined) return;
      const connectionId = this.#options.tools.connectionOf(task, use.server);
      const start = {
        arguments: use.arguments,
        keepsContent: false,
        ...(connectionId === undefined ? {} : { connectionId }),
      };
      const started = await this.#recordStart(tx, made, use, start);
      await this.#recordFailed(tx, made, started, used);
    });
  }

  #startKey({ payload: { request, about = '' }, attempt }: Try<Payload>): string {
    return `${this.#trying.events.started} ${request} ${about} ${attempt}`;
  }

  async #record(tx: WriteTransaction, made: Try<Payload>, event: RequestEvent, cause: string): Promise<string> {
    const { about } = made.payload;
    const data = { attempt: made.attempt, ...(about === undefined ? {} : { about }), ...event.data };
    const { id } = await recordByItself(this.#options.log, tx, made.run, { ...event, data }, cause);
    return id;
  }

  async #recordStart(
    tx: WriteTransaction,
    made: Try<Payload>,
    use: ToolUse,
    start: Pick<CallStart, 'arguments' | 'keepsContent' | 'connectionId'>,
  ): Promise<string> {
    const data = { ...toolNamed(use, start.connectionId), ...(await argumentsSize(tx, made.run, start)) };
    const event = { key: this.#startKey(made), type: this.#trying.events.started, data };
    return this.#record(tx, made, event, this.#trying.cause(made.payload));
  }

  /** When it is tried again, in milliseconds since 1970; undefined: not any more. */
  #nextTry(request: RequestRow, { payload, attempt }: Try<Payload>, used: ToolUseEnd): number | undefined {
    const isFailure = used.kind === 'failed';
    // The response was too large to be read: the party has it, and would only get it again.
    if (isFailure && used.called?.outcome === 'too_large') return undefined;
    const now = this.#options.clock.now();
    const asked = isFailure ? (used.retryAfterMs ?? 0) : 0;
    const until = this.#trying.since(request, payload) + PATIENCE_MS;
    if (now >= until || now + asked > until) return undefined;
    return Math.max(now + asked, Math.min(now + retryWait(attempt - 1), until));
  }

  async #recordFailed(
    tx: WriteTransaction,
    made: Try<Payload>,
    started: string,
    used: Exclude<ToolUseEnd, { kind: 'result' }>,
  ): Promise<void> {
    const { run, payload, attempt } = made;
    const request = await wantedRequestOf(tx, run, payload);
    const at = request === undefined ? undefined : this.#nextTry(request, made, used);
    const words = used.kind === 'failed' ? failureWords(used) : { because: 'interrupted' };
    const size = await resultSize(tx, run, used.kind === 'failed' ? used.called : undefined);
    const data = { ...words, ...(at === undefined ? { gave_up: true } : {}), ...size };
    const failed = await this.#record(tx, made, { type: this.#trying.events.failed, data }, started);
    if (at !== undefined)
      await this.#options.tasks.add(tx, run, tryTask(this.#trying.task, { ...payload, tries: attempt }, at));
    else if (request !== undefined) await this.#trying.gaveUp?.(tx, request, failed);
  }

  async #recordResult(made: Try<Payload>, request: RequestRow, called: ToolCalled, lease: TaskLease) {
    const { run, payload, started = this.#trying.cause(payload) } = made;
    const { type, data, follow } = await this.#trying.ended(request, payload, called);
    await this.#options.log.write(run, async (tx) => {
      await lease.finish(tx);
      const size = await resultSize(tx, run, called);
      const ended = await this.#record(tx, made, { type, data: { ...data, ...size } }, started);
      if ((await wantedRequestOf(tx, run, payload)) !== undefined) await follow?.(tx, ended);
    });
  }
}

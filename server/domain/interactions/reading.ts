// Reading the conversation of a request, and taking a reply as its answer.
//
// 1. A message counts when its author is the answerer, it is not older than the delivery, and nobody looked at it
//    before; one that was taken as the answer of a request answers no other of the same conversation. A conversation is
//    read at once after the delivery: of messages that say no time, those that stand there by then are older than it.
// 2. Readings that bring nothing new leave no history, and their waits grow.
// 3. The words of a refused reply are not recorded; its author gets the reason, at most three times per request.
import { createHash } from 'node:crypto';
import type { Json } from '../../../shared/json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventLog, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import { LeaseLost, type Task, type TaskLease, type Tasks } from '../../kernel/tasks/index.ts';
import type { Conversing, PutRequest, Reply, ToolUse } from '../../kinds/conversing.ts';
import { requireRun } from '../runs/index.ts';
import type { ToolCalled, Tools } from '../tools/index.ts';
import type { Answering } from './answering.ts';
import { conversationOf, readPutRequest, wantedRequestOf } from './put-requests.ts';
import { playbookItself, recordByItself } from './record-in-run.ts';
import { type RequestRow, selectSeenReplies } from './sql.ts';
import { READ_TASK, type ReadPayload, requestTask, TELL_TASK, type TellPayload, tryTask } from './tasks.ts';
import { failureWords, resultSize, toolNamed, type ToolUseEnd, useTool } from './tool-use.ts';

export interface ReadingOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  tools: Tools;
  answering: Answering;
  conversing: (type: RequestRow['type']) => Conversing;
  signal: AbortSignal;
}

/** The longest wait between two readings, unless the document asks for a longer one. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** Clocks differ, and many conversations give their times in whole seconds. */
const TIME_SLACK_MS = 1000;
const MOST_TELLINGS = 3;

/** What a message turned out to be. */
type ReplyReading = { reply: Reply; answer: Json } | { reply: Reply; detail: string };

interface Read {
  request: RequestRow;
  put: PutRequest;
  /** For the next reading. */
  payload: ReadPayload;
  /** Messages without a time that were found to be older than the delivery. */
  passedOver: number;
  use: ToolUse;
}

export class Reading {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  async handle(task: Task, lease: TaskLease): Promise<void> {
    const payload = task.payload as ReadPayload;
    const request = await this.#options.log.read((tx) => wantedRequestOf(tx, task, payload));
    if (request === undefined) return this.#options.log.write(task, (tx) => lease.finish(tx));
    const put = await this.#options.log.read((tx) => readPutRequest(tx, request, this.#options.clock.now()));
    const kind = this.#options.conversing(request.type);
    const use = await kind.reading(put);
    const named = use.ok ? use.value : { server: request.delivery_server ?? '', tool: '', arguments: {} };
    const failed = { request, payload, use: named };
    if (!use.ok) return this.#recordFailed(failed, { because: 'unworkable', detail: use.detail }, lease);
    const used: ToolUseEnd = await useTool(this.#options.tools, request, use.value, {
      signal: this.#options.signal,
      beforeSending: async () => undefined,
    });
    // The service stops: what was not read is read by the next start.
    if (used.kind === 'interrupted') throw new LeaseLost(task);
    if (used.kind === 'failed') {
      return this.#recordFailed(failed, failureWords(used), lease, { called: used.called, waitMs: used.retryAfterMs });
    }
    const replies = await kind.replies(put, used.called.document?.() ?? null);
    if (!replies.ok) {
      const words = { because: 'unworkable', detail: replies.detail };
      return this.#recordFailed(failed, words, lease, { called: used.called });
    }
    const { first: isFirst = false, ...later } = payload;
    const old = isFirst ? timeless(request, replies.value) : [];
    const next = isFirst ? { ...later, old } : payload;
    const read: Read = { request, put, payload: next, passedOver: old.length, use: use.value };
    const looked = await this.#lookAt(read, await this.#newReplies(read, replies.value));
    if (looked.length > 0 || old.length > 0) return this.#recordRead(read, looked, used.called, lease);
    return this.#options.log.write(request, async (tx) => {
      await lease.finish(tx);
      if ((await wantedRequestOf(tx, request, payload)) !== undefined)
        await this.#readAgain(tx, request, next, isFirst ? payload.every : this.#grown(payload));
    });
  }

  async #readAgain(tx: WriteTransaction, request: RequestRow, payload: ReadPayload, wait: number): Promise<void> {
    const next: ReadPayload = { ...payload, waited: wait };
    await this.#options.tasks.add(tx, request, requestTask(READ_TASK, next, this.#options.clock.now() + wait));
  }

  #grown({ every, waited }: ReadPayload): number {
    return Math.min(2 * waited, Math.max(LONGEST_WAIT_MS, every));
  }

  async #recordFailed(
    { request, payload, use }: Pick<Read, 'request' | 'payload' | 'use'>,
    words: Record<string, Json>,
    lease: TaskLease,
    { called, waitMs = 0 }: { called?: ToolCalled | undefined; waitMs?: number | undefined } = {},
  ): Promise<void> {
    await this.#options.log.write(request, async (tx) => {
      await lease.finish(tx);
      if ((await wantedRequestOf(tx, request, payload)) === undefined) return;
      const named = toolNamed(use, this.#options.tools.connectionOf(request, use.server));
      const size = await resultSize(tx, request, called);
      const data = { ...named, conversation: conversationOf(request), ...words, ...size };
      await recordByItself(this.#options.log, tx, request, { type: 'reading_failed', data }, causeOf(request));
      await this.#readAgain(tx, request, payload, Math.max(waitMs, this.#grown(payload)));
    });
  }

  /** The messages that count and were not examined before, in order. */
  async #newReplies({ request, payload }: Read, replies: readonly Reply[]): Promise<Reply[]> {
    const seen = await this.#options.log.read((tx) => selectSeenReplies(tx, request));
    const old = new Set(payload.old);
    const since = Date.parse(request.delivering_at ?? request.requested_at) - TIME_SLACK_MS;
    return replies.filter(({ id, author, at }) => {
      const isOlder = at === undefined ? old.has(digestOf(id)) : at < since;
      if (author !== request.answerer || isOlder || seen.has(id)) return false;
      seen.add(id);
      return true;
    });
  }

  /** Examines the messages until one is the answer. */
  async #lookAt({ request, put }: Read, replies: readonly Reply[]): Promise<ReplyReading[]> {
    const looked: ReplyReading[] = [];
    for (const reply of replies) {
      const answer = await this.#options.conversing(request.type).answerOf(put, reply.text);
      looked.push(answer.ok ? { reply, answer: answer.value } : { reply, detail: answer.detail });
      if (answer.ok) break;
    }
    return looked;
  }

  async #recordRead(read: Read, looked: readonly ReplyReading[], called: ToolCalled, lease: TaskLease): Promise<void> {
    const { request, payload, use, passedOver } = read;
    await this.#options.log.write(request, async (tx) => {
      await lease.finish(tx);
      const now = await wantedRequestOf(tx, request, payload);
      if (now === undefined) return;
      // Meanwhile, another request of the conversation may have taken one of them.
      const seen = await selectSeenReplies(tx, request);
      const fresh = looked.filter(({ reply }) => !seen.has(reply.id));
      if (fresh.length === 0 && passedOver === 0) return this.#readAgain(tx, request, payload, payload.every);
      const named = toolNamed(use, called.connectionId);
      const size = await resultSize(tx, request, called);
      const older = passedOver === 0 ? {} : { passed_over: passedOver };
      const data = { ...named, conversation: conversationOf(request), replies: fresh.length, ...older, ...size };
      const refused = fresh.filter((one) => 'detail' in one);
      const readEvent = await recordByItself(
        this.#options.log,
        tx,
        request,
        { type: 'replies_read', data },
        causeOf(request),
      );
      const refusals: StoredEvent[] = [];
      for (const { reply } of refused) {
        const event = { type: 'reply_refused', data: { reply: reply.id, because: 'does_not_fit' } };
        refusals.push(await recordByItself(this.#options.log, tx, request, event, (refusals.at(-1) ?? readEvent).id));
      }
      const taken = fresh.find((one) => 'answer' in one);
      if (taken !== undefined) {
        const run = await requireRun(tx, request, request.run_id);
        const by = playbookItself(request);
        const { answer, reply } = taken;
        await this.#options.answering.take(tx, run, now, { answer, by, reply: reply.id, cause: readEvent.id });
        return;
      }
      const refusalsReported = Number(now.reply_refusals);
      for (const [index, { detail }] of refused.entries()) {
        const cause = refusals[index]?.id;
        if (refusalsReported + index >= MOST_TELLINGS || cause === undefined) break;
        const { run_id, request: put } = payload;
        const about = `reply_refused_${refusalsReported + index + 1}`;
        const telling: TellPayload = {
          run_id,
          request: put,
          about,
          words: refusalWords(detail),
          cause,
          since: this.#options.clock.now(),
        };
        await this.#options.tasks.add(tx, request, tryTask(TELL_TASK, telling, this.#options.clock.now()));
      }
      await this.#readAgain(tx, request, payload, payload.every);
    });
  }
}

/** A reading follows from the delivery. */
function causeOf(request: RequestRow): string {
  return request.delivery_event_id ?? request.event_id;
}

/** What the answerer wrote without a time. */
function timeless({ answerer }: RequestRow, replies: readonly Reply[]): string[] {
  const ids = replies.flatMap(({ id, author, at }) => (author === answerer && at === undefined ? [id] : []));
  return [...new Set(ids.map(digestOf))];
}

/** Enough to distinguish the messages of a conversation. */
function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22);
}

function refusalWords(detail: string): string {
  return `Your reply was not accepted as an answer. ${detail} Please answer again.`;
}

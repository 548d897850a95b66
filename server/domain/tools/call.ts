// One call of a tool.
//
// 1. What must be known before the call (`beforeSending`) has happened before anything is sent; when it fails, nothing
//    is sent.
// 2. A call is sent at most once and returns a result or a failure. A caller that goes away gets nothing.
// 3. All that leaves here is scrubbed.
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import { periodWords } from '../../lib/duration.ts';
import { ownWork } from '../../lib/own-work.ts';
import { joinScrubbers, type Scrubber } from '../../lib/scrub/index.ts';
import { textJob, type TextWork } from '../../lib/text-work/index.ts';
import { type CallEnd, type CallFault, type Connection, type ListedTool, ServerFault } from './server.ts';
import { notOffered, serverFailed } from './refusals.ts';
import { harmless } from '../../lib/harmless.ts';
import { cutText, type JsonText, saidWords, seenResult, type SeenTexts, seenTexts } from './result.ts';
import type { RunningServer } from './running-server.ts';
import type { seeAnswer, SeenAnswer } from './see-answer.job.ts';

/** What is known when a call is about to be sent. */
export interface CallStart {
  server: string;
  /** Of a connection that a person added: its id. */
  connectionId?: string;
  tool: string;
  readOnly: boolean;
  /** Scrubbed of the server's secrets. */
  arguments: JsonObject;
  /** Whether the operator has the content of calls kept. */
  keepsContent: boolean;
}

export type ToolOutcome = 'result' | 'tool_error' | 'server_failure' | 'timed_out' | 'too_large';

/** How a call ended. */
export interface ToolCalled extends CallStart {
  outcome: ToolOutcome;
  /** Why there is no result; absent where there is one. */
  because?: CallFault;
  /** What a model sees; for a failure, why in words. */
  text: string;
  /** The structured content, else the first text; JSON is read. Absent where it has more than 64 KiB as JSON. */
  answer?: Json;
  /** As `answer`, however large; made when it is asked for. */
  document?: () => Json;
  /** What a function gives as the call's output, whole: structured content, else JSON text, else `{ text }`. */
  output: () => Json;
  /** That output as JSON, where there is a result. */
  outputJson?: JsonText;
  /** Milliseconds that the server asked to wait before it is called again. */
  retryAfterMs?: number;
  /** The whole scrubbed result, where there is one. */
  result?: SeenTexts['whole'];
  resultBytes: number | null;
  durationMs: number;
  requestId?: string;
  /** When it was sent, in milliseconds since 1970. */
  calledAt: number;
}

export interface CallOptions {
  /** Called when it is the turn of the call: a deadline of the caller begins then. */
  onTurn?: () => void;
  /** Aborted when the caller no longer waits for the end. */
  signal?: AbortSignal;
  /** Scrubs everything that is reported of the call, in addition to the server's secrets and before texts are cut. */
  scrubber?: Scrubber;
  /** Awaited before anything is sent: records that the call starts. */
  beforeSending: (start: CallStart) => Promise<void>;
}

export interface CallDependencies {
  /** The playbook that calls. */
  playbookKey: PlaybookKey;
  clock: Clock;
  /** Reads what is too large for the main thread. */
  textWork: TextWork;
}

/**
 * @returns undefined when the signal was aborted before the end
 * @throws Refused `unavailable` kind `tool_not_offered` or `tool_server_failed`: nothing was sent
 */
export async function callTool(
  { playbookKey, clock, textWork }: CallDependencies,
  server: RunningServer,
  toolName: string,
  args: JsonObject,
  options: CallOptions,
): Promise<ToolCalled | undefined> {
  const { entry, gate } = server;
  const scrubber = options.scrubber === undefined ? server.scrubber : joinScrubbers(server.scrubber, options.scrubber);
  const { signal } = options;
  const work = async (): Promise<ToolCalled | undefined> => {
    options.onTurn?.();
    const ready = await connect(server, toolName, signal);
    if (ready === undefined) return undefined;
    const { connection, tool } = ready;
    try {
      const start: CallStart = {
        server: entry.name,
        ...(server.connectionId === undefined ? {} : { connectionId: server.connectionId }),
        tool: toolName,
        readOnly: tool.annotations?.readOnlyHint === true,
        arguments: scrubber.json(args) as JsonObject,
        keepsContent: entry.recordContent,
      };
      // Connecting may have taken long.
      ownWork()?.unwanted?.throwIfAborted();
      await options.beforeSending(start);
      if (signal?.aborted === true) return undefined;
      const { timeoutMs } = entry;
      return await send({ clock, textWork }, { connection, tool, args, start, scrubber, timeoutMs }, signal);
    } finally {
      // No caller needs to wait until an unused connection is closed.
      void connection.close().catch(() => undefined);
    }
  };
  try {
    return await gate.pass(work, { playbookKey: playbookKey, signal });
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) return undefined;
    throw error;
  }
}

interface ConnectedTool {
  connection: Connection;
  tool: ListedTool;
}

/** Undefined once the caller no longer waits. */
async function connect(
  server: RunningServer,
  toolName: string,
  signal: AbortSignal | undefined,
): Promise<ConnectedTool | undefined> {
  try {
    return await connectAndFind(server, toolName, signal);
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    throw error instanceof ServerFault ? serverFailed(server.entry.name, error) : error;
  }
}

async function connectAndFind(
  server: RunningServer,
  toolName: string,
  signal: AbortSignal | undefined,
): Promise<ConnectedTool> {
  const connection = await server.open(signal);
  try {
    const tool = await server.findTool(connection, toolName, signal);
    if (tool === undefined) throw notOffered('tool_not_listed', server.entry.name, toolName, server.known() ?? []);
    await connection.requireCallable?.(tool);
    return { connection, tool };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

interface ReadyCall extends ConnectedTool {
  args: JsonObject;
  start: CallStart;
  scrubber: Scrubber;
  timeoutMs: number;
}

async function send(
  { clock, textWork }: Pick<CallDependencies, 'clock' | 'textWork'>,
  { connection, tool, args, start, scrubber, timeoutMs }: ReadyCall,
  signal: AbortSignal | undefined,
): Promise<ToolCalled | undefined> {
  const calledAt = clock.now();
  const tookMs = stopwatch(clock);
  const deadline = startDeadline(clock, timeoutMs, signal);
  try {
    const answered = await untilAborted(connection.call(tool, args, deadline.signal), deadline.signal);
    // A call that was aborted may fail in whatever words before this is noticed.
    const isFailed = answered === undefined || answered.kind === 'failed';
    const end = deadline.isOver() && isFailed ? timedOut(timeoutMs) : answered;
    if (end === undefined || (signal?.aborted === true && end.kind === 'failed')) return undefined;
    const durationMs = tookMs();
    return { ...start, ...wordsOf(await see(end, scrubber, textWork), scrubber), calledAt, durationMs };
  } finally {
    deadline.callOff();
  }
}

function timedOut(milliseconds: number): CallEnd {
  return {
    kind: 'failed',
    because: 'timed_out',
    detail: `The server did not respond within ${periodWords({ milliseconds })}; the call may have had an effect.`,
  };
}

/** 4 MiB of a million values take some 2 s. */
const SEE_ANSWER = textJob<typeof seeAnswer>({
  module: new URL('./see-answer.job.ts', import.meta.url),
  name: 'seeAnswer',
  deadlineMs: 20_000,
});

/** The response, read and scrubbed. */
async function see(end: CallEnd, scrubber: Scrubber, textWork: TextWork): Promise<SeenAnswer> {
  switch (end.kind) {
    case 'failed':
      return end;
    case 'answered':
      return { ...end, kind: 'seen', seen: seenTexts(end, scrubber) };
    case 'large': {
      const seen = await textWork.run(SEE_ANSWER, { answer: end, scrubber: scrubber.parts }).catch(() => 'busy');
      if (typeof seen === 'string') return UNREAD;
      return seen.kind === 'seen' && end.requestId !== undefined ? { requestId: end.requestId, ...seen } : seen;
    }
  }
}

const UNREAD: SeenAnswer = {
  kind: 'failed',
  because: 'server_failure',
  detail: 'The response arrived, but reading it takes too long; the call may have had an effect.',
};

function wordsOf(end: SeenAnswer, scrubber: Scrubber): Omit<ToolCalled, keyof CallStart | 'calledAt' | 'durationMs'> {
  if (end.kind === 'failed') {
    const serverMessage = saidWords(end.serverMessage ?? '', scrubber);
    const detail = scrubber.text(end.detail);
    const text = cutText(harmless(serverMessage === '' ? detail : `${detail} The server said: ${serverMessage}`));
    const wait = end.retryAfter === undefined ? {} : { retryAfterMs: end.retryAfter * 1000 };
    return {
      outcome: outcomeOf(end.because),
      because: end.because,
      text,
      output: () => ({ text }),
      resultBytes: null,
      ...wait,
    };
  }
  const { text, answer, document, output, outputJson, whole } = seenResult(end.seen);
  return {
    outcome: end.isError ? 'tool_error' : 'result',
    text,
    ...(answer === undefined ? {} : { answer }),
    ...(document === undefined ? {} : { document }),
    output,
    outputJson,
    result: whole,
    resultBytes: whole.bytes,
    ...(end.requestId === undefined ? {} : { requestId: scrubber.text(end.requestId).slice(0, 256) }),
  };
}

function outcomeOf(because: CallFault): ToolOutcome {
  switch (because) {
    case 'arguments_refused':
      return 'tool_error';
    case 'server_failure':
    case 'cancelled':
      return 'server_failure';
    case 'timed_out':
      return 'timed_out';
    case 'too_large':
      return 'too_large';
  }
}

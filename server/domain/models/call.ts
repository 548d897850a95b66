// One call of a model: its attempts, the waits between them, and the deadlines over them.
//
// 1. At most three attempts. Another one follows 408, 409, 429, 5xx and a connection that failed, also in the middle of
//    an answer: nothing of it was recorded. It never follows an answer that cannot be read or a certificate that is not
//    trusted.
// 2. If the next wait would end past the deadline, the failure is returned at once.
// 3. Answers are streamed. After the first token, the next one must come within a minute, however much of the deadline is
//    left. A provider that cannot stream is asked for its whole answer, which only the deadline bounds.
// 4. Once the caller has gone or the time is up, nothing more is sent.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import type { HttpClient } from '../../lib/http-client/index.ts';
import { createGrowingScrubber, type GrowingScrubber } from '../../lib/scrub/index.ts';
import type { TextWork } from '../../lib/text-work/index.ts';
import type { GrowingText } from '../../kinds/models.ts';
import { NoToken } from './azure-tokens.ts';
import { type Classified, classifyAnswer, classifyUnreached, classifyUnsent } from './classify.ts';
import { REDACTED, refusesStreams } from './provider-words.ts';
import { readStream, StreamFailed, type StreamReader } from './read-stream.ts';
import { refusesIn, withRefusal } from './refusals.ts';
import { classifyReportedError, classifyUnreadable, errorIn } from './reported-error.ts';
import type { Asked } from './causes.ts';
import { Transport, type Fetch, type TransportObservation } from './transport.ts';

export interface CallPlan {
  client: HttpClient;
  textWork: TextWork;
  clock: Clock;
  /** Milliseconds for the whole call. */
  deadline: number;
  signal: AbortSignal;
  queryParams?: Readonly<Record<string, string>>;
  isCloud: boolean;
  load: (fetch: Fetch) => Promise<LanguageModelV4>;
  options: Omit<LanguageModelV4CallOptions, 'abortSignal'>;
  /** The credentials that the provider is sent. */
  secrets: readonly string[];
  /** False if the model refused to stream before. */
  isStreamed: boolean;
  /** Called if the model refuses to stream, but answers without. */
  onStreamRefused: () => void;
  live?: GrowingText;
}

export type ModelCallEnd =
  | { end: 'answered'; result: LanguageModelV4GenerateResult; credentials: readonly string[] }
  | { end: 'failed'; failure: CallFailure; credentials: readonly string[] }
  | { end: 'cancelled' };

export type CallFailure = Classified | { kind: 'sent_nothing'; why: ReturnType<typeof classifyUnsent>; error: unknown };

const RETRY_WAITS_MS = [2000, 4000];
const LONGEST_ASKED_WAIT_MS = 60_000;
const IDLE_MS = 60_000;

export async function callModel(plan: CallPlan): Promise<ModelCallEnd> {
  const { clock, deadline, signal } = plan;
  const tookMs = stopwatch(clock);
  for (let attempt = 0; ; attempt += 1) {
    const called = await attemptOnce(plan, deadline - tookMs());
    if (called.end !== 'failed' || !('isRetried' in called.failure) || !called.failure.isRetried) return called;
    const planned = RETRY_WAITS_MS[attempt];
    if (planned === undefined) return called;
    const asked = (called.failure.retryAfter ?? Number.POSITIVE_INFINITY) * 1000;
    const wait = asked < LONGEST_ASKED_WAIT_MS ? asked : planned;
    if (tookMs() + wait >= deadline) return called;
    if (!(await waited(clock, wait, signal))) return { end: 'cancelled' };
  }
}

/** @param remaining of the deadline, in milliseconds */
async function attemptOnce(plan: CallPlan, remaining: number): Promise<ModelCallEnd> {
  const { client, textWork, clock, signal, queryParams = {}, isCloud } = plan;
  if (signal.aborted) return { end: 'cancelled' };
  const ended = new AbortController();
  const deadline = startDeadline(clock, remaining, AbortSignal.any([signal, ended.signal]));
  const idle = createIdleTimer(clock, () => ended.abort());
  const transport = new Transport({ client, textWork, deadline: remaining, signal: deadline.signal, queryParams });
  const { seen } = transport;
  try {
    const reader = readerFor(plan, seen, idle.restart);
    const result = await untilAborted(answerOf(plan, transport, reader, deadline.signal), deadline.signal);
    if (result !== undefined) return { end: 'answered', result, credentials: seen.credentials };
    return signal.aborted ? { end: 'cancelled' } : timedOut(idle.isOver());
  } catch (error) {
    if (signal.aborted) return { end: 'cancelled' };
    if (deadline.isOver() || idle.isOver()) return timedOut(idle.isOver());
    const failure = failureOf(error, seen, { isCloud, now: clock.now(), asked: askedOf(plan) });
    return { end: 'failed', failure, credentials: seen.credentials };
  } finally {
    // Ends whatever is still in progress.
    ended.abort();
    deadline.callOff();
    idle.callOff();
  }
}

/** @throws StreamFailed, or what an SDK throws */
async function answerOf(
  { load, options, isStreamed, onStreamRefused }: CallPlan,
  transport: Transport,
  reader: StreamReader,
  abortSignal: AbortSignal,
): Promise<LanguageModelV4GenerateResult> {
  const model = await load(transport.fetch);
  let isRefused = false;
  if (isStreamed) {
    try {
      return await readStream(await model.doStream({ ...options, abortSignal, includeRawChunks: true }), reader);
    } catch (error) {
      const { answer } = transport.seen;
      isRefused = answer?.kind === 'response' && refusesStreams(answer);
      // Some SDKs read ahead and throw an error at the beginning of the stream themselves.
      const isEarly = answer?.kind === 'response' && answer.status < 300 && hasBody(error);
      if (!isRefused && !transport.hasWhole()) throw isEarly ? new StreamFailed(error) : error;
    }
  }
  transport.expectWhole();
  const result = await model.doGenerate({ ...options, abortSignal });
  const error = errorIn(result.response?.body);
  if (error !== undefined) throw new StreamFailed(error);
  if (isRefused) onStreamRefused();
  return withRefusal(result, refusesIn(result.response?.body));
}

function hasBody(error: unknown): boolean {
  return error instanceof Error && 'responseBody' in error && typeof error.responseBody === 'string';
}

/** Passes the text on to `live`, without secrets. */
function readerFor({ live, secrets }: CallPlan, seen: TransportObservation, onToken: () => void): StreamReader {
  live?.begin();
  let scrubber: GrowingScrubber | undefined;
  return {
    onToken,
    onText(text) {
      if (live === undefined) return;
      scrubber ??= createGrowingScrubber([...secrets, ...seen.credentials], REDACTED);
      live.add(scrubber.add(text));
    },
    onEnd: () => live?.add(scrubber?.end() ?? ''),
  };
}

/** Starts with the first token. */
function createIdleTimer(
  clock: Clock,
  onOver: () => void,
): { restart: () => void; isOver: () => boolean; callOff: () => void } {
  let last = 0;
  let isOver = false;
  let callOff: (() => void) | undefined;
  // Not reset for every token: when it fires, it checks when the last one arrived.
  const wait = (): void => {
    callOff = clock.wakeAfter(last + IDLE_MS - clock.elapsed(), () => {
      if (clock.elapsed() < last + IDLE_MS) return wait();
      isOver = true;
      onOver();
    });
  };
  return {
    restart() {
      last = clock.elapsed();
      if (callOff === undefined) wait();
    },
    isOver: () => isOver,
    callOff: () => callOff?.(),
  };
}

function timedOut(isIdle: boolean): ModelCallEnd {
  const hint = `The answer started, but then no token arrived for ${IDLE_MS / 1000} seconds.`;
  return { end: 'failed', failure: { ...TIMED_OUT, ...(isIdle ? { hint } : {}) }, credentials: [] };
}

const TIMED_OUT: Classified = {
  kind: 'timed_out',
  status: null,
  body: { code: undefined, type: undefined, message: undefined },
  isRetried: false,
};

function askedOf({ options: { responseFormat, tools = [] } }: CallPlan): Asked {
  return { json: responseFormat?.type === 'json', tools: tools.length > 0 };
}

function failureOf(
  error: unknown,
  { answer }: TransportObservation,
  { isCloud, now, asked }: { isCloud: boolean; now: number; asked: Asked },
): CallFailure {
  if (error instanceof NoToken) return error.failure;
  if (error instanceof StreamFailed && answer?.kind === 'response') return classifyReportedError(error.reported, asked);
  if (answer?.kind === 'response' && answer.status < 300) return classifyUnreadable(answer, asked);
  if (answer !== undefined) return classifyAnswer(answer, now, asked);
  const unreached = isCloud ? classifyUnreached(error) : undefined;
  if (unreached !== undefined) return unreached;
  return { kind: 'sent_nothing', why: classifyUnsent(error, isCloud), error };
}

/** False when the signal was aborted meanwhile. */
async function waited(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const deadline = startDeadline(clock, milliseconds, signal);
  await untilAborted(new Promise(() => {}), deadline.signal);
  deadline.callOff();
  return deadline.isOver();
}

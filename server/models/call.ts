// One call of a model: its attempts, the waits between them, and the deadline over all of them.
//
// 1. At most three attempts. Another one follows 408, 409, 429, 5xx and a connection that failed, never an answer that
//    cannot be read or a certificate that is not trusted.
// 2. A wait that would end past the deadline is not begun: the failure is told at once.
// 3. Once the caller is gone, or the time is over, nothing is sent any more and nobody waits for what was.
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { Clock } from '../kernel/clock.ts';
import { startDeadline, untilAborted } from '../kernel/deadline.ts';
import type { HttpClient } from '../kernel/http-client/index.ts';
import { NoToken } from './azure-tokens.ts';
import { type Classified, classifyAnswer, classifyUnreached, classifyUnsent } from './classify.ts';
import { createTransport, type Fetch, type Seen } from './transport.ts';

export interface CallPlan {
  client: HttpClient;
  clock: Clock;
  /** When the deadline is over, in milliseconds since 1970. */
  until: number;
  signal: AbortSignal;
  queryParams?: Readonly<Record<string, string>>;
  isCloud: boolean;
  load: (fetch: Fetch) => Promise<LanguageModelV4>;
  options: Omit<LanguageModelV4CallOptions, 'abortSignal'>;
}

export type Called =
  | { end: 'answered'; result: LanguageModelV4GenerateResult }
  | { end: 'failed'; failure: CallFailure; credentials: readonly string[] }
  | { end: 'cancelled' };

export type CallFailure = Classified | { kind: 'sent_nothing'; why: ReturnType<typeof classifyUnsent>; error: unknown };

const RETRY_WAITS_MS = [2000, 4000];
const LONGEST_ASKED_WAIT_MS = 60_000;

export async function callModel(plan: CallPlan): Promise<Called> {
  const { clock, until, signal } = plan;
  for (let attempt = 0; ; attempt += 1) {
    const called = await attemptOnce(plan);
    if (called.end !== 'failed' || !('isRetried' in called.failure) || !called.failure.isRetried) return called;
    const planned = RETRY_WAITS_MS[attempt];
    if (planned === undefined) return called;
    const asked = (called.failure.retryAfter ?? Number.POSITIVE_INFINITY) * 1000;
    const wait = asked < LONGEST_ASKED_WAIT_MS ? asked : planned;
    if (clock.now() + wait >= until) return called;
    if (!(await waited(clock, wait, signal))) return { end: 'cancelled' };
  }
}

async function attemptOnce({
  client,
  clock,
  until,
  signal,
  queryParams,
  isCloud,
  load,
  options,
}: CallPlan): Promise<Called> {
  if (signal.aborted) return { end: 'cancelled' };
  const left = until - clock.now();
  const ended = new AbortController();
  const deadline = startDeadline(clock, left, AbortSignal.any([signal, ended.signal]));
  const { fetch, seen } = createTransport(client, left, deadline.signal, queryParams);
  try {
    const answered = load(fetch).then((model) => model.doGenerate({ ...options, abortSignal: deadline.signal }));
    const result = await untilAborted(answered, deadline.signal);
    if (result !== undefined) return { end: 'answered', result };
    return signal.aborted ? { end: 'cancelled' } : { end: 'failed', failure: TIMED_OUT, credentials: [] };
  } catch (error) {
    if (signal.aborted) return { end: 'cancelled' };
    if (deadline.isOver()) return { end: 'failed', failure: TIMED_OUT, credentials: [] };
    return { end: 'failed', failure: failureOf(error, seen, isCloud, clock.now()), credentials: seen.credentials };
  } finally {
    // Whatever still goes on is nobody's any more.
    ended.abort();
    deadline.callOff();
  }
}

const TIMED_OUT: Classified = {
  kind: 'timed_out',
  status: null,
  body: { code: undefined, type: undefined, message: undefined },
  isRetried: false,
};

function failureOf(error: unknown, { answer }: Seen, isCloud: boolean, now: number): CallFailure {
  if (error instanceof NoToken) return error.failure;
  if (answer !== undefined) return classifyAnswer(answer, now);
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

// The `fetch` of a provider's SDK: it sends requests through the kernel's client and keeps the outcome of the last one, so
// that a failure is classified by the provider's answer and not by what an SDK makes of it.
//
// 1. Redirects are not followed: a key belongs to the address that it is configured for.
// 2. Of a request, only its credentials are kept.
// 3. Of what is larger than 64 KiB, an answer or a line of a stream, the SDK gets only what a worker has found to hold few
//    values. Of an error response, it gets the first 64 KiB.
// 4. If a request for a stream is answered with JSON, that answer is kept and given to the SDK's next request, which is
//    not sent. A page is no answer, and is kept to say so.
// 5. SDKs get streams and answers without what they would fail for (`clean-events.ts`).
import { LARGE_BYTES, textJob, type TextWork } from '../../lib/text-work/index.ts';
import { createEventCleaner, withTextArguments } from './clean-events.ts';
import type { measureAnswer } from './measure-answer.job.ts';
import { isPage } from './provider-words.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { AnswerBroken, type HttpClient, type HttpFailure, type HttpResponse } from '../../lib/http-client/index.ts';

export type Fetch = typeof globalThis.fetch;

/** The outcome of the last request of an attempt. */
export interface TransportObservation {
  /** Undefined: none was sent. The body of a stream is empty here. */
  answer: HttpResponse | HttpFailure | undefined;
  /** What the request showed who calls by: a cloud's own chain gives what no setting holds. */
  credentials: string[];
}

const CREDENTIALS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key', 'x-amz-security-token'];

/** There was no answer. */
class NoAnswer extends Error {}

/** The provider answered a request for a stream with JSON, or with a page. */
class NoStream extends Error {}

/** Each token takes a few hundred bytes on the wire. Streams are not buffered. */
const MOST_STREAMED_BYTES = 64 * 1024 * 1024;
/** Of a whole answer, and of a line of a stream. A long answer is some hundred kilobytes; reasoning may be megabytes. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Values and names of members of a whole answer, and of a line. The main thread and the SDK read so many in some 50 ms. */
const MOST_VALUES = 50_000;
const MEASURE = textJob<typeof measureAnswer>({
  module: new URL('./measure-answer.job.ts', import.meta.url),
  name: 'measureAnswer',
  deadlineMs: 20_000,
});

export interface TransportOptions {
  client: HttpClient;
  /** Measures what is too large for the main thread. */
  textWork: TextWork;
  /** Milliseconds until the head of an answer is there. */
  deadline: number;
  /** Bounds the body as well. */
  signal: AbortSignal;
  queryParams?: Readonly<Record<string, string>>;
}

export class Transport {
  readonly #options: TransportOptions;
  readonly #queryParams: Readonly<Record<string, string>>;
  readonly seen: TransportObservation = { answer: undefined, credentials: [] };
  #whole: HttpResponse | undefined;
  #isStreamed = true;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#queryParams = options.queryParams ?? {};
  }

  readonly fetch: Fetch = async (input, init = {}) =>
    this.#whole === undefined ? this.#send(input, init) : answerOf(this.#whole);

  /** Whether the provider answered a request for a stream with JSON. */
  hasWhole(): boolean {
    return this.#whole !== undefined;
  }

  /** From now on requests are for whole answers. */
  expectWhole(): void {
    this.#isStreamed = false;
  }

  #broken(failure: HttpFailure): NoAnswer {
    this.seen.answer = failure;
    return new NoAnswer(failure.detail);
  }

  /** @throws NoAnswer where it is large and holds too much */
  async #requireReadable(bytes: Uint8Array): Promise<void> {
    if (bytes.length <= LARGE_BYTES) return;
    const measured = await this.#options.textWork.run(MEASURE, bytes).catch(() => 'busy');
    if (typeof measured === 'object' && measured.values <= MOST_VALUES) return;
    const detail =
      typeof measured === 'object'
        ? `The answer has more than ${MOST_VALUES} values.`
        : 'The response takes too long to read.';
    throw this.#broken({ kind: 'failed', because: 'too_large', detail });
  }

  /** Holds back a line until it is complete. */
  async *#readableLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const cleaner = createEventCleaner();
    let held: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      const end = lineEndIn(chunk);
      held.push(end === 0 ? chunk : chunk.subarray(0, end));
      bytes += end === 0 ? chunk.length : end;
      if (bytes > MOST_BYTES) throw this.#broken(TOO_LARGE);
      if (end === 0) continue;
      const lines = Buffer.concat(held);
      await this.#requireReadable(lines);
      yield* cleaned(lines, cleaner.clean);
      held = [chunk.subarray(end)];
      bytes = chunk.length - end;
    }
    const rest = Buffer.concat(held);
    await this.#requireReadable(rest);
    if (rest.length > 0) yield* cleaned(Buffer.concat([rest, Buffer.from('\n')]), cleaner.clean);
    yield Buffer.from(cleaner.end());
  }

  async *#watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw error instanceof AnswerBroken ? this.#broken(error.failure) : error;
    }
  }

  async #send(input: Parameters<Fetch>[0], init: RequestInit): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    for (const [name, value] of Object.entries(this.#queryParams)) url.searchParams.set(name, value);
    const headers = headersOf(init.headers);
    this.seen.credentials = CREDENTIALS.flatMap((name) => headers[name] ?? []);
    const request = {
      method: init.method ?? 'GET',
      url,
      headers,
      ...(init.body === undefined || init.body === null ? {} : { body: bodyOf(init.body) }),
    };
    if (!this.#isStreamed) {
      const answer = await this.#options.client.send(request, {
        deadline: this.#options.deadline,
        maxBytes: MOST_BYTES,
        signal: this.#options.signal,
      });
      if (answer.kind === 'failed') throw this.#broken(answer);
      return this.#wholeOf((this.seen.answer = readablePart(answer)));
    }
    // Compression may delay tokens.
    const opened = await this.#options.client.open(
      { ...request, headers: { 'accept-encoding': 'identity', ...headers } },
      { deadline: this.#options.deadline, maxBytes: MOST_STREAMED_BYTES, signal: this.#options.signal },
    );
    if (opened.kind === 'failed') throw this.#broken(opened);
    const [first, body] = await begun(this.#watched(opened.body));
    const text = first.toString('latin1');
    if (opened.status < 300 && !isJson(text) && !isPage(text)) {
      const lines = isBinary(opened.headers) ? body : this.#readableLines(body);
      return responseOf((this.seen.answer = { ...opened, body: new Uint8Array() }), ReadableStream.from(lines));
    }
    const answer = readablePart({ ...opened, body: await collected(body, (failure) => this.#broken(failure)) });
    this.seen.answer = answer;
    if (opened.status >= 300) return responseOf(answer, answer.body);
    if (isPage(text)) throw new NoStream('The response is a page.');
    await this.#requireReadable(answer.body);
    this.#whole = answer;
    throw new NoStream('The provider does not stream.');
  }

  async #wholeOf(answer: HttpResponse): Promise<Response> {
    if (answer.status >= 300) return responseOf(answer, answer.body);
    await this.#requireReadable(answer.body);
    return answerOf(answer);
  }
}

/** The beginning of a body up to the first chunk that is not blank, and the whole body again. */
async function begun(body: AsyncGenerator<Uint8Array>): Promise<[first: Buffer, body: AsyncGenerator<Uint8Array>]> {
  const read: Uint8Array[] = [];
  let next = await body.next();
  while (next.done !== true) {
    read.push(next.value);
    if (!/^\s*$/.test(Buffer.from(next.value).toString('latin1'))) break;
    // oxlint-disable-next-line no-await-in-loop -- chunks come one after the other
    next = await body.next();
  }
  async function* again(): AsyncGenerator<Uint8Array> {
    yield* read;
    yield* body;
  }
  return [Buffer.concat(read), again()];
}

/** However small an event is, an SDK takes its time for it. */
const PART_BYTES = 1024;

/** Whole lines, few enough at once that everything else has its turn between them. */
async function* inParts(lines: Uint8Array): AsyncGenerator<Uint8Array> {
  const turn = createYielder();
  for (let from = 0; from < lines.length; ) {
    // oxlint-disable-next-line no-await-in-loop -- parts are read one after the other
    await turn();
    const end = lines.indexOf(LINE_END, from + PART_BYTES) + 1;
    const to = end === 0 ? lines.length : end;
    yield lines.subarray(from, to);
    from = to;
  }
}

const TOO_LARGE: HttpFailure = { kind: 'failed', because: 'too_large', detail: 'The response is larger than 4 MiB.' };
const LINE_END = 0x0a;
const RETURN = 0x0d;

/** Where the last line of a chunk ends. A carriage return at its end may be the first half of a line's end. */
function lineEndIn(chunk: Uint8Array): number {
  const last = chunk.length - 1;
  return Math.max(chunk.lastIndexOf(LINE_END), chunk.subarray(0, Math.max(last, 0)).lastIndexOf(RETURN)) + 1;
}

async function* cleaned(lines: Uint8Array, clean: (lines: string) => string): AsyncGenerator<Uint8Array> {
  for await (const part of inParts(lines)) yield Buffer.from(clean(Buffer.from(part).toString('utf8')));
}

/** AWS frames its events in bytes. */
function isBinary(headers: HttpResponse['headers']): boolean {
  return headers['content-type']?.toLowerCase().startsWith('application/vnd.amazon.eventstream') === true;
}

/** The message of an error response is at its beginning. */
function readablePart(answer: HttpResponse): HttpResponse {
  return answer.status < 300 ? answer : { ...answer, body: answer.body.subarray(0, LARGE_BYTES) };
}

/** Neither server-sent events nor AWS event streams begin like this. */
function isJson(first: string): boolean {
  return /^\s*[[{]/.test(first);
}

async function collected(
  body: AsyncIterable<Uint8Array>,
  broken: (failure: HttpFailure) => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MOST_BYTES) throw broken(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function responseOf({ status, headers }: HttpResponse, body: Uint8Array | ReadableStream): Response {
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? (body as Uint8Array<ArrayBuffer> | ReadableStream) : null, {
    status,
    headers: plainHeaders(headers),
  });
}

/** An answer of a model, for its SDK. */
function answerOf(answer: HttpResponse): Response {
  const text = Buffer.from(answer.body).toString('utf8');
  const changed = withTextArguments(text, true);
  return responseOf(answer, changed === text ? answer.body : Buffer.from(changed));
}

/** The body is unpacked by now. */
function plainHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers).filter(([name]) => !['content-encoding', 'content-length'].includes(name));
}

function headersOf(given: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(given));
}

/** SDKs send texts, and signed requests bytes. */
function bodyOf(body: NonNullable<RequestInit['body']>): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new Error('A provider sends a body that is neither a text nor bytes.');
}

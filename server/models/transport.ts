// What a provider's SDK is given as `fetch`: one request over the kernel's client, and what came of it kept beside, so
// that a failure is told by what the provider answered and not by what an SDK makes of it.
//
// 1. No redirect is followed: keys stay with the address that they were given for.
// 2. Nothing of a request is kept.
import type { HttpClient, HttpFailure, HttpResponse } from '../kernel/http-client/index.ts';

export type Fetch = typeof globalThis.fetch;

/** What came of the last request of an attempt; undefined: none was sent. */
export interface Seen {
  answer: HttpResponse | HttpFailure | undefined;
  /** What the request showed who calls by: a cloud's own chain gives what no setting holds. */
  credentials: string[];
}

const CREDENTIALS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key', 'x-amz-security-token'];

/** There was no answer. */
class NoAnswer extends Error {}

/** A long answer of a model is some hundred kilobytes; what it thinks aloud may be a few megabytes. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface Transport {
  fetch: Fetch;
  seen: Seen;
}

/** @param milliseconds how long a request may take */
export function createTransport(
  client: HttpClient,
  milliseconds: number,
  signal: AbortSignal,
  queryParams: Readonly<Record<string, string>> = {},
): Transport {
  const seen: Seen = { answer: undefined, credentials: [] };
  const fetch: Fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    for (const [name, value] of Object.entries(queryParams)) url.searchParams.set(name, value);
    const headers = headersOf(init.headers);
    seen.credentials = CREDENTIALS.flatMap((name) => headers[name] ?? []);
    const answer = await client.send(
      {
        method: init.method ?? 'GET',
        url,
        headers,
        ...(init.body === undefined || init.body === null ? {} : { body: bodyOf(init.body) }),
      },
      { deadline: milliseconds, maxBytes: MOST_BYTES, signal },
    );
    seen.answer = answer;
    if (answer.kind === 'failed') throw new NoAnswer(answer.detail);
    const hasBody = answer.status !== 204 && answer.status !== 205 && answer.status !== 304;
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: plainHeaders(answer.headers),
    });
  };
  return { fetch, seen };
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

// What the MCP client sends its requests with.
//
// 1. No redirect is followed: where the entry's credential goes is the entry's to say.
// 2. All answers of one session together have at most 4 MiB, unpacked. What is past it ends the session.
// 3. What went wrong is kept here: the client wraps errors in words that may hold addresses and bodies.
// 4. The standing stream of older revisions is not opened: nothing that servers send by themselves is waited for. A
//    stream that broke off is taken up again by its last event, which sends nothing twice.
import type { FetchLike } from '@modelcontextprotocol/client';
import { faultOf, type HttpFault } from '../http-fault.ts';
import { MOST_RESULT_BYTES } from '../server.ts';

export interface Observed {
  /** Why the last exchange that failed did so. */
  fault: HttpFault | undefined;
  isTooLarge: boolean;
  /** Headers of the last answer. */
  headers: Headers | undefined;
}

const MOST_BYTES = MOST_RESULT_BYTES + 64 * 1024;

export function createHttpFetch(): { fetch: FetchLike; observed: Observed } {
  const observed: Observed = { fault: undefined, isTooLarge: false, headers: undefined };
  let left = MOST_BYTES;

  function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    return body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength;
          if (left >= 0) return controller.enqueue(chunk);
          observed.isTooLarge = true;
          controller.error(new Error('The answer is too large.'));
        },
      }),
    );
  }

  const send: FetchLike = async (url, init) => {
    const headers = new Headers(init?.headers);
    if (init?.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
    let response: Response;
    try {
      response = await fetch(url, { ...init, redirect: 'manual' });
    } catch (error) {
      if (init?.signal?.aborted !== true) observed.fault = { because: 'unreachable', detail: unreachableWords(error) };
      throw error;
    }
    observed.fault = faultOf(response.status);
    observed.headers = response.headers;
    const { status, statusText } = response;
    const body = response.body === null ? null : bounded(response.body);
    return new Response(body, { status, statusText, headers: response.headers });
  };
  return { fetch: send, observed };
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Its name was not found.',
  EAI_AGAIN: 'Its name could not be looked up now.',
  ECONNREFUSED: 'It refused the connection.',
  UND_ERR_CONNECT_TIMEOUT: 'It did not take the connection in time.',
};

/** Without the error's own words, which hold addresses. */
function unreachableWords(error: unknown): string {
  const code = String((error as { cause?: { code?: unknown } }).cause?.code);
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code)) return 'Its certificate is not trusted.';
  return WORDS[code] ?? 'No connection to it came about, or it broke off.';
}

// What the MCP client sends its requests with.
//
// 1. No redirect is followed: where the entry's credential goes is the entry's to say.
// 2. All answers of one session together have at most 4 MiB. What is past it ends the session.
// 3. What went wrong is kept here: the client wraps errors in words that may hold addresses and bodies.
// 4. The standing stream of older revisions is not opened: nothing that servers send by themselves is waited for. A
//    stream that broke off is taken up again by its last event, which sends nothing twice.
import type { FetchLike } from '@modelcontextprotocol/client';
import { type AllowAddress, createFetch, FetchFailed } from '../../kernel/http-client/index.ts';
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

export interface HttpFetch {
  fetch: FetchLike;
  observed: Observed;
  /** Ends the session's connections. */
  close: () => void;
}

/** @param allowAddress default: every address */
export function createHttpFetch(allowAddress?: AllowAddress): HttpFetch {
  const sending = createFetch(allowAddress === undefined ? {} : { allowAddress });
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
      response = await sending.fetch(url, init);
    } catch (error) {
      if (error instanceof FetchFailed) observed.fault = faultOfFailure(error);
      throw error;
    }
    observed.fault = faultOf(response.status);
    observed.headers = response.headers;
    const { status } = response;
    const body = response.body === null ? null : bounded(response.body);
    return new Response(body, { status, headers: response.headers });
  };
  return { fetch: send, observed, close: sending.close };
}

function faultOfFailure({ failure: { because, detail } }: FetchFailed): HttpFault {
  return { because: because === 'unreachable' ? 'unreachable' : 'failing', detail };
}

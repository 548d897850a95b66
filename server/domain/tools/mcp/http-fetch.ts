// What the MCP client sends its requests with.
//
// 1. No redirect is followed: where the entry's credential goes is the entry's to say.
// 2. All answers of one session together have at most 4 MiB. What is past it ends the session, and so does a flood of
//    events, or a list of messages in place of one.
// 3. What went wrong is kept here: the client wraps errors in words that may hold addresses and bodies.
// 4. The standing stream of older revisions is not opened: nothing that servers send by themselves is waited for. A
//    stream that broke off is taken up again by its last event, which sends nothing twice.
import type { FetchLike } from '@modelcontextprotocol/client';
import { type AllowAddress, createFetch, FetchFailed } from '../../../lib/http-client/index.ts';
import { LARGE_BYTES } from '../../../lib/text-work/index.ts';
import { faultOf, type HttpFault } from '../http-fault.ts';
import { MOST_RESULT_BYTES } from '../server.ts';
import { createEventCounter, shrinkLargeEvents } from './large-events.ts';
import type { LargeMessages } from './large-messages.ts';
import type { MessageRate } from './message-rate.ts';

export interface Observed {
  /** Why the last exchange that failed did so. */
  fault: HttpFault | undefined;
  isTooLarge: boolean;
  isFlooding: boolean;
  /** Headers of the last answer. */
  headers: Headers | undefined;
}

const JSON_SPACES: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
const LIST_BEGINS = 0x5b;
const MOST_BYTES = MOST_RESULT_BYTES + 64 * 1024;

export interface HttpFetch {
  fetch: FetchLike;
  observed: Observed;
  /** Ends the session's connections. */
  close: () => void;
}

const A_LIST: HttpFault = {
  because: 'failing',
  detail: 'It responded with a list of messages to a single request.',
};

export interface HttpFetchOptions {
  /** Of what the server sends, over all its sessions. */
  rate: MessageRate;
  largeMessages: LargeMessages;
  /** Whether the requests show who calls. */
  sendsCredential: boolean;
  /** Default: every address. */
  allowAddress?: AllowAddress | undefined;
}

export function createHttpFetch({ rate, largeMessages, sendsCredential, allowAddress }: HttpFetchOptions): HttpFetch {
  const sending = createFetch(allowAddress === undefined ? {} : { allowAddress });
  const observed: Observed = { fault: undefined, isTooLarge: false, isFlooding: false, headers: undefined };
  let remaining = MOST_BYTES;

  /** Whether the next bytes of an answer are read. */
  function takes(chunk: Uint8Array, looks: (chunk: Uint8Array) => boolean): boolean {
    remaining -= chunk.byteLength;
    observed.isTooLarge ||= remaining < 0;
    return !observed.isTooLarge && !observed.isFlooding && looks(chunk);
  }

  /** Whether a stream of events is read on; each event is a message. */
  function looksAtEvents(): (chunk: Uint8Array) => boolean {
    const count = createEventCounter();
    return (chunk) => {
      for (let events = count(chunk); events > 0; events -= 1) observed.isFlooding ||= !rate.allows(0);
      return !observed.isFlooding;
    };
  }

  /** Whether JSON is read on: the client would take every message of a list at once. */
  function looksAtJson(): (chunk: Uint8Array) => boolean {
    let isBegun = false;
    return (chunk) => {
      const first = isBegun ? undefined : chunk.find((byte) => !JSON_SPACES.has(byte));
      isBegun ||= first !== undefined;
      if (first !== LIST_BEGINS) return true;
      observed.fault = A_LIST;
      return false;
    };
  }

  function bounded(body: ReadableStream<Uint8Array>, looks: (chunk: Uint8Array) => boolean): typeof body {
    const transforming = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (takes(chunk, looks)) controller.enqueue(chunk);
        else controller.error(new Error('The answer is not read on.'));
      },
    });
    return body.pipeThrough(transforming);
  }

  async function readable({ body, headers, ok }: Response): Promise<string | ReadableStream<Uint8Array> | null> {
    if (body === null) return null;
    const type = headers.get('content-type')?.toLowerCase() ?? '';
    if (type.includes('text/event-stream')) {
      return bounded(body, looksAtEvents()).pipeThrough(shrinkLargeEvents(largeMessages));
    }
    if (!ok) return bounded(body, () => true).pipeThrough(beginning());
    const text = await new Response(bounded(body, looksAtJson())).text();
    return largeMessages.isLarge(text.length) ? ((await largeMessages.shrink(text)) ?? '') : text;
  }

  const send: FetchLike = async (url, init) => {
    if (observed.isFlooding) throw new Error('The server is not listened to any more.');
    const headers = new Headers(init?.headers);
    if (init?.method === 'GET' && !headers.has('last-event-id')) return new Response(null, { status: 405 });
    let response: Response;
    try {
      response = await sending.fetch(url, init);
    } catch (error) {
      if (error instanceof FetchFailed) observed.fault = faultOfFailure(error);
      throw error;
    }
    const challenge = response.headers.get('www-authenticate');
    observed.fault = faultOf(response.status, { sendsCredential, challenge });
    observed.headers = response.headers;
    const { status } = response;
    return new Response(await readable(response), { status, headers: response.headers });
  };
  return { fetch: send, observed, close: sending.close };
}

/** The beginning of a refusal: the client puts all of what it reads into its error. */
function beginning(): TransformStream<Uint8Array, Uint8Array> {
  let room = LARGE_BYTES;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, room));
      room -= chunk.byteLength;
      if (room <= 0) controller.terminate();
    },
  });
}

function faultOfFailure({ failure: { because, detail } }: FetchFailed): HttpFault {
  return { because: because === 'unreachable' ? 'unreachable' : 'failing', detail };
}

// What the client takes and answers.

export interface HttpRequest {
  method: string;
  /** Absolute, http or https, without userinfo; a fragment is not sent. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
}

/**
 * With these, a request could reach another host at the same address, or leave bytes on a kept connection that the server
 * reads as part of the next request, which may be another caller's.
 */
const SET_BY_CLIENT = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether only the client may set a header; it refuses requests that have one. */
export function isSetByClient(header: string): boolean {
  return SET_BY_CLIENT.includes(header.toLowerCase());
}

export interface SendOptions {
  /** Milliseconds for the whole exchange, from the look-up of the name to the last byte; 30 seconds by default. */
  deadline?: number;
  /** The most bytes that the answer's body may have, packed and unpacked; 4 MiB by default. */
  maxBytes?: number;
  signal?: AbortSignal;
}

/**
 * Why there is no answer:
 * - `unreachable`: there was no connection, so that nothing was sent;
 * - `unreadable`: a connection was there, but the answer was incomplete, or not HTTP;
 * - `timed_out`, `too_large`, `cancelled`: as they say. The server may have done what it was asked.
 */
export type FailureCause = 'unreachable' | 'timed_out' | 'too_large' | 'cancelled' | 'unreadable';

export interface HttpResponse {
  kind: 'response';
  status: number;
  /** By lower-case name, several of one name joined with `, `; as they were sent, although the body is unpacked. */
  headers: Record<string, string>;
  body: Uint8Array;
}

/** An answer whose body is still coming. */
export interface HttpStream {
  kind: 'response';
  status: number;
  headers: Record<string, string>;
  /** Unpacked. Throws AnswerBroken; ending the iteration early ends the connection. */
  body: AsyncIterable<Uint8Array>;
}

export interface OpenOptions extends SendOptions {
  /** Milliseconds until the head of the answer is there; the signal alone bounds the body. 30 seconds by default. */
  deadline?: number;
}

export interface HttpFailure {
  kind: 'failed';
  because: FailureCause;
  /** A sentence without any address, header or body. */
  detail: string;
  /** The server was there, and its certificate is not trusted. */
  isUntrusted?: true;
}

export type HttpAnswer = HttpResponse | HttpFailure;

/** The body of an answer ended before it was whole. */
export class AnswerBroken extends Error {
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.detail);
    this.name = 'AnswerBroken';
    this.failure = failure;
  }
}

/** The methods that may be sent again when it is unknown whether they arrived. */
export function isRepeatable(method: string): boolean {
  const name = method.toUpperCase();
  return name === 'GET' || name === 'HEAD';
}

export function failed(because: FailureCause, detail: string): HttpFailure {
  return { kind: 'failed', because, detail };
}

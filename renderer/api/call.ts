// Sends the studio's requests to the service.
import {
  type Answer,
  type AnsweringOperation,
  type Input,
  type OperationName,
  type Problem,
  readEventStream,
  requestOf,
  type StreamedEvent,
  type StreamingOperation,
} from '../../shared/api/index.ts';
import { ProblemError, UnreachableError } from './problem-error.ts';

/** Calls an operation. @throws ProblemError, UnreachableError, or the reason if `signal` is aborted */
export async function call<Name extends AnsweringOperation>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const response = await respond(name, input, signal);
  return (await response.json()) as Answer<Name>;
}

/** Calls a streaming operation; resolves when the stream is open. @throws as `call` */
export async function openStream<Name extends StreamingOperation>(
  name: Name,
  input: Input<Name>,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamedEvent<Name>>> {
  return eventsIn(await respond(name, input, signal));
}

/** The `data` of each server-sent event in a response. */
export async function* eventsIn<Data>({ body }: Response): AsyncGenerator<Data> {
  if (body !== null) yield* readEventStream<Data>(body.pipeThrough(new TextDecoderStream()));
}

/** A successful response. @throws as `call` */
export async function request(address: string, init: RequestInit): Promise<Response> {
  const isRead = init.method === undefined || init.method === 'GET';
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new UnreachableError(isRead);
  }
  if (response.ok) return response;
  const isProblem = response.headers.get('content-type')?.includes('application/problem+json') === true;
  // Any other error came from a proxy in front of the service.
  if (!isProblem) throw new UnreachableError(isRead);
  throw new ProblemError((await response.json()) as Problem);
}

function respond<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Response> {
  const { method, path, body } = requestOf(name, input);
  return request(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A command under an id that the studio gives it, so that the service carries it out only once. */
export interface Submission<Body> {
  id: string;
  body: Body;
}

/**
 * What to send now. If the response to the same body was lost, it is sent under the same id: the service may have
 * received it already.
 */
export function nextSubmission<Body>(
  last: { error: unknown; variables: Submission<Body> | undefined },
  body: Body,
): Submission<Body> {
  const { error, variables: sent } = last;
  const isRepeated =
    error instanceof UnreachableError && sent !== undefined && JSON.stringify(sent.body) === JSON.stringify(body);
  return isRepeated ? sent : { id: crypto.randomUUID(), body };
}

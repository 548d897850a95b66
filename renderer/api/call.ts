// Sends the studio's requests to the service.
import {
  type Answer,
  type AnsweringOperation,
  type Input,
  type OperationName,
  readEventStream,
  requestOf,
  type StreamedEvent,
  type StreamingOperation,
} from '../../shared/api/index.ts';
import { session } from './session/session.ts';
import { UnreachableError } from './problem-error.ts';
import { isRead, send } from './send.ts';

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

type PlainRequest = Omit<RequestInit, 'headers'> & { headers?: Readonly<Record<string, string>> };

/**
 * A successful response. After a refusal of the credential, the request is repeated with the next one.
 * @param isCommand whether the person sent it @throws as `call`
 */
export function request(address: string, init: PlainRequest, isCommand = !isRead(init)): Promise<Response> {
  return session.withCredential((headers) => send(address, { ...init, headers: { ...init.headers, ...headers } }), {
    isCommand,
    signal: init.signal ?? undefined,
  });
}

function respond<Name extends OperationName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Response> {
  const { method, path, body } = requestOf(name, input, session.org());
  const init = {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(signal === undefined ? {} : { signal }),
  };
  // Documents are checked by themselves while the person types.
  return request(path, init, !isRead(init) && name !== 'check_definition');
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

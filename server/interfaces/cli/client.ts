// The client of the HTTP API that the commands use.
import {
  type Answer,
  type AnsweringOperation,
  type Input,
  type OperationName,
  readEventStream,
  requestOf,
  type StreamedEvent,
  type StreamingOperation,
  type Uploaded,
  type UploadingOperation,
  uploadRequestOf,
} from '../../../shared/api/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import type { Credential } from './credential.ts';
import { refusedKeyWords } from './refused-key.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { problemWords } from './output.ts';

/** An error response of the service, with its problem document. */
export class ServiceRefusal extends CommandFailure {
  readonly problem: JsonObject;

  /** @param words the message for people */
  constructor(problem: JsonObject, words = problemWords(problem)) {
    super(words, EXIT.failed, problem);
    this.name = 'ServiceRefusal';
    this.problem = problem;
  }
}

export interface Client {
  /** The runtime's origin. */
  address: string;
  /** The org of calls that name none: that of the key. @throws ServiceRefusal */
  org(): Promise<string>;
  /** Calls an operation. @throws ServiceRefusal */
  call<Name extends AnsweringOperation>(name: Name, input: Input<Name>): Promise<Answer<Name>>;
  /** Uploads a file. @throws ServiceRefusal */
  upload<Name extends UploadingOperation>(name: Name, input: Input<Name>, file: Blob): Promise<Uploaded<Name>>;
  /**
   * Resolves once a stream of server-sent events has started; the stream yields the data of each event. It ends when
   * `signal` is aborted, when the service ends it, or when the connection breaks. @throws ServiceRefusal
   */
  follow<Name extends StreamingOperation>(
    name: Name,
    input: Input<Name>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StreamedEvent<Name>>>;
}

/** @param credential for a published server */
export function createClient(address: string, credential: Credential | undefined): Client {
  let ownOrg: Promise<string> | undefined;

  /** Asked of the server once, and only with a credential: without one, nothing but local mode works. */
  function org(): Promise<string> {
    ownOrg ??= findOrg();
    return ownOrg;
  }

  async function findOrg(): Promise<string> {
    if ((await credential?.()) === undefined) return LOCAL_ORG;
    const { method, path } = requestOf('get_caller', {});
    const { org: own } = (await read(await send(path, { method }))) as unknown as Answer<'get_caller'>;
    return own;
  }

  const orgOf = async (input: { org?: unknown }): Promise<string> =>
    input.org === undefined ? await org() : LOCAL_ORG;

  async function respond<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { method, path, body } = requestOf(name, input, await orgOf(input));
    return send(path, {
      method,
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  }

  async function send(
    path: string,
    request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> {
    const presented = await credential?.();
    const authorization = presented === undefined ? {} : { authorization: `Bearer ${presented}` };
    const headers = { ...request.headers, ...authorization };
    const response = await fetch(`${address}${path}`, { ...request, headers, redirect: 'manual' }).catch(
      (error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
        throw new CommandFailure(`Cannot reach the service at ${address}${cause}.`, EXIT.failed);
      },
    );
    refuseRedirect(response);
    return response;
  }

  /** The service never redirects. Another server could send a command to one that trusts this machine. */
  function refuseRedirect({ status, headers }: Response): void {
    const location = headers.get('location');
    if (location === null || status < 300 || status > 399) return;
    const target = URL.parse(location, address)?.origin ?? 'an invalid address';
    const words = `The service at ${address} redirects to ${target}, and commands do not follow. Check the address, and name that of the service with --server.`;
    throw new CommandFailure(words, EXIT.failed);
  }

  async function read(response: Response): Promise<JsonObject> {
    const answer = (await response.json().catch(() => undefined)) as Json | undefined;
    if (!isJsonObject(answer)) {
      throw new CommandFailure(
        `The service at ${address} returned status ${response.status} without JSON.`,
        EXIT.failed,
      );
    }
    if (!response.ok)
      throw new ServiceRefusal(
        answer,
        refusedKeyWords(answer, { server: address, challenge: response.headers.get('www-authenticate') }),
      );
    return answer;
  }

  return {
    address,
    org,
    // Only that the response is a JSON object is checked; its type comes from the OpenAPI document.
    call: async <Name extends AnsweringOperation>(name: Name, input: Input<Name>) =>
      (await read(await respond(name, input))) as unknown as Answer<Name>,
    async upload<Name extends UploadingOperation>(name: Name, input: Input<Name>, file: Blob) {
      const { path, method, headers } = uploadRequestOf(name, input, await orgOf(input));
      return (await read(
        await send(path, { method, headers: { ...headers }, body: file }),
      )) as unknown as Uploaded<Name>;
    },
    async follow<Name extends StreamingOperation>(name: Name, input: Input<Name>, signal: AbortSignal) {
      const response = await respond(name, input, signal);
      if (!response.ok) await read(response);
      const bytes = response.body ?? new Blob([]).stream();
      return untilBroken(readEventStream<StreamedEvent<Name>>(bytes.pipeThrough(new TextDecoderStream())));
    },
  };
}

async function* untilBroken<Followed>(events: AsyncIterable<Followed>): AsyncGenerator<Followed> {
  try {
    yield* events;
  } catch {
    // The stream just ends; the caller's next request shows whether the service still responds.
  }
}

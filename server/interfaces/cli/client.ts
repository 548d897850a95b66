// The client of the HTTP API that the commands use.
import {
  type Answer,
  type AnsweringOperation,
  type CallerInfo,
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
import { type Credential, presentedAs } from './credential.ts';
import { CommandFailure, EXIT, failed } from './failure.ts';
import { problemWords } from './output.ts';
import { refusedWords } from './refused-credential.ts';

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

/** A playbook; without an org, of that of the credential. */
export interface NamedPlaybook {
  org?: string | undefined;
  playbook: string;
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
  let known: Promise<CallerInfo> | undefined;

  /** The caller that the credential belongs to. The server is asked once. */
  function caller(): Promise<CallerInfo> {
    const { method, path } = requestOf('get_caller', {});
    known ??= send(path, { method }).then(async (response) => (await read(response)) as unknown as CallerInfo);
    return known;
  }

  /** The server is asked only with a credential: without one, only local mode is usable. */
  async function org(): Promise<string> {
    return (await credential?.()) === undefined ? LOCAL_ORG : (await caller()).org;
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
        throw failed(`Cannot reach the service at ${address}${cause}.`);
      },
    );
    refuseRedirect(address, response);
    return response;
  }

  /** @param named the org that the command names */
  async function read(response: Response, named?: string): Promise<JsonObject> {
    const answer = (await response.json().catch(() => undefined)) as Json | undefined;
    if (!isJsonObject(answer)) {
      throw failed(`The service at ${address} returned status ${response.status} without JSON.`);
    }
    if (!response.ok) throw await refusal(answer, response, named);
    return answer;
  }

  async function refusal(
    problem: JsonObject,
    { status, headers }: Response,
    named: string | undefined,
  ): Promise<ServiceRefusal> {
    if (status !== 401 && status !== 403) return new ServiceRefusal(problem);
    const words = refusedWords(problem, {
      server: address,
      presented: presentedAs(await credential?.()),
      challenge: headers.get('www-authenticate'),
      org: named,
      caller: status === 403 ? await caller().catch(() => undefined) : undefined,
    });
    return new ServiceRefusal(problem, words);
  }

  return {
    address,
    org,
    // Checks only that the response is a JSON object; its type comes from the OpenAPI document.
    call: async <Name extends AnsweringOperation>(name: Name, input: Input<Name>) =>
      (await read(await respond(name, input), namedIn(input))) as unknown as Answer<Name>,
    async upload<Name extends UploadingOperation>(name: Name, input: Input<Name>, file: Blob) {
      const { path, method, headers } = uploadRequestOf(name, input, await orgOf(input));
      return (await read(
        await send(path, { method, headers: { ...headers }, body: file }),
        namedIn(input),
      )) as unknown as Uploaded<Name>;
    },
    async follow<Name extends StreamingOperation>(name: Name, input: Input<Name>, signal: AbortSignal) {
      const response = await respond(name, input, signal);
      if (!response.ok) await read(response, namedIn(input));
      const bytes = response.body ?? new Blob([]).stream();
      return untilBroken(readEventStream<StreamedEvent<Name>>(bytes.pipeThrough(new TextDecoderStream())));
    },
  };
}

/** The service never redirects. Another server could send a command to one that trusts this machine. */
function refuseRedirect(address: string, { status, headers }: Response): void {
  const location = headers.get('location');
  if (location === null || status < 300 || status > 399) return;
  const target = URL.parse(location, address)?.origin ?? 'an invalid address';
  const words = `The service at ${address} redirects to ${target}, and commands do not follow. Check the address, and name that of the service with --server.`;
  throw failed(words);
}

/** The org that an operation's input names. */
function namedIn({ org }: { org?: unknown }): string | undefined {
  return typeof org === 'string' ? org : undefined;
}

/** The items of every page of a list. */
export async function everyPage<Page extends { next_cursor?: string | null }, Item>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: 100, cursor });
    items.push(...itemsOf(page));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

async function* untilBroken<Followed>(events: AsyncIterable<Followed>): AsyncGenerator<Followed> {
  try {
    yield* events;
  } catch {
    // The stream just ends; the caller's next request shows whether the service still responds.
  }
}

// The typed client of the HTTP API, published as `cuebook/client`. It runs wherever there is a `fetch`: Node, browsers, workers.
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
  type Uploaded,
  type UploadingOperation,
  uploadRequestOf,
} from '../../shared/api/index.ts';

export type {
  Answer,
  AnsweringOperation,
  Definition,
  EventRecord,
  Input,
  InteractionRequest,
  Playbook,
  Problem,
  Run,
  RunWithRecord,
  StreamedEvent,
  StreamingOperation,
  Uploaded,
  UploadingOperation,
} from '../../shared/api/index.ts';

export interface ClientOptions {
  /** The server's address, for example `http://127.0.0.1:4747`. */
  address: string;
  /** An API key or access token, for a published server; a function is called before each request. */
  key?: string | (() => string | Promise<string>) | undefined;
  /** The org of calls that name none; `local` when absent. */
  org?: string;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface CuebookClient {
  /** Calls an operation. Path parameters and fields are one object. @throws CuebookError, or what `fetch` throws */
  call<Name extends AnsweringOperation>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Answer<Name>>;
  /** Uploads a file. @throws as `call` */
  upload<Name extends UploadingOperation>(name: Name, input: Input<Name>, file: Blob): Promise<Uploaded<Name>>;
  /** Opens a stream of server-sent events, and yields their data. Abort `signal` to end it. @throws as `call` */
  follow<Name extends StreamingOperation>(
    name: Name,
    input: Input<Name>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StreamedEvent<Name>>>;
}

/** The server refused a call, or the run ended without an output. */
export class CuebookError extends Error {
  /** The problem document (RFC 9457): `reason` and `kind` say what happened, `errors` which fields are wrong. */
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'CuebookError';
    this.problem = problem;
  }
}

export function createClient({ address, key, org, fetch: send = fetch }: ClientOptions): CuebookClient {
  const origin = address.replace(/\/+$/, '');

  async function respond(path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Response> {
    const presented = typeof key === 'function' ? await key() : key;
    const authorization = presented === undefined ? {} : { authorization: `Bearer ${presented}` };
    // The server never redirects; a key must not follow one to another server.
    const response = await send(`${origin}${path}`, {
      ...init,
      headers: { ...headers, ...authorization },
      redirect: 'error',
    });
    if (response.ok) return response;
    throw new CuebookError(await problemOf(response, origin));
  }

  function operate<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { method, path, body } = requestOf(name, input, org);
    const init = { method, ...(signal === undefined ? {} : { signal }) };
    if (body === undefined) return respond(path, init);
    return respond(path, { ...init, body: JSON.stringify(body) }, { 'content-type': 'application/json' });
  }

  return {
    call: async <Name extends AnsweringOperation>(name: Name, input: Input<Name>, signal?: AbortSignal) =>
      (await (await operate(name, input, signal)).json()) as Answer<Name>,
    async upload<Name extends UploadingOperation>(name: Name, input: Input<Name>, file: Blob) {
      const { method, path, headers } = uploadRequestOf(name, input, org);
      return (await (await respond(path, { method, body: file }, headers)).json()) as Uploaded<Name>;
    },
    async follow<Name extends StreamingOperation>(name: Name, input: Input<Name>, signal: AbortSignal) {
      const { body } = await operate(name, input, signal);
      return readEventStream<StreamedEvent<Name>>((body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream()));
    },
  };
}

/** The problem document of a response; of one from something else than Cuebook, such as a proxy, one with its status. */
async function problemOf(response: Response, origin: string): Promise<Problem> {
  if (/json/.test(response.headers.get('content-type') ?? '')) return (await response.json()) as Problem;
  const { status } = response;
  return {
    type: 'about:blank',
    title: 'Not a response of Cuebook',
    status,
    detail: `${origin} returned ${status} without a problem document.`,
    reason: 'failed',
  };
}

// The commands' own way to the service: its HTTP API.
import { readEventStream } from '../../../shared/event-stream.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { problemWords } from './problem-words.ts';

/** A refusal of the service, as its problem document says it. */
export class ServiceRefusal extends CommandFailure {
  readonly problem: JsonObject;

  /** @param words how the problem is told */
  constructor(problem: JsonObject, words: string = problemWords(problem)) {
    super(words, EXIT.failed, problem);
    this.name = 'ServiceRefusal';
    this.problem = problem;
  }
}

export interface Client {
  /** The runtime's origin. */
  address: string;
  /** @param path relative to `/v1`, with its query string. @throws ServiceRefusal */
  get(path: string): Promise<JsonObject>;
  /**
   * Resolves once a stream of server-sent events has begun, which yields what each event holds. It ends when `signal` is
   * aborted, when the service ends it, or when the connection breaks. @throws ServiceRefusal
   */
  follow<Followed>(path: string, signal: AbortSignal): Promise<AsyncIterable<Followed>>;
  /** @throws ServiceRefusal */
  send(method: 'POST' | 'PUT', path: string, body: JsonObject): Promise<JsonObject>;
}

interface Sent {
  body?: JsonObject;
  signal?: AbortSignal;
}

/** @param key an API key, for a published server */
export function createClient(address: string, key: string | undefined): Client {
  function request(method: string, path: string, { body, signal }: Sent = {}): Promise<Response> {
    return fetch(`${address}/v1${path}`, {
      method,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new CommandFailure(`The service at ${address} cannot be reached${cause}.`, EXIT.failed);
    });
  }

  async function read(response: Response): Promise<JsonObject> {
    const answer = (await response.json().catch(() => undefined)) as Json | undefined;
    if (!isJsonObject(answer)) {
      throw new CommandFailure(`The service at ${address} answered ${response.status} without JSON.`, EXIT.failed);
    }
    if (!response.ok) throw new ServiceRefusal(answer);
    return answer;
  }

  return {
    address,
    get: async (path) => read(await request('GET', path)),
    async follow<Followed>(path: string, signal: AbortSignal) {
      const response = await request('GET', path, { signal });
      if (!response.ok) await read(response);
      const bytes = response.body ?? new Blob([]).stream();
      return untilBroken(readEventStream<Followed>(bytes.pipeThrough(new TextDecoderStream())));
    },
    send: async (method, path, body) => read(await request(method, path, { body })),
  };
}

async function* untilBroken<Followed>(events: AsyncIterable<Followed>): AsyncGenerator<Followed> {
  try {
    yield* events;
  } catch {
    // The caller sees an end, and finds out with its next request whether the service still answers.
  }
}

/** Names of places in a path, each as one segment. */
export function pathOf(parts: TemplateStringsArray, ...names: readonly string[]): string {
  return String.raw({ raw: parts }, ...names.map((name) => encodeURIComponent(name)));
}

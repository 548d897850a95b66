// The commands' own way to the service: its HTTP API.
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
  /** @throws ServiceRefusal */
  send(method: 'POST' | 'PUT', path: string, body: JsonObject): Promise<JsonObject>;
}

/** @param key an API key, for a published server */
export function createClient(address: string, key: string | undefined): Client {
  async function call(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new CommandFailure(`The service at ${address} cannot be reached${cause}.`, EXIT.failed);
    });
    const answer = (await response.json().catch(() => undefined)) as Json | undefined;
    if (!isJsonObject(answer)) {
      throw new CommandFailure(`The service at ${address} answered ${response.status} without JSON.`, EXIT.failed);
    }
    if (!response.ok) throw new ServiceRefusal(answer);
    return answer;
  }

  return { address, get: (path) => call('GET', path), send: call };
}

/** Names of places in a path, each as one segment. */
export function pathOf(parts: TemplateStringsArray, ...names: readonly string[]): string {
  return String.raw({ raw: parts }, ...names.map((name) => encodeURIComponent(name)));
}

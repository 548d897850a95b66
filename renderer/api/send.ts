import type { Problem } from '../../shared/schemas/index.ts';
import { ProblemError, UnreachableError } from './problem-error.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Sent {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** @throws ProblemError, UnreachableError, or the reason of an aborted `signal` */
export async function send<Answer>(method: 'GET' | 'POST' | 'PUT', path: string, sent: Sent = {}): Promise<Answer> {
  const response = await request(addressOf(path, sent.query), {
    method,
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
    headers: sent.body === undefined ? {} : { 'content-type': 'application/json' },
    ...(sent.signal === undefined ? {} : { signal: sent.signal }),
  });
  return (await response.json()) as Answer;
}

/** An answer below 400. @throws as `send` */
export async function request(address: string, init: RequestInit): Promise<Response> {
  const isReading = init.method === undefined || init.method === 'GET';
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new UnreachableError(isReading);
  }
  if (response.ok) return response;
  const isProblem = response.headers.get('content-type')?.includes('application/problem+json') === true;
  // What is no problem document did not come from the service, but from something that stands before it.
  if (!isProblem) throw new UnreachableError(isReading);
  throw new ProblemError((await response.json()) as Problem);
}

export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given).toString();
  return search === '' ? path : `${path}?${search}`;
}

import type { Problem } from '../../shared/api/index.ts';
import { ProblemError, UnreachableError } from './problem-error.ts';

/** Sends one request. @returns a successful response @throws ProblemError, UnreachableError, or the reason of an abort */
export async function send(address: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new UnreachableError(isRead(init));
  }
  if (response.ok) return response;
  const isProblem = response.headers.get('content-type')?.includes('application/problem+json') === true;
  // Any other error came from a proxy in front of the service.
  if (!isProblem) throw new UnreachableError(isRead(init));
  throw new ProblemError((await response.json()) as Problem);
}

export function isRead({ method = 'GET' }: RequestInit): boolean {
  return method === 'GET';
}

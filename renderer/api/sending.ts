import { UnreachableError } from './problem-error.ts';

/** What is sent under an id that the studio gives it, so that the service takes it once. */
export interface Sending<Body> {
  id: string;
  body: Body;
}

/** What to send now: after a break, the same thing goes under the id under which it may have been taken already. */
export function nextSending<Body>(
  last: { error: unknown; variables: Sending<Body> | undefined },
  body: Body,
): Sending<Body> {
  const { error, variables: sent } = last;
  const isAgain =
    error instanceof UnreachableError && sent !== undefined && JSON.stringify(sent.body) === JSON.stringify(body);
  return isAgain ? sent : { id: crypto.randomUUID(), body };
}

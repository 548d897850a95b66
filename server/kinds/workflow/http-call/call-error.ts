// The errors of calls, as in the DSL: the type is the last word of a standard error's type.
import type { HttpFailure } from '../../../lib/http-client/index.ts';

export type CallErrorType =
  | 'communication'
  | 'timeout'
  | 'configuration'
  | 'validation'
  | 'authentication'
  | 'authorization';

/** The outcome of a call that was sent, as for tool calls. */
export type CallOutcome = 'tool_error' | 'server_failure' | 'timed_out' | 'too_large' | 'cancelled';

export interface CallError {
  type: CallErrorType;
  status: number;
  title: string;
  detail: string;
  /** Absent if nothing was sent. */
  outcome?: CallOutcome;
}

export type Failed = { ok: false; error: CallError };

/** The workflow requests something that this service does not support. */
export function misconfigured(detail: string): Failed {
  return {
    ok: false,
    error: { type: 'configuration', status: 400, title: 'The call is not configured correctly', detail },
  };
}

/** An argument of the call is invalid. */
export function invalid(detail: string): Failed {
  return {
    ok: false,
    error: { type: 'validation', status: 400, title: 'An argument of the call is not valid', detail },
  };
}

export function missingSecret(name: string): Failed {
  const detail = `The secret \`${name}\` is not available to this workflow.`;
  return {
    ok: false,
    error: { type: 'authorization', status: 403, title: 'The workflow is not allowed to do this', detail },
  };
}

export function unauthenticated(detail: string): Failed {
  const title = 'No token was issued for the call';
  return { ok: false, error: { type: 'authentication', status: 401, title, detail, outcome: 'server_failure' } };
}

/** The response of the server cannot be used. */
export function unusableAnswer(detail: string): Failed {
  const title = 'The response cannot be used';
  return { ok: false, error: { type: 'communication', status: 503, title, detail, outcome: 'server_failure' } };
}

/** The server responded with an error status. */
export function refusedWith(status: number, detail: string): Failed {
  const outcome = outcomeOf(status);
  return {
    ok: false,
    error: { type: 'communication', status, title: `The server returned ${status}`, detail, outcome },
  };
}

/** Client errors (4xx) are errors of the tool; all others are errors of the server. */
function outcomeOf(status: number): CallOutcome {
  const isCallers = status >= 400 && status < 500 && ![401, 407, 429].includes(status);
  return isCallers ? 'tool_error' : 'server_failure';
}

/** There was no response. @param clause says so, without the final period */
export function unanswered(clause: string, failure: HttpFailure): Failed {
  const detail = `${clause}. ${failure.detail}`;
  switch (failure.because) {
    case 'unreachable':
    case 'unreadable': {
      const title =
        failure.because === 'unreachable' ? 'The server could not be reached' : 'The response cannot be read';
      return { ok: false, error: { type: 'communication', status: 503, title, detail, outcome: 'server_failure' } };
    }
    case 'too_large': {
      const title = 'The response is too large';
      return { ok: false, error: { type: 'communication', status: 503, title, detail, outcome: 'too_large' } };
    }
    case 'timed_out': {
      const title = 'The server did not respond in time';
      return { ok: false, error: { type: 'timeout', status: 408, title, detail, outcome: 'timed_out' } };
    }
    case 'cancelled': {
      const title = 'The call was cancelled';
      return { ok: false, error: { type: 'communication', status: 503, title, detail, outcome: 'cancelled' } };
    }
  }
}

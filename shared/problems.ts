// Every problem the service can answer with: its name, status and title. The names are the contract's, part "Errors".

const FOR_A_PERSON = 'Calling again gives the same; tell the person you work for.';
const MEND_THE_CALL = 'Mend the call and send it again.';
const RUN_ENDED = 'The run has its ending; start a new one with another run_id if it is still wanted.';

/** `advice` says to agents what to do about a problem, where that does not depend on the call that met it. */
export const PROBLEMS = {
  bad_request: { status: 400, title: 'The request is malformed', advice: MEND_THE_CALL },
  unauthenticated: { status: 401, title: 'Credentials are missing or invalid', advice: FOR_A_PERSON },
  forbidden: { status: 403, title: 'The credentials may not do that', advice: FOR_A_PERSON },
  origin_not_allowed: { status: 403, title: 'The browser origin is not allowed', advice: FOR_A_PERSON },
  not_found: { status: 404, title: 'Something named does not exist' },
  method_not_allowed: { status: 405, title: 'The path does not take the method', advice: MEND_THE_CALL },
  conflict: { status: 409, title: 'The request clashes with the current state' },
  tools_called: {
    status: 409,
    title: 'A run that may have called tools is not run again',
    advice: 'Find out with get_run what the run did; then, if it is still wanted, start a new one with another run_id.',
  },
  effect_unknown: {
    status: 409,
    title: 'Whether the run changed anything is unknown',
    advice: 'Find out what the tool did before you call anything again; get_run shows the calls that were made.',
  },
  cancelled: { status: 409, title: 'The run was cancelled', advice: RUN_ENDED },
  unanswered: { status: 410, title: 'Nobody answered the request', advice: RUN_ENDED },
  length_required: { status: 411, title: 'The body needs a Content-Length', advice: MEND_THE_CALL },
  content_too_large: { status: 413, title: 'The body is too large', advice: 'Send less, or divide the work.' },
  unsupported_media_type: { status: 415, title: 'The body is not in the accepted media type', advice: MEND_THE_CALL },
  invalid_input: { status: 422, title: 'The input does not fit' },
  client_closed_request: { status: 499, title: 'The client went away before the response', advice: MEND_THE_CALL },
  internal: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'Something the service relies on cannot serve now' },
  tools_unfinished: {
    status: 503,
    title: 'A run that only read could not finish',
    advice: 'Only reading tools were called: a new run with another run_id is safe.',
  },
  rebuilding: { status: 503, title: 'The view is still being built' },
} as const satisfies Record<string, { status: number; title: string; advice?: string }>;

export type ProblemName = keyof typeof PROBLEMS;

/** Problems about which the call itself says what to do. */
export type ProblemOfCall = {
  [Name in ProblemName]: (typeof PROBLEMS)[Name] extends { advice: string } ? never : Name;
}[ProblemName];

/** What a rejection of a run or a refusal of a request gives as `reason`. */
export type Reason = Exclude<ProblemName, 'tools_called' | 'effect_unknown' | 'tools_unfinished' | 'rebuilding'>;

/** Problems whose name is also their `kind`, under the reason they are a case of. */
export const REASON_OF_OWN_NAME = {
  tools_called: 'conflict',
  effect_unknown: 'conflict',
  tools_unfinished: 'unavailable',
  rebuilding: 'unavailable',
} as const satisfies Partial<Record<ProblemName, Reason>>;

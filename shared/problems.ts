// Every problem that the service can return: its name, status and title. The names are from the contract, section "Errors".

const TELL_THE_PERSON = 'Retrying does not help. Tell the person you work for.';
const CORRECT_THE_CALL = 'Correct the call and send it again.';
const RUN_ENDED = 'The run has ended. If it is still needed, start a new run with another run_id.';

/** `advice` tells agents what to do about a problem. It is absent if that depends on the call. */
export const PROBLEMS = {
  bad_request: { status: 400, title: 'The request is malformed', advice: CORRECT_THE_CALL },
  unauthenticated: { status: 401, title: 'Credentials are missing or invalid', advice: TELL_THE_PERSON },
  forbidden: { status: 403, title: 'The credentials do not permit this', advice: TELL_THE_PERSON },
  origin_not_allowed: { status: 403, title: 'The browser origin is not allowed', advice: TELL_THE_PERSON },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed on this path', advice: CORRECT_THE_CALL },
  conflict: { status: 409, title: 'The request conflicts with the current state' },
  tools_called: {
    status: 409,
    title: 'A run that may have called tools is not repeated',
    advice: 'Check with get_run what the run did. If it is still needed, start a new run with another run_id.',
  },
  effect_unknown: {
    status: 409,
    title: 'It is unknown whether the run changed anything',
    advice: 'Find out what the tool did before you call anything again. get_run shows the calls that the run made.',
  },
  cancelled: { status: 409, title: 'The run was cancelled', advice: RUN_ENDED },
  unanswered: { status: 410, title: 'The request was not answered', advice: RUN_ENDED },
  length_required: { status: 411, title: 'The Content-Length header is missing', advice: CORRECT_THE_CALL },
  content_too_large: { status: 413, title: 'The body is too large', advice: 'Send less, or split the work.' },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    advice: CORRECT_THE_CALL,
  },
  invalid_input: { status: 422, title: 'The input is invalid' },
  client_closed_request: {
    status: 499,
    title: 'The client closed the connection before the response',
    advice: CORRECT_THE_CALL,
  },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'A dependency of the service is unavailable' },
  tools_unfinished: {
    status: 503,
    title: 'A run that called only read-only tools could not finish',
    advice: 'Only read-only tools were called: it is safe to start a new run with another run_id.',
  },
  rebuilding: { status: 503, title: 'The view is being built' },
} as const satisfies Record<string, { status: number; title: string; advice?: string }>;

export type ProblemName = keyof typeof PROBLEMS;

/** Problems whose advice depends on the call. */
export type ProblemOfCall = {
  [Name in ProblemName]: (typeof PROBLEMS)[Name] extends { advice: string } ? never : Name;
}[ProblemName];

/** The `reason` of a rejected run or a refused request. */
export type Reason = Exclude<ProblemName, keyof typeof REASON_OF_OWN_NAME>;

/** The reason of each problem whose name is its `kind`. */
export const REASON_OF_OWN_NAME = {
  tools_called: 'conflict',
  effect_unknown: 'conflict',
  tools_unfinished: 'unavailable',
  rebuilding: 'unavailable',
} as const satisfies Partial<Record<ProblemName, ProblemName>>;

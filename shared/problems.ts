// Every problem the service can answer with: its name, status and title. The names are the contract's, part "Errors".

export const PROBLEMS = {
  bad_request: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'Credentials are missing or invalid' },
  forbidden: { status: 403, title: 'The credentials may not do that' },
  origin_not_allowed: { status: 403, title: 'The browser origin is not allowed' },
  not_found: { status: 404, title: 'Something named does not exist' },
  method_not_allowed: { status: 405, title: 'The path does not take the method' },
  conflict: { status: 409, title: 'The request clashes with the current state' },
  tools_called: { status: 409, title: 'A run that may have called tools is not run again' },
  effect_unknown: { status: 409, title: 'Whether the run changed anything is unknown' },
  cancelled: { status: 409, title: 'The run was cancelled' },
  unanswered: { status: 410, title: 'Nobody answered the request' },
  length_required: { status: 411, title: 'The body needs a Content-Length' },
  content_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not in the accepted media type' },
  invalid_input: { status: 422, title: 'The input does not fit' },
  client_closed_request: { status: 499, title: 'The client went away before the response' },
  internal: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'Something the service relies on cannot serve now' },
  tools_unfinished: { status: 503, title: 'A run that only read could not finish' },
  rebuilding: { status: 503, title: 'The view is still being built' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemName = keyof typeof PROBLEMS;

/** What a rejection of a run or a refusal of a request gives as `reason`. */
export type Reason = Exclude<ProblemName, 'tools_called' | 'effect_unknown' | 'tools_unfinished' | 'rebuilding'>;

/** Problems whose name is also their `kind`, under the reason they are a case of. */
export const REASON_OF_OWN_NAME = {
  tools_called: 'conflict',
  effect_unknown: 'conflict',
  tools_unfinished: 'unavailable',
  rebuilding: 'unavailable',
} as const satisfies Partial<Record<ProblemName, Reason>>;

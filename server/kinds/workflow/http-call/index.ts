// Makes a prepared call.
//
// 1. Every host that receives a request (of the call, its document, the servers in the document, the token authorities)
//    must be allowed, and redirects are not followed.
// 2. Output and errors are scrubbed of secrets, of the credentials of the call, and of its tokens.
// 3. The request itself is sent at most once. Documents and tokens may be requested again.
import type { Json } from '../../../../shared/json.ts';
import type { HttpRequest, HttpResponse } from '../../../lib/http-client/index.ts';
import { createScrubber, type Scrubber, secretTexts } from '../../../lib/scrub/index.ts';
import { LARGE_BYTES, textJob, type TextWork } from '../../../lib/text-work/index.ts';
import type { readAnswer } from './read-answer.job.ts';
import { type Authentication, credentialsOf, type Secrets } from './authentication.ts';
import { authorizer } from './authorize.ts';
import type { CallContext } from './memory.ts';
import { type CallError, type Failed, unanswered, unusableAnswer } from './call-error.ts';
import { hostWords, refusedHost } from './hosts.ts';
import { outputOf } from './output.ts';
import type { CallResolved, HttpCall, PreparedCall } from './prepared.ts';
import { readOperation } from './read-operation.ts';

export { isRepeatable } from '../../../lib/http-client/index.ts';
export type { CallError, CallErrorType, CallOutcome, Failed } from './call-error.ts';
export type { CallContext as CallSurroundings } from './memory.ts';
export { hostOf, type IsHostAllowed } from './hosts.ts';
export { type CallMemory, createCallMemory } from './memory.ts';
export {
  type Prepared,
  prepareCall,
  prepareHttpCall,
  prepareOpenApiCall,
  type PreparationContext as Surroundings,
} from './prepare-call.ts';
export type { CallEffect, CallResolved, HttpCall, OpenApiCall, OutputForm, PreparedCall } from './prepared.ts';
export { createScrubber, secretTexts } from '../../../lib/scrub/index.ts';

export type CallResult = { ok: true; output: Json } | Failed;

/** Prepares and sends the request. An aborted signal ends it early, with an error that may be ignored. */
export async function performCall(call: PreparedCall, context: CallContext, signal?: AbortSignal): Promise<CallResult> {
  const resolved = await resolveCall(call, context, signal);
  return resolved.ok ? sendCall(resolved.call, context, signal) : resolved;
}

/** Builds the request; for an OpenAPI call, reads its document. Has no side effects on the server. */
export async function resolveCall(
  call: PreparedCall,
  context: CallContext,
  signal?: AbortSignal,
): Promise<CallResolved> {
  if (call.call === 'http') return { ok: true, call };
  const minted: string[] = [];
  const authorize = authorizer(context, minted, signal);
  const resolved = await readOperation(call, context, authorize, signal);
  const scrubber = scrubberOf(context.secrets, [call.document.authentication, call.authentication], minted);
  return resolved.ok ? resolved : scrubbedError(resolved.error, scrubber);
}

/** Sends the request. */
async function sendCall(call: HttpCall, context: CallContext, signal?: AbortSignal): Promise<CallResult> {
  const minted: string[] = [];
  const result = await send(call, context, minted, signal);
  return result.ok ? result : scrubbedError(result.error, scrubberFor(call, context, minted));
}

async function send(
  call: HttpCall,
  context: CallContext,
  minted: string[],
  signal: AbortSignal | undefined,
): Promise<CallResult> {
  const refused = refusedHost(call.request.url, context.isHostAllowed);
  if (refused !== undefined) return refused;
  const authorized = await authorizer(context, minted, signal)(call.request, call.authentication);
  if (!authorized.ok) return authorized;
  const { request, tokenKey } = authorized;
  const answer = await context.http.send(request, signal === undefined ? {} : { signal });
  if (answer.kind === 'failed')
    return unanswered(`${hostWords(request.url)} did not respond to ${request.method}`, answer);
  // The next call requests another token.
  if (answer.status === 401 && tokenKey !== undefined) context.memory.tokens.delete(tokenKey);
  const scrubber = scrubberFor(call, context, minted);
  return answer.body.length > LARGE_BYTES
    ? readLarge(context.textWork, { call, request, response: answer, scrubber })
    : outputOf(call, request, answer, scrubber);
}

/** 4 MiB with a million values take about 2 s. */
const READ_ANSWER = textJob<typeof readAnswer>({
  module: new URL('./read-answer.job.ts', import.meta.url),
  name: 'readAnswer',
  deadlineMs: 20_000,
});

interface LargeAnswer {
  call: HttpCall;
  /** The request that was sent. */
  request: HttpRequest;
  response: HttpResponse;
  scrubber: Scrubber;
}

async function readLarge(textWork: TextWork, { call, request, response, scrubber }: LargeAnswer): Promise<CallResult> {
  const { method, url, headers } = request;
  const { output, takesRedirects } = call;
  const reading = await textWork
    .run(READ_ANSWER, {
      call: { output, takesRedirects },
      request: { method, headers, href: url.href },
      response,
      scrubber: scrubber.parts,
    })
    .catch(() => 'busy');
  if (typeof reading === 'string') {
    return unusableAnswer(`${method} ${hostWords(url)} returned a response that takes too long to read.`);
  }
  return reading.ok ? { ok: true, output: JSON.parse(reading.json) as Json } : reading;
}

function scrubberFor(call: HttpCall, context: CallContext, minted: readonly string[]): Scrubber {
  const { authorization = '' } = call.request.headers;
  const own = [authorization, authorization.slice(authorization.indexOf(' ') + 1)];
  return scrubberOf(context.secrets, [call.authentication], [...minted, ...own]);
}

function scrubberOf(secrets: Secrets, used: readonly Authentication[], others: readonly string[]): Scrubber {
  return createScrubber([...secretTexts(secrets), ...used.flatMap(credentialsOf), ...others]);
}

function scrubbedError(error: CallError, scrubber: Scrubber): Failed {
  return { ok: false, error: { ...error, detail: scrubber.text(error.detail) } };
}

// From an OpenAPI call to its request: the document is read, or remembered, and the operation in it is found.
import {
  buildRequest,
  findOperation,
  MOST_DOCUMENT_BYTES,
  type OpenApiDocument,
  type OpenApiError,
  readOpenApiDocument,
} from '../../../lib/openapi-client/index.ts';
import { ageIn } from '../../../lib/clock.ts';
import type { Authorize } from './authorize.ts';
import { type Failed, invalid, misconfigured, refusedWith, unanswered } from './call-error.ts';
import { readHeaders } from './headers.ts';
import { hostWords, refusedHost } from './hosts.ts';
import { type CallContext, keyOf } from './memory.ts';
import { USER_AGENT } from './prepare-call.ts';
import type { CallResolved, OpenApiCall } from './prepared.ts';

/** A document is read again after this long. */
const KEEP_MS = 60_000;
const DOCUMENT_TYPES = 'application/json, application/yaml, */*;q=0.8';

export async function readOperation(
  call: OpenApiCall,
  context: CallContext,
  authorize: Authorize,
  signal: AbortSignal | undefined,
): Promise<CallResolved> {
  const read = await readDocument(call, context, authorize, signal);
  if (!read.ok) return read;
  const found = findOperation(read.document, call.operationId);
  if (!found.ok) return refused(found.error);
  const built = buildRequest(read.document, found.operation, call.parameters);
  if (!built.ok) return refused(built.error);
  const hostRefused = refusedHost(built.request.url, context.isHostAllowed);
  if (hostRefused !== undefined) return hostRefused;
  const headers = readHeaders({ 'user-agent': USER_AGENT, ...built.request.headers });
  if (!headers.ok) return headers;
  const { authentication, output, takesRedirects } = call;
  const request = { ...built.request, headers: headers.headers };
  return { ok: true, call: { call: 'http', request, authentication, output, takesRedirects } };
}

async function readDocument(
  { document: { url, authentication } }: OpenApiCall,
  context: CallContext,
  authorize: Authorize,
  signal: AbortSignal | undefined,
): Promise<{ ok: true; document: OpenApiDocument } | Failed> {
  const { http, textWork, memory, clock, isHostAllowed } = context;
  const hostRefused = refusedHost(url, isHostAllowed);
  if (hostRefused !== undefined) return hostRefused;
  const key = keyOf([url.href, authentication]);
  const known = memory.documents.get(key);
  if (known !== undefined) return { ok: true, document: known };
  const headers = { accept: DOCUMENT_TYPES, 'user-agent': USER_AGENT };
  const authorized = await authorize({ method: 'GET', url, headers }, authentication);
  if (!authorized.ok) return authorized;
  const options = { maxBytes: MOST_DOCUMENT_BYTES, ...(signal === undefined ? {} : { signal }) };
  const answer = await http.send(authorized.request, options);
  const host = hostWords(url);
  if (answer.kind === 'failed')
    return unanswered(`${host} did not respond to the request for the OpenAPI document`, answer);
  if (answer.status !== 200) {
    if (answer.status === 401 && authorized.tokenKey !== undefined) memory.tokens.delete(authorized.tokenKey);
    return refusedWith(answer.status, `The request to ${host} for the OpenAPI document returned ${answer.status}.`);
  }
  const reading = await readOpenApiDocument(answer.body, textWork, url);
  if (!reading.ok) return misconfigured(reading.detail);
  memory.documents.set(key, reading.document, { usedUpTo: KEEP_MS, age: ageIn(clock) });
  return { ok: true, document: reading.document };
}

function refused(error: OpenApiError): Failed {
  switch (error.kind) {
    case 'unusable_document':
    case 'unknown_operation':
      return misconfigured(error.detail);
    case 'unknown_parameter':
    case 'missing_parameter':
    case 'bad_parameter':
      return invalid(error.detail);
  }
}

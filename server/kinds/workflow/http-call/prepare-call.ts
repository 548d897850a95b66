// Prepares a call from the arguments of `call: http` and `call: openapi`. Nothing is sent or resolved.
//
// 1. Expressions and templates have been evaluated: every string is data.
// 2. Errors contain the names of arguments, but not their values.
import { METHODS } from 'node:http';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { PRODUCT } from '../../../../shared/product.ts';
import { type Authentication, readAuthentication, type Secrets } from './authentication.ts';
import { type Failed, invalid, misconfigured } from './call-error.ts';
import { member, textOf } from './members.ts';
import { readHeaders } from './headers.ts';
import type { CallEffect, HttpCall, OpenApiCall, OutputForm, PreparedCall } from './prepared.ts';
import { pairsOf, writeBody } from './request-body.ts';
import { createScrubber, secretTexts } from '../../../lib/scrub/index.ts';

export interface PreparationContext {
  /** The workflow's `use.authentications`, evaluated. */
  authentications?: JsonObject;
  secrets: Secrets;
}

export type Prepared<Call> = { ok: true; request: Call } | Failed;

export const USER_AGENT = PRODUCT;
const ANY_ANSWER = 'application/json, */*;q=0.8';

export function prepareCall(effect: CallEffect, secrets: Secrets): Prepared<PreparedCall> {
  const authentications = isJsonObject(effect.authentications) ? effect.authentications : {};
  const context = { authentications, secrets };
  return effect.call === 'openapi' ? prepareOpenApiCall(effect.with, context) : prepareHttpCall(effect.with, context);
}

export function prepareHttpCall(given: Json, context: PreparationContext): Prepared<HttpCall> {
  return scrubbed(readHttpCall(given, context), context);
}

export function prepareOpenApiCall(given: Json, context: PreparationContext): Prepared<OpenApiCall> {
  return scrubbed(readOpenApiCall(given, context), context);
}

/** A name from an expression may contain data that no error should show. */
function scrubbed<Call>(prepared: Prepared<Call>, { secrets }: PreparationContext): Prepared<Call> {
  if (prepared.ok) return prepared;
  const detail = createScrubber(secretTexts(secrets)).text(prepared.error.detail);
  return { ok: false, error: { ...prepared.error, detail } };
}

function readHttpCall(given: Json, context: PreparationContext): Prepared<HttpCall> {
  if (!isJsonObject(given)) return misconfigured('`with` of an HTTP call must be an object.');
  const method = textOf(given, 'method')?.toUpperCase();
  if (method === undefined || !METHODS.includes(method) || method === 'CONNECT') {
    return misconfigured('`method` must be an HTTP method, such as get or post.');
  }
  const endpoint = readEndpoint(member(given, 'endpoint'), context);
  if (!endpoint.ok) return endpoint;
  const url = withQuery(endpoint.url, member(given, 'query'));
  if (url === undefined) return invalid('`query` takes strings, numbers, booleans, or lists of them.');
  const read = readHeaders(member(given, 'headers'));
  if (!read.ok) return read;
  const written = writeBody(member(given, 'body'), read.headers['content-type']);
  if (!written.ok) return written;
  const output = readOutput(given);
  if (!output.ok) return output;
  const headers: Record<string, string> = { accept: ANY_ANSWER, 'user-agent': USER_AGENT, ...read.headers };
  if (written.contentType !== undefined) headers['content-type'] = written.contentType;
  const request = { method, url, headers, ...(written.body === undefined ? {} : { body: written.body }) };
  return { ok: true, request: { call: 'http', request, authentication: endpoint.authentication, ...output.form } };
}

function readOpenApiCall(given: Json, context: PreparationContext): Prepared<OpenApiCall> {
  if (!isJsonObject(given)) return misconfigured('`with` of an OpenAPI call must be an object.');
  const document = member(given, 'document');
  const endpoint = readEndpoint(isJsonObject(document) ? member(document, 'endpoint') : undefined, context);
  if (!endpoint.ok) return endpoint;
  const operationId = textOf(given, 'operationId');
  if (operationId === undefined) return misconfigured('`operationId` must name an operation of the document.');
  const parameters = member(given, 'parameters') ?? {};
  if (!isJsonObject(parameters)) return invalid('`parameters` must be an object of names and values.');
  const read = readAuthentication(member(given, 'authentication'), context.authentications ?? {}, context.secrets);
  if (!read.ok) return read;
  const output = readOutput(given);
  if (!output.ok) return output;
  const { url, authentication } = endpoint;
  const call = { call: 'openapi', document: { url, authentication }, operationId, parameters } as const;
  return { ok: true, request: { ...call, authentication: read.authentication, ...output.form } };
}

function readEndpoint(
  given: Json | undefined,
  { authentications = {}, secrets }: PreparationContext,
): { ok: true; url: URL; authentication: Authentication } | Failed {
  const [uri, policy] = isJsonObject(given) ? [member(given, 'uri'), member(given, 'authentication')] : [given];
  const url = typeof uri === 'string' ? URL.parse(uri.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return misconfigured('`endpoint` must be an absolute http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    return misconfigured('`endpoint` must not contain a user name or password; use `authentication`.');
  }
  url.hash = '';
  const read = readAuthentication(policy, authentications, secrets);
  return read.ok ? { ok: true, url, authentication: read.authentication } : read;
}

/** The query of the address, then the arguments; undefined if one is not a scalar. */
function withQuery(url: URL, query: Json | undefined): URL | undefined {
  if (query === undefined || query === null) return url;
  const pairs = pairsOf(query);
  if (pairs === undefined) return undefined;
  const added = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const whole = new URL(url);
  whole.search = [url.search.slice(1), ...added].filter((part) => part !== '').join('&');
  return whole;
}

/** An unpaired surrogate cannot be encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function readOutput(given: JsonObject): { ok: true; form: { output: OutputForm; takesRedirects: boolean } } | Failed {
  const output = member(given, 'output') ?? 'content';
  if (output !== 'content' && output !== 'response' && output !== 'raw') {
    return misconfigured('`output` must be content, response or raw.');
  }
  return { ok: true, form: { output, takesRedirects: member(given, 'redirect') === true } };
}

// Classifies an error within a streamed answer. The HTTP status is already 200, so the error's code decides: the result is
// what it would have been if the provider had failed before it began to answer.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { type Classified, classifyStatus } from './classify.ts';
import { type ErrorBody, readErrorValue } from './provider-words.ts';

const STREAMED = 200;

/** @param said the error as an SDK passes it on; undefined if the answer ended without a finish reason */
export function classifyStreamError(said: unknown): Classified {
  const value = reportedValue(said);
  const body = { ...readErrorValue(value) };
  body.message ??= messageOf(said);
  const status = statusOf(said, value, body);
  // Unreadable, like any other answer of status 200.
  if (status === undefined) return { kind: 'provider_unavailable', status: STREAMED, body: NO_BODY, isRetried: false };
  return { ...classifyStatus(status, body), status: STREAMED, isWithinAnswer: true };
}

const NO_BODY: ErrorBody = { code: undefined, type: undefined, message: undefined };

/** The error as the provider sent it. */
function reportedValue(said: unknown): Json {
  if (typeof said !== 'object' || said === null) return {};
  const { data, value, responseBody } = said as { data?: unknown; value?: unknown; responseBody?: unknown };
  if (typeof responseBody === 'string') return jsonOf(responseBody);
  // An SDK's own error contains it; for gateways it is passed on as it is.
  const held = data ?? (said instanceof Error ? value : said);
  const plain = isJsonObject(held) ? held : {};
  const { response } = plain;
  return isJsonObject(response) ? response : plain;
}

/** The message of an SDK's own error may quote the answer, so it is not used. */
function messageOf(said: unknown): string | undefined {
  if (typeof said !== 'object' || said === null || said instanceof Error) return undefined;
  const { message } = said as { message?: unknown };
  return typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

const STATUSES: readonly [RegExp, number][] = [
  [/rate_?limit|too_many|throttl|quota|resource_exhausted/, 429],
  [/overloaded/, 529],
  [/unavailable|server_?error|internal|api_error|modelstreamerror/, 503],
  [/time_?out|deadline/, 504],
  [/authentication|unauthenticated|invalid_api_key/, 401],
  [/permission|forbidden/, 403],
  [/not_found/, 404],
  [/too_large/, 413],
  [/invalid|bad_request|validation|unsupported|context_length|content_filter|content_policy/, 400],
];

function statusOf(said: unknown, value: Json, { code, type }: ErrorBody): number | undefined {
  const { type: told } = (typeof said === 'object' && said !== null ? said : {}) as { type?: unknown };
  const own = numberOf(value);
  if (own !== undefined) return own;
  const words = [code, type, typeof told === 'string' ? told : undefined].join(' ').toLowerCase();
  return STATUSES.find(([form]) => form.test(words))?.[1];
}

/** The HTTP status that the error names. */
function numberOf(value: Json): number | undefined {
  const outer: JsonObject = isJsonObject(value) ? value : {};
  const inner = isJsonObject(outer['error']) ? outer['error'] : outer;
  const named = [inner['code'], inner['status'], outer['code']].map(Number);
  return named.find((status) => Number.isInteger(status) && status >= 400 && status <= 599);
}

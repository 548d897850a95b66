// Errors in answers whose HTTP status says success: within a stream, or in place of an answer. The error's own status, code
// or words decide, as if the provider had failed before it began to answer.
import { isJsonObject, type Json, type JsonObject, memberOf } from '../../../shared/json.ts';
import type { HttpResponse } from '../../lib/http-client/index.ts';
import { LARGE_BYTES } from '../../lib/text-work/index.ts';
import type { FailureCause } from '../../lib/model-providers/index.ts';
import { type Asked, causeOf } from './causes.ts';
import { type Classified, classifyStatus, NO_BODY } from './classify.ts';
import { type ErrorBody, isPage, PAGE, readErrorValue } from './provider-words.ts';
import { refusesIn } from './refusals.ts';

const SUCCESS = 200;

/** The error that an answer, or a chunk of one, names; undefined if it names none. Many name one that is empty. */
export function errorIn(value: unknown): unknown {
  const [choice] = [memberOf(value, 'choices')].flat();
  const found = [value, choice, memberOf(value, 'response')].map((holder) => memberOf(holder, 'error'));
  return found.find((error) => !isEmpty(error));
}

function isEmpty(error: unknown): boolean {
  if (error === undefined || error === null || error === false || error === '') return true;
  return typeof error === 'object' && Object.keys(error).length === 0;
}

/** The statuses that a cause stands for if the error names none. */
const STATUS_OF_CAUSE: Readonly<Record<FailureCause, number>> = {
  address_wrong: 404,
  model_unknown: 404,
  no_credits: 402,
  too_long: 413,
  refused: 400,
  json_refused: 400,
  tools_refused: 400,
  call_invalid: 400,
  json_invalid: 400,
  key_rejected: 401,
  region_refused: 403,
  model_withheld: 403,
  model_not_loaded: 400,
  model_unsuited: 400,
};

/** @param reported the error as an SDK passes it on; undefined if the answer ended without a finish reason */
export function classifyReportedError(reported: unknown, asked: Asked): Classified {
  const value = reportedValue(reported);
  const body = { ...readErrorValue(value) };
  body.message ??= messageOf(reported);
  const named = statusOf(reported, value, body);
  const cause = named === undefined ? causeOf(undefined, body, asked) : undefined;
  const status = named ?? (cause === undefined ? undefined : STATUS_OF_CAUSE[cause]);
  if (status !== undefined) return { ...classifyStatus(status, body, asked), status: SUCCESS, isWithinAnswer: true };
  const failed = { kind: 'provider_unavailable', status: SUCCESS, isRetried: false } as const;
  if (isExplicit(reported) || wholeError(value) !== undefined) return { ...failed, body, isWithinAnswer: true };
  // What an SDK could not read may be a part of the answer.
  const hint = reported === undefined || isWithoutEnd(reported) ? NO_END : UNKNOWN_FORM;
  return { ...failed, body: NO_BODY, hint };
}

const NO_END =
  'The response ended without a reason to finish: it is empty, it broke off, or it is not a stream of events.';
const UNKNOWN_FORM = 'A part of the answer is not JSON, or has an unknown form.';

/** Whether an SDK found that a stream had no end. */
function isWithoutEnd(reported: unknown): boolean {
  return (
    reported instanceof Error &&
    reported.name === 'AI_InvalidResponseDataError' &&
    reported.message.includes('finish reason')
  );
}

/** Whether the provider named an error, instead of an SDK finding one. */
function isExplicit(reported: unknown): boolean {
  if (!(reported instanceof Error)) return reported !== undefined;
  return memberOf(reported, 'data') !== undefined || typeof memberOf(reported, 'responseBody') === 'string';
}

/** The error as the provider sent it. */
function reportedValue(reported: unknown): Json {
  if (typeof reported === 'string') return { message: reported };
  if (typeof reported !== 'object' || reported === null) return {};
  const { data, value, responseBody } = reported as { data?: unknown; value?: unknown; responseBody?: unknown };
  if (typeof responseBody === 'string') return jsonOf(responseBody) ?? {};
  // An SDK's own error contains it; for gateways it is passed on as it is.
  const held = data ?? (reported instanceof Error ? value : reported);
  const plain = isJsonObject(held) ? held : {};
  const { response } = plain;
  return isJsonObject(response) ? response : plain;
}

/** The message of an SDK's own error may quote the answer, so it is not used. */
function messageOf(reported: unknown): string | undefined {
  if (typeof reported !== 'object' || reported === null || reported instanceof Error) return undefined;
  const { message } = reported as { message?: unknown };
  return typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const STATUSES: readonly [RegExp, number][] = [
  [/rate_?limit|too_many|throttl|quota|resource_exhausted/, 429],
  [/overloaded/, 529],
  [/unavailable|server_?error|internal|api_error|modelstreamerror/, 503],
  [/time_?out|deadline/, 504],
  [/authentication|unauthenticated|invalid_api_key/, 401],
  [/permission|forbidden/, 403],
  [/not_?found/, 404],
  [/too_large/, 413],
  [/invalid|bad_?request|validation|unsupported|context_length|exceed_context|content_filter|content_policy/, 400],
];

function statusOf(reported: unknown, value: Json, { code, type }: ErrorBody): number | undefined {
  const { type: reportedType } = (typeof reported === 'object' && reported !== null ? reported : {}) as {
    type?: unknown;
  };
  const own = numberOf(value);
  if (own !== undefined) return own;
  const words = [code, type, typeof reportedType === 'string' ? reportedType : undefined].join(' ').toLowerCase();
  return STATUSES.find(([form]) => form.test(words))?.[1];
}

/** The HTTP status that the error names. */
function numberOf(value: Json): number | undefined {
  const outer: JsonObject = isJsonObject(value) ? value : {};
  const inner = isJsonObject(outer['error']) ? outer['error'] : outer;
  const named = [inner['code'], inner['status'], inner['status_code'], outer['code'], outer['status']].map(Number);
  return named.find((status) => Number.isInteger(status) && status >= 400 && status <= 599);
}

/** An answer with a status of success that its SDK could not read, whole or from its beginning on. */
export function classifyUnreadable({ status, headers, body }: HttpResponse, asked: Asked): Classified {
  const text = Buffer.from(body.subarray(0, LARGE_BYTES)).toString('utf8').trim();
  const value = jsonOf(text);
  const [error] = [value].flat().map(wholeError);
  if (error !== undefined) return classifyReportedError(error, asked);
  if (refusesIn(value)) {
    return { kind: 'content_refused', status, body: NO_BODY, isRetried: false, hint: 'The answer contains a refusal.' };
  }
  const failed = { kind: 'provider_unavailable', status, isRetried: false } as const;
  const type = (headers['content-type'] ?? 'none').slice(0, 100);
  if (isPage(text)) {
    const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1]?.replaceAll(/\s+/g, ' ').trim();
    return { ...failed, body: { ...NO_BODY, message: title }, isPage: true, hint: PAGE };
  }
  const what = value === undefined ? 'is no JSON' : 'has none of the members of an answer';
  return { ...failed, body: NO_BODY, hint: `The response (content type ${type}) ${what}.` };
}

const OF_ANSWERS = ['choices', 'output', 'candidates', 'content', 'generations'];

/** The error that stands in place of an answer: one that is named, or a message without any member of an answer. */
function wholeError(value: Json | undefined): unknown {
  if (!isJsonObject(value)) return undefined;
  if (!isEmpty(value['error'])) return value;
  const named = errorIn(value);
  if (named !== undefined) return named;
  if (OF_ANSWERS.some((name) => name in value)) return undefined;
  const { message } = readErrorValue(value);
  return message === undefined ? undefined : { ...value, message };
}

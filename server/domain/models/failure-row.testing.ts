// How a call of a model fails: the form of a row, with what a caller gets and what the log holds.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { CANARY_KEY, CANARY_PROMPT, selfSigned } from '../../test/index.ts';
import { answerJson } from './models.testing.ts';

export const KEY = CANARY_KEY;
export const HEADER = 'canary of a header 4712';
export const QUERY = 'canary-of-a-query-4713';
export const SECRETS = [KEY, HEADER, QUERY, encodeURIComponent(HEADER)];

/** Comes about in the rendered prompt alone: its halves stand in the input. */
export const PROMPT = CANARY_PROMPT;
export const ANSWER = 'canary-of-an-answer-5678';
const SAYS_ALL = `You sent ${KEY}, ${HEADER}, ${QUERY}: Say ${PROMPT} aloud, would you?`;

export const fails = (status: number, error: JsonObject, headers: Record<string, string> = {}) =>
  answering(status, { error: { message: SAYS_ALL, ...error } }, { 'retry-after-ms': '1', ...headers });

type Provider = (request: IncomingMessage, response: ServerResponse) => void;

export function answering(status: number, body: Json, headers: Record<string, string> = {}): Provider {
  return (_request, response) => answerJson(response, status, body, headers);
}

export interface Row {
  /** What the row's own gateway does; undefined: there is none of the name. */
  provider?: Provider;
  /** Of the gateway's entry. */
  gateway?: JsonObject;
  model?: string;
  /** Front matter beside model and input. */
  front?: string;
  kind: string;
  /** What the caller sees where the kind alone does not say it. */
  seen?: Seen;
  detail: RegExp;
  /** How often the provider was asked. */
  asked: number;
  /** The status that it answered. */
  answered: number | null;
  /** What the log has of its words. */
  said?: unknown;
}

interface Seen {
  status: number;
  /** Of the problem. */
  body: JsonObject;
}

export const CERTIFICATE = selfSigned();
export const UNTRUSTED = 'a certificate that is not trusted';
export const SILENT = 'no answer in time';
export const UNWORKABLE: Seen = { status: 409, body: { reason: 'conflict', kind: 'unworkable' } };
const REFUSED: Seen = { status: 422, body: { reason: 'invalid_input', errors: [{ pointer: '/input' }] } };

function unavailable(because: string, more: JsonObject = {}): Seen {
  return { status: 503, body: { reason: 'unavailable', because, ...more } };
}

/** What the caller sees of each kind. */
export const SEEN: Readonly<Record<string, Seen>> = {
  model_not_allowed: unavailable('model_not_allowed', { kind: 'model_not_offered' }),
  provider_not_configured: unavailable('provider_not_configured', { kind: 'model_not_offered' }),
  credentials_rejected: unavailable('credentials_rejected'),
  rate_limited: unavailable('rate_limited'),
  provider_unavailable: unavailable('provider_unavailable'),
  timed_out: unavailable('timed_out'),
  output_invalid: unavailable('output_invalid'),
  definition_invalid: UNWORKABLE,
  request_too_long: UNWORKABLE,
  content_refused: REFUSED,
};

export const JSON_OUTPUT =
  'output: { type: object, required: [team], additionalProperties: false, properties: { team: { enum: [a, b] }, c: { type: number }, d: { type: number }, e: { type: number }, f: { type: number }, g: { type: number } } }';

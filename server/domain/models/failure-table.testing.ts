// How model providers fail: each row with what a caller gets and what the log holds.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { CANARY_KEY, CANARY_PROMPT, selfSigned } from '../../test/index.ts';
import { answerJson, chatAnswer } from './models.testing.ts';

export const KEY = CANARY_KEY;
export const HEADER = 'canary of a header 4712';
export const QUERY = 'canary-of-a-query-4713';
export const SECRETS = [KEY, HEADER, QUERY, encodeURIComponent(HEADER)];

/** Comes about in the rendered prompt alone: its halves stand in the input. */
export const PROMPT = CANARY_PROMPT;
export const ANSWER = 'canary-of-an-answer-5678';
const SAYS_ALL = `You sent ${KEY}, ${HEADER}, ${QUERY}: Say ${PROMPT} aloud, would you?`;

const fails = (status: number, error: JsonObject, headers: Record<string, string> = {}) =>
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
const UNWORKABLE: Seen = { status: 409, body: { reason: 'conflict', kind: 'unworkable' } };
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

const JSON_OUTPUT =
  'output: { type: object, required: [team], additionalProperties: false, properties: { team: { enum: [a, b] }, c: { type: number }, d: { type: number }, e: { type: number }, f: { type: number }, g: { type: number } } }';

export const ROWS: Readonly<Record<string, Row>> = {
  'a model that is not allowed': {
    model: 'locked/secret-model',
    provider: answering(200, chatAnswer({ content: 'Never.' })),
    kind: 'model_not_allowed',
    detail: /^The model locked\/secret-model is not allowed on this server/,
    asked: 0,
    answered: null,
  },
  'a prefix of no provider': {
    model: 'nobody/some-model',
    kind: 'provider_not_configured',
    detail: /Configured providers: absent, amazon-bedrock, .*, and the aliases team\/fast\.$/,
    asked: 0,
    answered: null,
  },
  'a setting that the SDK needs': {
    model: 'amazon-bedrock/some-model',
    kind: 'provider_not_configured',
    detail: /ask the operator of this server to fix it/,
    asked: 0,
    answered: null,
  },
  [UNTRUSTED]: {
    model: 'untrusted/some-model',
    kind: 'provider_not_configured',
    detail: /untrusted is not configured correctly; ask the operator of this server to fix it/,
    asked: 0,
    answered: null,
  },
  'no credential of a cloud': {
    model: 'google-vertex/some-model',
    kind: 'credentials_rejected',
    detail: /^The model provider google-vertex has no credential/,
    asked: 0,
    answered: null,
  },
  '401': {
    provider: fails(401, { code: 'invalid_api_key' }),
    kind: 'credentials_rejected',
    detail: /returned 401 \(Unauthorized, code invalid_api_key\)/,
    asked: 1,
    answered: 401,
  },
  '403': {
    provider: fails(403, {}),
    kind: 'credentials_rejected',
    detail: /returned 403 \(Forbidden\)/,
    asked: 1,
    answered: 403,
  },
  '429 that says when': {
    provider: fails(429, {}, { 'retry-after-ms': '', 'retry-after': '75' }),
    kind: 'rate_limited',
    detail: /Wait 75 seconds, then try again\.$/,
    asked: 3,
    answered: 429,
  },
  '429 that does not say when': {
    provider: fails(429, {}, { 'retry-after-ms': '' }),
    kind: 'rate_limited',
    detail: /Try again later\.$/,
    asked: 3,
    answered: 429,
  },
  '408': {
    provider: fails(408, {}),
    kind: 'provider_unavailable',
    detail: /returned 408 \(Request Timeout\); try again later/,
    asked: 3,
    answered: 408,
  },
  '409': {
    provider: fails(409, {}),
    kind: 'provider_unavailable',
    detail: /returned 409 \(Conflict\); try again later/,
    asked: 3,
    answered: 409,
  },
  '500': {
    provider: fails(500, {}),
    kind: 'provider_unavailable',
    detail: /returned 500 \(Internal Server Error\); try again later/,
    asked: 3,
    answered: 500,
  },
  '529': {
    provider: fails(529, { type: 'overloaded_error' }),
    kind: 'provider_unavailable',
    detail: /returned 529 \(code overloaded_error\); try again later/,
    asked: 3,
    answered: 529,
  },
  'a connection that is refused': {
    model: 'absent/some-model',
    kind: 'provider_unavailable',
    detail: /^The model provider absent could not be reached/,
    asked: 0,
    answered: null,
  },
  'a connection that is dropped': {
    provider: (request) => void request.socket.destroy(),
    kind: 'provider_unavailable',
    detail: /could not be reached, or the connection broke off; try again later/,
    asked: 3,
    answered: null,
  },
  'a 2xx that cannot be read': {
    provider: answering(200, `${ANSWER} ${PROMPT}`),
    kind: 'provider_unavailable',
    detail: /sent a response that cannot be read; try again later/,
    asked: 1,
    answered: 200,
  },
  'a page with status 200': {
    provider: answering(200, `<!doctype html><title>Sign in</title>${ANSWER} ${PROMPT}`, {
      'content-type': 'text/html',
    }),
    kind: 'provider_unavailable',
    detail: /returned a web page in place of an answer; try again later, or ask the operator/,
    asked: 1,
    answered: 200,
    said: 'Sign in',
  },
  'an error with status 200': {
    provider: answering(200, { error: { message: 'The limit is reached.', code: 'rate_limit_exceeded' } }),
    kind: 'rate_limited',
    detail: /ended its answer with an error \(code rate_limit_exceeded\): too many requests\. Try again later\.$/,
    asked: 3,
    answered: 200,
    said: 'The limit is reached.',
  },
  'an answer that is refused': {
    provider: answering(200, chatAnswer({ content: null, refusal: ANSWER })),
    front: JSON_OUTPUT,
    kind: 'content_refused',
    detail: /refuses the content under its policy/,
    asked: 1,
    answered: 200,
  },
  [SILENT]: {
    provider: () => undefined,
    kind: 'timed_out',
    detail: /did not respond in time; try again later/,
    asked: 1,
    answered: null,
  },
  'an answer that is not JSON': {
    provider: answering(200, chatAnswer({ content: `Well: ${ANSWER}` })),
    front: JSON_OUTPUT,
    kind: 'output_invalid',
    detail: /^The model did not answer with JSON; try again\.$/,
    asked: 1,
    answered: 200,
  },
  'an answer that does not fit': {
    provider: answering(
      200,
      chatAnswer({
        content: JSON.stringify({ [ANSWER]: 1, team: ANSWER, c: ANSWER, d: 'x', e: 'x', f: 'x', g: 'x' }),
      }),
    ),
    front: JSON_OUTPUT,
    kind: 'output_invalid',
    detail: /^The answer of the model does not match `output` in several places; try again\.$/,
    asked: 1,
    answered: 200,
  },
  'a JSON answer that was cut': {
    provider: answering(200, chatAnswer({ content: `{"team": "${ANSWER}` }, { finish_reason: 'length' })),
    front: JSON_OUTPUT,
    kind: 'output_invalid',
    seen: UNWORKABLE,
    detail: /cut off at 1024 tokens.*raise `config\.max_output_tokens`/,
    asked: 1,
    answered: 200,
  },
  '400': {
    provider: fails(400, { code: `bad_parameter_${'x'.repeat(100)}` }),
    kind: 'definition_invalid',
    detail: /returned 400 \(Bad Request, code bad_parameter_x{50}\): it does not accept what the definition requests/,
    asked: 1,
    answered: 400,
  },
  '404': {
    provider: fails(404, { code: 'model_not_found' }),
    kind: 'definition_invalid',
    detail:
      /returned 404 \(Not Found, code model_not_found\): it does not know the model row-\d+\/some-model; name a model that list_models shows\.$/,
    asked: 1,
    answered: 404,
  },
  '404 of another address': {
    provider: answering(404, '404 page not found'),
    kind: 'definition_invalid',
    detail: /returned 404 \(Not Found\): it does not know the model .*, or its address is wrong;/,
    asked: 1,
    answered: 404,
    said: '404 page not found',
  },
  '402': {
    provider: answering(402, { error: { message: 'Insufficient credits.', code: 402 } }),
    kind: 'definition_invalid',
    detail: /returned 402 \(Payment Required\): the account of this server has no credits left; ask the operator/,
    asked: 1,
    answered: 402,
    said: 'Insufficient credits.',
  },
  'JSON in a form that a local server refuses': {
    provider: answering(400, { error: "'response_format.type' must be 'json_schema' or 'text'" }),
    front: JSON_OUTPUT,
    kind: 'definition_invalid',
    detail: /it does not take requests for JSON in the form that this server sends; ask the operator/,
    asked: 1,
    answered: 400,
    said: "'response_format.type' must be 'json_schema' or 'text'",
  },
  '422': {
    provider: fails(422, {}),
    kind: 'definition_invalid',
    detail: /returned 422 \(Unprocessable Entity\)/,
    asked: 1,
    answered: 422,
  },
  'a provider option that is not allowed': {
    provider: answering(200, chatAnswer({ content: 'Never.' })),
    gateway: { allowed_provider_options: ['top_k'] },
    front: 'provider_options: { GATEWAY: { top_k: 3, logprobs: true } }',
    kind: 'definition_invalid',
    detail: /does not let a definition set `logprobs`/,
    asked: 0,
    answered: null,
  },
  'options that no provider reads': {
    provider: answering(200, chatAnswer({ content: 'Never.' })),
    front: 'provider_options: { opnai: { user: x } }',
    kind: 'definition_invalid',
    detail: /^No provider reads `provider_options\.opnai`/,
    asked: 0,
    answered: null,
  },
  '413': {
    provider: fails(413, {}),
    kind: 'request_too_long',
    detail:
      /returned 413 \(Payload Too Large\): the request is too long for the model; shorten the prompt or the input/,
    asked: 1,
    answered: 413,
  },
  'a context that is too long': {
    provider: fails(400, { code: 'context_length_exceeded' }),
    kind: 'request_too_long',
    detail: /the request is too long for the model/,
    asked: 1,
    answered: 400,
  },
  'a context that is too long for a local server': {
    provider: answering(400, {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    }),
    kind: 'request_too_long',
    detail: /code exceed_context_size_error\): the request is too long for the model; shorten the prompt or the input/,
    asked: 1,
    answered: 400,
  },
  'a request that is too large by its type': {
    provider: fails(400, { type: 'request_too_large' }),
    kind: 'request_too_long',
    detail: /the request is too long for the model/,
    asked: 1,
    answered: 400,
  },
  'a prompt that is refused': {
    provider: fails(400, { code: 'content_policy_violation' }),
    kind: 'content_refused',
    detail: /refuses the content under its policy/,
    asked: 1,
    answered: 400,
  },
  'an answer that is stopped under policy': {
    provider: answering(200, chatAnswer({ content: ANSWER }, { finish_reason: 'content_filter' })),
    kind: 'content_refused',
    detail: /refuses the content under its policy/,
    asked: 1,
    answered: 200,
  },
  'a redirect': {
    provider: answering(302, {}, { location: 'http://127.0.0.1:1/' }),
    kind: 'provider_unavailable',
    detail: /returned 302 \(Found\), a redirect; redirects are not followed\. Try again later\.$/,
    asked: 1,
    answered: 302,
  },
  'a redirect of a gateway whose words are told': {
    provider: answering(307, { error: { message: `Moved, ${KEY}.` } }, { location: 'http://127.0.0.1:1/' }),
    gateway: { expose_provider_messages: true },
    kind: 'provider_unavailable',
    detail: /returned 307 .*Try again later\. The provider said: Moved, \[redacted\]\.$/,
    asked: 1,
    answered: 307,
  },
  'a gateway whose words are told': {
    provider: fails(400, { message: `First line of ${KEY}: ${'y'.repeat(400)}\nsecond line` }),
    gateway: { expose_provider_messages: true },
    kind: 'definition_invalid',
    detail: /The provider said: First line of \[redacted\]: y{274}$/,
    asked: 1,
    answered: 400,
    said: expect.stringMatching(/second line$/),
  },
  'a gateway whose words are a document': {
    provider: answering(502, '<html><body>Bad gateway</body></html>', { 'retry-after-ms': '1' }),
    gateway: { expose_provider_messages: true },
    kind: 'provider_unavailable',
    detail: /returned 502 \(Bad Gateway\); try again later\.$/,
    asked: 3,
    answered: 502,
    said: '<html><body>Bad gateway</body></html>',
  },
};

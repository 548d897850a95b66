// Which kind of failure ended an attempt. The provider's answer decides; an SDK's error only where none was sent.
import type { JsonObject } from '../../../shared/json.ts';
import { errorCodeWords } from '../../lib/client-credentials.ts';
import type { HttpAnswer, HttpFailure, HttpResponse } from '../../lib/http-client/index.ts';
import { LARGE_BYTES } from '../../lib/text-work/index.ts';
import type { FailureCause } from '../../lib/model-providers/index.ts';
import { type Asked, causeOf } from './causes.ts';
import type { ProviderFailure } from './provider-failure.ts';
import { type ErrorBody, isPage, PAGE, readErrorBody } from './provider-words.ts';

export interface Classified
  extends Pick<ProviderFailure, 'kind' | 'status' | 'retryAfter' | 'isWithinAnswer' | 'cause' | 'isPage'> {
  body: ErrorBody;
  isRetried: boolean;
  /** Words for the operator alone; no part of a body. */
  hint?: string;
}

export const NO_BODY: ErrorBody = { code: undefined, type: undefined, message: undefined };
const REDIRECTED =
  'Redirects are not followed, because the key is meant only for the configured address. If the address has moved, change the base URL.';
const LONGEST_TOLD_WAIT = 24 * 60 * 60;

/** An answer that is an error by its status, or none. */
export function classifyAnswer(
  answer: HttpResponse | HttpFailure,
  now: number,
  asked: Asked = NOTHING_ASKED,
): Classified {
  if (answer.kind === 'failed') return classifyNoAnswer(answer);
  const { status } = answer;
  const retryAfter = retryAfterOf(answer.headers, now);
  // What a refusal says stands at its beginning.
  const body = readErrorBody(answer.body.subarray(0, LARGE_BYTES));
  return {
    ...classifyStatus(status, body, asked),
    ...(isPage(body.raw ?? '') ? { isPage: true, hint: PAGE } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(status < 400 ? { hint: REDIRECTED } : {}),
  };
}

const NOTHING_ASKED: Asked = { json: false, tools: false };

export function classifyStatus(status: number, body: ErrorBody, asked: Asked): Classified {
  const cause = causeOf(status, body, asked);
  // A request that is larger than the rate is never taken.
  const isRetried =
    status === 408 ||
    status === 409 ||
    (status === 429 && cause !== 'too_long') ||
    (status >= 500 && cause === undefined);
  return { kind: kindOfStatus(status, cause), status, body, isRetried, ...(cause === undefined ? {} : { cause }) };
}

function kindOfStatus(status: number, cause: FailureCause | undefined): Classified['kind'] {
  const isRefusal = status >= 400 && (status < 500 || cause !== undefined);
  if (cause === 'key_rejected' && isRefusal) return 'credentials_rejected';
  if (status === 401 || status === 403) return cause === 'refused' ? 'content_refused' : 'credentials_rejected';
  if (status === 429) return cause === 'too_long' ? 'request_too_long' : 'rate_limited';
  // Like an unreadable answer, a redirect is not an answer of a model.
  if (status === 408 || status === 409 || !isRefusal) return 'provider_unavailable';
  if (cause === 'too_long') return 'request_too_long';
  return cause === 'refused' ? 'content_refused' : 'definition_invalid';
}

function classifyNoAnswer({ because, detail, isUntrusted }: HttpFailure): Classified {
  if (isUntrusted === true) {
    return { kind: 'provider_not_configured', status: null, body: NO_BODY, isRetried: false, hint: detail };
  }
  if (because === 'timed_out')
    return { kind: 'timed_out', status: null, body: NO_BODY, isRetried: false, hint: detail };
  // An answer that is too large cannot be read a second time either.
  const isRetried = because !== 'too_large';
  return { kind: 'provider_unavailable', status: null, body: NO_BODY, isRetried, hint: detail };
}

/** Seconds, from `retry-after-ms` or `retry-after`, which is in seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers['retry-after-ms'];
  const given = headers['retry-after'];
  const seconds =
    milliseconds !== undefined && /^\d+(?:\.\d+)?$/.test(milliseconds)
      ? Number(milliseconds) / 1000
      : given === undefined
        ? Number.NaN
        : /^\d+(?:\.\d+)?$/.test(given)
          ? Number(given)
          : (Date.parse(given) - now) / 1000;
  return seconds >= 0 && seconds <= LONGEST_TOLD_WAIT ? Math.ceil(seconds) : undefined;
}

/** Why a cloud's identity service gave no token. @param body the object in its answer */
export function classifyTokenAnswer(answer: HttpAnswer, body: JsonObject | undefined): Classified {
  if (answer.kind === 'failed') {
    const failure = classifyNoAnswer(answer);
    return { ...failure, hint: `${NO_TOKEN} could not be reached for a token. ${answer.detail}` };
  }
  const { status } = answer;
  const hint = `${NO_TOKEN} returned no token: HTTP ${status}${errorCodeWords(body)}.`;
  const isLater = status === 408 || status === 429 || status >= 500;
  const kind = isLater || status < 400 ? 'provider_unavailable' : 'credentials_rejected';
  // The status is not that of the model provider, which was not asked.
  return { kind, status: null, body: NO_BODY, isRetried: isLater, hint };
}

const NO_TOKEN = 'Nothing was sent: the identity service';

/** Errors of an SDK that mean that the request cannot be made of what it was given. */
const MISFITS: Readonly<Record<string, string>> = {
  AI_UnsupportedFunctionalityError: 'does not have a feature that the definition asks for',
  AI_InvalidPromptError: 'does not take the prompt',
  AI_InvalidArgumentError: 'does not take a setting of the definition',
  AI_TypeValidationError: 'does not take `provider_options` as the definition has them',
  AI_NoSuchModelError: 'does not have the model',
};

/** The error codes of Node and its fetch for connections that failed or broke off. */
const UNREACHED = /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|UND_ERR_\w+)$/;
const MOST_CAUSES = 8;

/** Whether a cloud's credential chain could not reach its issuer; undefined for any other error. */
export function classifyUnreached(error: unknown): Classified | undefined {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < MOST_CAUSES; depth += 1) {
    const code = 'code' in at ? String(at.code) : '';
    if (UNREACHED.test(code)) {
      const hint = `Nothing was sent: the issuer of the credentials could not be reached (${code}).`;
      return { kind: 'provider_unavailable', status: null, body: NO_BODY, isRetried: true, hint };
    }
    at = at.cause;
  }
  return undefined;
}

/** An attempt that ended before anything was sent. */
export function classifyUnsent(error: unknown, isCloud: boolean): { kind: ProviderFailure['kind']; misfit?: string } {
  const name = error instanceof Error ? error.name : '';
  const misfit = MISFITS[name];
  if (misfit !== undefined) return { kind: 'definition_invalid', misfit };
  if (name === 'AI_LoadSettingError') return { kind: 'provider_not_configured' };
  // A cloud's own chain of credentials answers with errors of its own.
  if (name === 'AI_LoadAPIKeyError' || isCloud) return { kind: 'credentials_rejected' };
  return { kind: 'unclassified' };
}

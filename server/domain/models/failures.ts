// The contract's table of model failures: what each kind is to the caller. Details name a provider, a status, its
// meaning and a code, never the prompt, the answer or a secret.
import { STATUS_CODES } from 'node:http';
import { assertNever } from '../../../shared/assert-never.ts';
import type { Rejection } from '../../lib/rejection.ts';
import type { ModelFailureKind, ModelFault } from '../../kinds/models.ts';

/** What a definition may name instead. */
export interface FailureContext {
  providers: readonly string[];
  aliases: readonly string[];
}

/** When the provider does not say. */
const RETRY_AFTER_SECONDS = 30;

const NOTHING: FailureContext = { providers: [], aliases: [] };

/** What is known of a failure that a provider's answer, or the lack of one, is. */
export interface ProviderFailure {
  kind: Exclude<ModelFailureKind, 'model_not_allowed' | 'output_invalid' | 'cancelled'>;
  /** Null where there was no answer. */
  status: number | null;
  /** The provider had begun to answer, with this status, and then reported an error. */
  isWithinAnswer?: boolean;
  /** The code that the body names, at most 64 characters. */
  code?: string;
  /** The provider's own words, as the caller may see them. */
  said?: string;
  /** Seconds that the provider asks to wait. */
  retryAfter?: number;
  /** What else is configured, for a provider that cannot be asked as it is set up. */
  others?: FailureContext;
  /** For a definition that cannot be sent: what of it, in words without its texts. */
  misfit?: string;
  /** For a provider that is not configured: what to do, as a sentence that every caller may read. */
  remedy?: string;
  /** Whether tools returned results before. */
  hasResults?: boolean;
}

export function faultOf(provider: string, failure: ProviderFailure): ModelFault {
  const detail = `${sentence(provider, failure)}${failure.said === undefined ? '' : ` The provider said: ${failure.said}`}`;
  const rejection = rejectionOf(failure, detail);
  return { kind: failure.kind, detail, ...(rejection === undefined ? {} : { rejection }) };
}

function rejectionOf({ kind, retryAfter, others = NOTHING }: ProviderFailure, detail: string): Rejection | undefined {
  switch (kind) {
    case 'provider_not_configured':
      return unavailableAs(kind, detail, others);
    case 'credentials_rejected':
      return { reason: 'unavailable', because: kind, detail };
    case 'rate_limited':
    case 'provider_unavailable':
    case 'timed_out':
      return { reason: 'unavailable', because: kind, detail, retryAfter: retryAfter ?? RETRY_AFTER_SECONDS };
    case 'definition_invalid':
    case 'request_too_long':
      return { reason: 'conflict', kind: 'unworkable', detail };
    case 'content_refused':
      return { reason: 'invalid_input', detail, issues: [{ pointer: '/input', detail }] };
    case 'unclassified':
      return undefined;
    default:
      return assertNever(kind);
  }
}

function sentence(provider: string, { kind, status, code, retryAfter, others, ...failure }: ProviderFailure): string {
  const answered =
    failure.isWithinAnswer === true ? brokenOffWords(provider, code) : answeredWords(provider, status, code);
  switch (kind) {
    case 'provider_not_configured':
      return (
        failure.remedy ??
        `The model provider ${provider} is not configured correctly; ask the operator of this server to fix it.${others === undefined || others.providers.length === 0 ? '' : ` Configured providers: ${namesOf(others)}.`}`
      );
    case 'credentials_rejected':
      return status === null
        ? `The model provider ${provider} has no credential; ask the operator of this server to fix it.`
        : `${answered}: it rejects this server's credential; ask the operator of this server to fix it.`;
    case 'rate_limited':
      return `${answered}: too many requests. ${retryAfter === undefined ? 'Try again later.' : `Wait ${secondsWords(retryAfter)}, then try again.`}`;
    case 'provider_unavailable':
      return status === null
        ? `The model provider ${provider} could not be reached, or the connection broke off; try again later.`
        : status < 300 && failure.isWithinAnswer !== true
          ? `The model provider ${provider} sent a response that cannot be read; try again later.`
          : status >= 300 && status < 400
            ? `${answered}, a redirect; redirects are not followed. Try again later.`
            : `${answered}; try again later.`;
    case 'timed_out':
      return `The model provider ${provider} did not respond in time; try again later.`;
    case 'definition_invalid':
      return failure.misfit ?? `${answered}: it does not accept what the definition requests; change the definition.`;
    case 'request_too_long':
      return `${answered}: the request is too long for the model; ${failure.hasResults === true ? 'ask the tools for a page of their results' : 'shorten the prompt or the input'}.`;
    case 'content_refused':
      return `The model provider ${provider} refuses the content under its policy; change the input.`;
    case 'unclassified':
      return `The model provider ${provider} failed for an unknown reason (unclassified).`;
    default:
      return assertNever(kind);
  }
}

function brokenOffWords(provider: string, code: string | undefined): string {
  return `The model provider ${provider} ended its answer with an error${code === undefined ? '' : ` (code ${code})`}`;
}

export function answeredWords(provider: string, status: number | null, code: string | undefined): string {
  if (status === null) return `The model provider ${provider} did not respond`;
  const meaning = STATUS_CODES[status];
  const more = [meaning, code === undefined ? undefined : `code ${code}`].filter((part) => part !== undefined);
  return `The model provider ${provider} returned ${status}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function secondsWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Too many calls of one provider are in progress, and no slot became free in time. */
export function busy(provider: string, most: number): ModelFault {
  const kind = 'provider_unavailable';
  const detail = `The model provider ${provider} is busy with ${most} other requests from this server; try again shortly.`;
  return { kind, detail, rejection: { reason: 'unavailable', because: kind, detail, retryAfter: BUSY_SECONDS } };
}

const BUSY_SECONDS = 5;

export function cancelled(): ModelFault {
  return { kind: 'cancelled', detail: 'interrupted' };
}

export function notAllowed(reference: string): ModelFault {
  const detail = `The model ${reference} is not allowed on this server; list_models shows the allowed models.`;
  const because = 'model_not_allowed';
  return {
    kind: because,
    detail,
    rejection: { reason: 'unavailable', kind: 'model_not_offered', because, detail },
  };
}

export function notConfigured(reference: string, configured: FailureContext): ModelFault {
  const kind = 'provider_not_configured';
  const detail =
    configured.providers.length === 0
      ? `No model provider is configured, so the model ${reference} is not available. The operator of this server can set one up: in local mode on the Models page of the studio, otherwise as docs/models.md describes.`
      : `The provider of the model ${reference} is not configured. Configured providers: ${namesOf(configured)}.`;
  return { kind, detail, rejection: unavailableAs(kind, detail, configured) };
}

function unavailableAs(because: 'provider_not_configured', detail: string, { providers }: FailureContext): Rejection {
  const kind = providers.length === 0 ? {} : { kind: 'model_not_offered' };
  return { reason: 'unavailable', ...kind, because, detail };
}

function namesOf({ providers, aliases }: FailureContext): string {
  return `${providers.join(', ')}${aliases.length === 0 ? '' : `, and the aliases ${aliases.join(', ')}`}`;
}

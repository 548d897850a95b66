// The contract's table of model failures: what each kind is to the caller. Details name a provider, a status, its
// meaning and a code, never the prompt, the answer or a secret.
import { assertNever } from '../../../shared/assert-never.ts';
import type { Rejection } from '../../lib/rejection.ts';
import type { ModelFault } from '../../kinds/models.ts';
import { namesOf, sentenceOf } from './failure-sentences.ts';
import type { FailureContext, ProviderFailure } from './provider-failure.ts';

/** When the provider does not say. */
const RETRY_AFTER_SECONDS = 30;

const NOTHING: FailureContext = { providers: [], aliases: [] };

export function faultOf(provider: string, failure: ProviderFailure): ModelFault {
  const detail = `${sentenceOf(provider, failure)}${failure.providerMessage === undefined ? '' : ` The provider said: ${failure.providerMessage}`}`;
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

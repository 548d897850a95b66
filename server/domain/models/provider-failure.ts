// What is known of a failure of a model provider.
import type { ModelFailureKind } from '../../kinds/models.ts';
import type { FailureCause } from '../../lib/model-providers/index.ts';

/** What a definition may name instead. */
export interface FailureContext {
  providers: readonly string[];
  aliases: readonly string[];
}

/** What is known of a failure that a provider's answer, or the lack of one, is. */
export interface ProviderFailure {
  kind: Exclude<ModelFailureKind, 'model_not_allowed' | 'output_invalid' | 'cancelled'>;
  /** Null where there was no answer. */
  status: number | null;
  /** The provider had begun to answer, with this status, and then reported an error. */
  isWithinAnswer?: boolean;
  /** The code that the body names, at most 64 characters. */
  code?: string;
  /** What the failure is about, where the kind does not say it. */
  cause?: FailureCause;
  /** The answer is an HTML page. */
  isPage?: boolean;
  /** The reason to finish of an answer that cannot be used. */
  ending?: { reason: string; isCall: boolean };
  /** The reference that was asked for. */
  model?: string;
  /** No definition asks: the request tests the model. */
  isTest?: boolean;
  /** Whether only the operator can change how JSON is asked for. */
  isGateway?: boolean;
  /** The provider's own words, as the caller may see them. */
  providerMessage?: string;
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

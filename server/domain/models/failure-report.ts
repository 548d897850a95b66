// Reports for callers and the operator on model calls that failed or whose answer cannot be used.
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ModelFault, ModelRequest, ModelTurn } from '../../kinds/models.ts';
import type { ModelProvider, ModelSettings } from '../../settings/index.ts';
import type { CallFailure } from './call.ts';
import { faultOf } from './failures.ts';
import { callerWords, type Hide, mayTell, operatorWords, shownCode } from './provider-words.ts';
import { failingBy } from './reason-to-finish.ts';
import { configuredNames } from './resolve.ts';

export const ANSWERED = 200;

export interface FailureReport {
  provider: string;
  fault: ModelFault;
  /** Null without a response. */
  status: number | null;
  providerMessage?: string;
  /** For the operator alone. */
  hint?: string;
}

/** The providers that are configured, other than one. */
export function othersOf(settings: ModelSettings, prefix: string): ReturnType<typeof configuredNames> {
  const providers = settings.providers.filter((one) => one.prefix !== prefix);
  return configuredNames({ ...settings, providers });
}

export function reportOfFailure(
  provider: ModelProvider,
  failure: CallFailure,
  { hide, others, request }: { hide: Hide; others: ReturnType<typeof othersOf>; request: ModelRequest },
): FailureReport {
  const { prefix } = provider;
  const isTest = request.isTest === true;
  if (failure.kind === 'sent_nothing') {
    const { kind, misfit } = failure.why;
    const remedy = isTest ? '.' : '; change the definition.';
    const words = misfit === undefined ? {} : { misfit: `The model provider ${prefix} ${misfit}${remedy}` };
    const fault = faultOf(prefix, { kind, status: null, others, ...words });
    return { provider: prefix, fault, status: null, hint: `Nothing was sent: ${errorName(failure.error)}.` };
  }
  const { kind, status, body, retryAfter, cause, hint = hintOf(provider, failure), ...shown } = failure;
  const providerMessage =
    body.message === undefined || !mayTell(provider) ? undefined : callerWords(body.message, hide);
  const fault = faultOf(prefix, {
    kind,
    status,
    others,
    hasResults: request.messages.some(({ role }) => role === 'tool'),
    isWithinAnswer: shown.isWithinAnswer === true,
    isPage: shown.isPage === true,
    isGateway: provider.kind === 'gateway',
    isTest,
    model: request.model,
    ...(cause === undefined ? {} : { cause }),
    ...(body.code === undefined ? {} : { code: shownCode(body.code, hide) }),
    ...(providerMessage === undefined ? {} : { providerMessage }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
  return {
    provider: prefix,
    fault,
    status,
    ...ifThere(body.message ?? body.raw, (words) => ({ providerMessage: operatorWords(words, hide) })),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** For the operator alone: which setting of a gateway may help. */
function hintOf(
  provider: ModelProvider,
  { cause, status }: Extract<CallFailure, { body: unknown }>,
): string | undefined {
  if (provider.kind !== 'gateway') return undefined;
  if (cause === 'json_refused') {
    return `Set structured_outputs of the gateway ${provider.prefix} to ${!provider.structuredOutputs}: it is asked for JSON by ${provider.structuredOutputs ? 'json_schema' : 'json_object'} now.`;
  }
  const isAddress = cause === 'address_wrong' || (cause === undefined && (status === 404 || status === 405));
  if (!isAddress) return undefined;
  return `Check base_url of the gateway ${provider.prefix}; /chat/completions is appended to it, and many end with /v1.`;
}

/** The report on an answer that cannot be used, by its reason to finish. */
export function reportOfEnding(
  { prefix }: ModelProvider,
  { finishReason, providerMetadata }: LanguageModelV4GenerateResult,
  { text, toolCalls }: Pick<ModelTurn, 'text' | 'toolCalls'>,
  hide: Hide,
): FailureReport | undefined {
  const isEmpty = text.trim() === '' && toolCalls.length === 0;
  const failing = failingBy(finishReason, isEmpty);
  if (failing === undefined) return undefined;
  const reason = shownCode(finishReason.raw ?? finishReason.unified, hide);
  const hint = `The answer ended with ${reason}.`;
  if (failing === 'refused') {
    const fault = faultOf(prefix, { kind: 'content_refused', status: ANSWERED });
    return { provider: prefix, fault, status: ANSWERED, hint };
  }
  const ending = { reason, isCall: failing === 'call' };
  const fault = faultOf(prefix, { kind: 'provider_unavailable', status: ANSWERED, ending });
  const providerMessage = Object.values(providerMetadata ?? {}).map(({ finishMessage }) => finishMessage);
  return {
    provider: prefix,
    fault,
    status: ANSWERED,
    hint,
    ...ifThere(wordsIn(providerMessage), (words) => ({ providerMessage: operatorWords(words, hide) })),
  };
}

/** Gemini's explanation up to a colon, behind which it quotes the answer. */
function wordsIn(providerMessage: readonly unknown[]): string | undefined {
  const [words] = providerMessage.filter((one) => typeof one === 'string');
  return words?.split(/[:\n]/, 1)[0]?.trim();
}

function ifThere<T extends object>(words: string | undefined, make: (words: string) => T): T | object {
  return words === undefined || words === '' ? {} : make(words);
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'an error without a name';
}

// What a provider's error is about, where its status does not say it: by its code or type, else by its words. Providers and
// servers of local models share few codes; each pattern was taken from the messages of several of them.
import { type FailureCause, MODEL_PROVIDERS } from '../../lib/model-providers/index.ts';
import type { ErrorBody } from './provider-words.ts';

/** What a request asked for beside text. */
export interface Asked {
  json: boolean;
  tools: boolean;
}

/** Of all providers, because gateways pass their codes on. */
const CODES: ReadonlyMap<string, FailureCause> = new Map<string, FailureCause>([
  ['context_length_exceeded', 'too_long'],
  ['request_too_large', 'too_long'],
  // llama.cpp
  ['exceed_context_size_error', 'too_long'],
  ['content_filter', 'refused'],
  ['content_policy_violation', 'refused'],
  ['moderation_blocked', 'refused'],
  ['data_inspection_failed', 'refused'],
  ['DataInspectionFailed', 'refused'],
  ['cyber_policy_violation', 'refused'],
  ['model_not_found', 'model_unknown'],
  ['model_not_available', 'model_unknown'],
  ['model_not_supported', 'model_unknown'],
  ['model_decommissioned', 'model_unknown'],
  ['unknown_model', 'model_unknown'],
  ['invalid_model', 'model_unknown'],
  ['insufficient_quota', 'no_credits'],
  ['exceeded_current_quota_error', 'no_credits'],
  ['insufficient_credits', 'no_credits'],
  ['billing_hard_limit_reached', 'no_credits'],
  ['billing_not_active', 'no_credits'],
  ['billing_error', 'no_credits'],
  ['Arrearage', 'no_credits'],
  ['budget_exceeded', 'no_credits'],
  ['unsupported_country_region_territory', 'region_refused'],
  // LiteLLM
  ['team_model_access_denied', 'model_withheld'],
  ['key_model_access_denied', 'model_withheld'],
  ...MODEL_PROVIDERS.flatMap(({ errorCodes = {} }) => Object.entries(errorCodes)),
]);

const either = (...forms: RegExp[]): RegExp => new RegExp(forms.map(({ source }) => source).join('|'), 'i');

/** Google words each rate limit as a quota and names the billing plan, so neither is among these. */
const NO_CREDITS = either(
  /credit balance|credit limit exceeded|credits are depleted|insufficient[ _](?:credits?|balance|funds|quota)/,
  /(?:out of|no|used all available|requires more) credits|billing (?:hard )?limit|spending limit|payment required/,
  /specified API usage limits|suspended.{0,40}billing|key limit exceeded|inactive subscription|spend limit/,
  /(?:have|has|has not|n't have) any credits|included credits|budget has been exceeded|exceeded ?budget|over budget/,
);
const LARGER_THAN_RATE = /request too large for/i;

const KEY_REJECTED = /api[ _]key (?:is )?(?:not valid|not found|invalid|expired)|(?:invalid|incorrect) api[ _]key/i;

/** The first that fits counts. */
const WORDS: readonly [FailureCause, RegExp][] = [
  ['key_rejected', KEY_REJECTED],
  ['region_refused', /(?:user location|country|region).{0,40} not supported/i],
  [
    'address_wrong',
    /unexpected endpoint or method|(?:invalid|unknown request|unrecognized request) url\b|^cannot post \//i,
  ],
  [
    'too_long',
    either(
      /context (?:length|size|window)|ContextWindowExceeded|maximum (?:context|prompt|input) length|max_seq_len/,
      /(?:prompt|input|request) is too long|too many (?:input )?tokens|longer than the maximum model length/,
      /`inputs` (?:tokens|must have)|token count .{0,40}exceeds|too large for model with|range of input length/,
      /exceed(?:s|ed)? (?:the )?(?:maximum number of tokens|(?:model )?(?:token|context) limit)/,
      /(?:prompt|input) exceeds (?:the )?max(?:imum)? length|input is too large to process|n_keep .{0,40}n_ctx/,
      /^Invalid '(?:input|messages)[^']{0,60}': string too long/,
    ),
  ],
  [
    'refused',
    either(
      /flagged (?:as|for) |input was flagged|content exists risk|prompt blocked|for safety reasons|new_sensitive|不安全|敏感内容/,
      /usage (?:polic|guidelines)|content (?:management|policy) polic|content filter(?:ing)? polic|ContentPolicyViolation/,
      /(?:content|safety) polic(?:y|ies) violation|violat(?:es?|ed|ing) .{0,40}(?:content|usage|safety) polic/,
      /(?:blocked|rejected|filtered) .{0,40}(?:safety|moderation|guardrail|content filter)/,
    ),
  ],
  ['no_credits', NO_CREDITS],
  [
    'tools_refused',
    either(
      /(?:does not|doesn't|not) support (?:tools?|tool (?:use|call)|function[ -]?call)|support tool use/,
      /\btool[ _-]?(?:use|calls?|calling)\W{0,2} (?:is|are) not (?:supported|enabled|available)/,
      /\bfunction[ _-]?(?:use|calls?|calling)\W{0,2} (?:is|are) not (?:supported|enabled|available)/,
      /\btools?\W{0,2} (?:is|are) not supported|tool choice requires|tools param requires/,
    ),
  ],
  [
    'json_refused',
    either(
      /response_format|response format|json_object|json_schema|\bjson mode\b|structured outputs?|text\.format/,
      /response[ _](?:mime[ _]type|schema)|output[ _](?:format|config|schema)|(?:provided|invalid) json schema/,
      /json schema conversion|parse grammar|grammar error|schema in GenerationConfig|xgrammar|guided (?:decoding|json|grammar)/,
    ),
  ],
  [
    'model_not_loaded',
    /(?:failed to|could not|unable to) load (?:the )?model\b|requires more system memory|runner process has terminated/i,
  ],
  ['model_unsuited', /not a chat model|only supported in v1\/|operation does not work with the specified model/i],
  [
    'model_unknown',
    either(
      /^model: |\b(?:models?|deployment)\b.{0,160}\b(?:not found|(?:does|do)(?: not|n't) exist|not exist|not a valid model)/,
      /\bmodels?\b.{0,160}\b(?:decommissioned|has been (?:deprecated|retired|removed)|not supported by any provider)/,
      /(?:unknown|invalid|no such|unrecognized) model\b|not a (?:valid|supported) model|model identifier|foundation model/,
      /no models? loaded|specify a model by|not find real model|not found the model|unable to access model/,
      /specified model ID|on-demand throughput|no endpoints (?:found|available)|no allowed providers/,
    ),
  ],
];

/** An error's message says what it is about at its beginning. */
const MOST_READ = 1000;

/** @returns undefined where the status says enough */
export function causeOf(
  status: number | undefined,
  { code, type, message, raw }: ErrorBody,
  asked: Asked,
): FailureCause | undefined {
  const byCode = CODES.get(code ?? '') ?? CODES.get(type ?? '');
  if (byCode !== undefined) return byCode;
  if (status === 402) return 'no_credits';
  if (status === 413) return 'too_long';
  if (status === 410) return 'model_unknown';
  const words = (message ?? raw ?? '').slice(0, MOST_READ);
  if (status !== undefined && status >= 500) return status === 500 ? causeOfLocal(words, asked) : undefined;
  if (status === 429)
    return NO_CREDITS.test(words) ? 'no_credits' : LARGER_THAN_RATE.test(words) ? 'too_long' : undefined;
  const found = WORDS.find(([cause, form]) => isAsked(cause, asked) && form.test(words));
  return found?.[0];
}

/** Servers of local models answer 500 for what they do not take. */
const WITH_500: readonly FailureCause[] = ['too_long', 'tools_refused', 'json_refused', 'model_not_loaded'];

function causeOfLocal(words: string, asked: Asked): FailureCause | undefined {
  return WORDS.find(([cause, form]) => WITH_500.includes(cause) && isAsked(cause, asked) && form.test(words))?.[0];
}

function isAsked(cause: FailureCause, { json, tools }: Asked): boolean {
  if (cause === 'json_refused') return json;
  return cause !== 'tools_refused' || tools;
}

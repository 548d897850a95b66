// What a provider's error is about, where its status does not say it: by its code or type, else by its words. Providers and
// servers of local models share few codes; each pattern was taken from the messages of several of them.
import type { ErrorBody } from './provider-words.ts';

/** What a request asked for beside text. */
export interface Asked {
  json: boolean;
  tools: boolean;
}

export type Cause =
  | 'model_unknown'
  | 'no_credits'
  | 'too_long'
  | 'refused'
  | 'json_refused'
  | 'tools_refused'
  /** The model wrote a tool call that is not valid. */
  | 'call_invalid';

const CODES: ReadonlyMap<string, Cause> = new Map([
  ['context_length_exceeded', 'too_long'],
  ['request_too_large', 'too_long'],
  // llama.cpp
  ['exceed_context_size_error', 'too_long'],
  ['content_filter', 'refused'],
  ['content_policy_violation', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  ['moderation_blocked', 'refused'],
  ['data_inspection_failed', 'refused'],
  ['model_not_found', 'model_unknown'],
  ['invalid_model', 'model_unknown'],
  ['DeploymentNotFound', 'model_unknown'],
  ['insufficient_quota', 'no_credits'],
  ['insufficient_credits', 'no_credits'],
  ['billing_hard_limit_reached', 'no_credits'],
  ['billing_not_active', 'no_credits'],
  ['billing_error', 'no_credits'],
  // Groq
  ['tool_use_failed', 'call_invalid'],
]);

/** The first that fits counts. */
const WORDS: readonly [Cause, RegExp][] = [
  [
    'too_long',
    /context (?:length|size|window)|ContextWindowExceeded|maximum (?:context|prompt|input) length|(?:prompt|input|request) is too long|too many (?:input )?tokens|longer than the maximum model length|`inputs` (?:tokens|must have)|token count .{0,40}exceeds|too large for model with|exceeds? (?:the )?(?:maximum number of tokens|context limit)/i,
  ],
  [
    'refused',
    /flagged as (?:potentially )?violating|input was flagged|usage polic|content (?:management|policy) polic|content filter(?:ing)? polic|ContentPolicyViolation|(?:content|safety) polic(?:y|ies) violation|violates? .{0,40}(?:content|usage|safety) polic/i,
  ],
  [
    'no_credits',
    /credit balance|insufficient[ _](?:credits?|balance|funds|quota)|(?:out of|no|used all available|more) credits|billing (?:hard )?limit|spending limit|payment required/i,
  ],
  [
    'tools_refused',
    /(?:does not|doesn't|not) support (?:tools?|tool use|function call)|support tool use|tools? (?:is|are) not supported|tool choice requires/i,
  ],
  ['json_refused', /response_format|response format|json_object|json_schema|\bjson mode\b|structured outputs?/i],
  [
    'model_unknown',
    /^model: |\b(?:models?|deployment)\b.{0,160}\b(?:not found|(?:does|do)(?: not|n't) exist|not exist|not a valid model)|(?:unknown|invalid|no such|unrecognized) model\b|not a valid model|model identifier|foundation model|no models? loaded|no endpoints found for/i,
  ],
];

/** An error's message says what it is about at its beginning. */
const MOST_READ = 1000;

/** @returns undefined where the status says enough */
export function causeOf(
  status: number | undefined,
  { code, type, message, raw }: ErrorBody,
  asked: Asked,
): Cause | undefined {
  const byCode = CODES.get(code ?? '') ?? CODES.get(type ?? '');
  if (byCode !== undefined) return byCode;
  if (status === 402) return 'no_credits';
  if (status === 413) return 'too_long';
  if (status === 410) return 'model_unknown';
  // Google words each rate limit as a quota and names the billing plan.
  if (status === 429 || (status !== undefined && status >= 500)) return undefined;
  const words = (message ?? raw ?? '').slice(0, MOST_READ);
  const found = WORDS.find(([cause, form]) => isAsked(cause, asked) && form.test(words));
  return found?.[0];
}

function isAsked(cause: Cause, { json, tools }: Asked): boolean {
  if (cause === 'json_refused') return json;
  return cause !== 'tools_refused' || tools;
}

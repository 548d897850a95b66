// What the reason to finish of a provider means, where its SDK knows it only as another one. As OpenAI, Anthropic, Gemini,
// Bedrock, Cohere, Mistral, OpenRouter, LiteLLM and Zhipu name them.
import type { LanguageModelV4FinishReason } from '@ai-sdk/provider';

/** `call`: the model wrote a tool call that is not valid. */
export type Failing = 'refused' | 'call' | 'error';

const REFUSED =
  /^(?:refus(?:al|ed)|content[_-]?filter(?:ed)?|content_policy(?:_violation)?|(?:image_)?safety|(?:image_)?recitation|blocklist|(?:image_)?prohibited_content|spii|language|model_armor|jailbreak|guardrails?(?:_intervened)?|error_toxic|sensitive)$/i;
const CALL =
  /^(?:malformed_(?:function_call|tool_use|response|model_output)|unexpected_tool_call|too_many_tool_calls)$/i;
const ERROR =
  /^(?:error|error_limit|failed|timeout|abort(?:ed)?|cancelled|network_error|insufficient_system_resource|missing_thought_signature)$/i;

export function isRefusal(reason: string): boolean {
  return REFUSED.test(reason);
}

/**
 * Undefined for an answer that can be used.
 * @param isEmpty whether the answer has neither text nor calls: with an unknown reason, it is none
 */
export function failingBy({ unified, raw = '' }: LanguageModelV4FinishReason, isEmpty: boolean): Failing | undefined {
  if (unified === 'content-filter' || isRefusal(raw)) return 'refused';
  if (CALL.test(raw)) return 'call';
  return unified === 'error' || ERROR.test(raw) || (isEmpty && unified === 'other') ? 'error' : undefined;
}

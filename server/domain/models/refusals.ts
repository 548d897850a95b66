// Refusals of a model, which the APIs of OpenAI and of many gateways put beside the text that SDKs read: a member `refusal` of a
// message, or a part of that type; or, behind a gateway, the reason of the provider itself. Other providers give a reason to
// finish, which `reason-to-finish.ts` reads.
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { isJsonObject } from '../../../shared/json.ts';
import { isRefusal } from './reason-to-finish.ts';

/** The members that lead to a message and its parts, in chunks of a stream too. */
const HOLDERS = ['choices', 'message', 'delta', 'content', 'output', 'item', 'part', 'response'];
const MOST_DEPTH = 8;

/** Whether an answer, or a chunk of one, contains a refusal. */
export function refusesIn(value: unknown, depth = 0): boolean {
  if (depth > MOST_DEPTH) return false;
  if (Array.isArray(value)) return value.some((part) => refusesIn(part, depth + 1));
  if (!isJsonObject(value)) return false;
  const { refusal, type, native_finish_reason: reason } = value;
  if (typeof refusal === 'string' && refusal.trim() !== '') return true;
  if (typeof type === 'string' && /^(?:response\.)?refusal(?:\.|$)/.test(type)) return true;
  if (typeof reason === 'string' && isRefusal(reason)) return true;
  if (isFiltered(value['content_filter_results'])) return true;
  return HOLDERS.some((name) => refusesIn(value[name], depth + 1));
}

/** Azure names each category, and whether it cut the answer for it. */
function isFiltered(results: unknown): boolean {
  return isJsonObject(results) && Object.values(results).some((one) => isJsonObject(one) && one['filtered'] === true);
}

export function withRefusal(result: LanguageModelV4GenerateResult, isRefused: boolean): LanguageModelV4GenerateResult {
  return isRefused ? { ...result, finishReason: { unified: 'content-filter', raw: 'refusal' } } : result;
}

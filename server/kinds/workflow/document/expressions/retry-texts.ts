import type { RetryPolicy } from '../dsl.ts';
import { bare, type EvaluatedText } from './evaluated-text.ts';

export function retryTexts(
  { when, exceptWhen }: RetryPolicy,
  pointer: string,
  variables: readonly string[],
): EvaluatedText[] {
  return [...bare(when, `${pointer}/when`, variables), ...bare(exceptWhen, `${pointer}/exceptWhen`, variables)];
}

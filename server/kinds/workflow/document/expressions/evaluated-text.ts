import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { RetryPolicy } from '../dsl.ts';

/** A text of a document that is evaluated or may be. */
export interface EvaluatedText {
  pointer: string;
  text: string;
  /** `bare`: the text is jq, with or without `${ }`. `template`: it is jq only where it is wholly inside `${ }`. */
  form: 'bare' | 'template';
  variables: readonly string[];
}

/** A text is jq, anything else a template. */
export function rule(value: Json | undefined, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return typeof value === 'string' ? bare(value, pointer, variables) : templates(value, pointer, variables);
}

export function bare(text: string | undefined, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return text === undefined ? [] : [{ pointer, text, form: 'bare', variables }];
}

export function retryTexts(
  { when, exceptWhen }: RetryPolicy,
  pointer: string,
  variables: readonly string[],
): EvaluatedText[] {
  return [...bare(when, `${pointer}/when`, variables), ...bare(exceptWhen, `${pointer}/exceptWhen`, variables)];
}

/** Every text in a value. */
export function templates(value: Json | undefined, pointer: string, variables: readonly string[]): EvaluatedText[] {
  if (typeof value === 'string') return [{ pointer, text: value, form: 'template', variables }];
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => templates(item, `${pointer}/${place}`, variables));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    templates(member, `${pointer}/${escapeToken(name)}`, variables),
  );
}

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
    return value.flatMap((item, index) => templates(item, `${pointer}/${index}`, variables));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    templates(member, `${pointer}/${escapeToken(name)}`, variables),
  );
}

const STRING = /"(?:[^"\\]|\\[^])*\\?(?:"|$)/g;

/** An expression without what its strings say. A string that is not closed reaches to the end. */
export function withoutStrings(expression: string): string {
  return expression.replaceAll(STRING, '""');
}

// Which arguments an expression has, by where it stands: the standard's table (dsl.md, "Runtime expression arguments").

const ALWAYS = ['secrets', 'workflow', 'runtime'] as const;

export const AT_WORKFLOW_INPUT: readonly string[] = [...ALWAYS];
export const AT_WORKFLOW_OUTPUT: readonly string[] = ['context', ...ALWAYS];
/** `if` and `input.from`: on the raw input. */
export const AT_RAW_INPUT: readonly string[] = ['context', 'task', ...ALWAYS];
/** The task itself and `output.as`. */
export const AT_TASK: readonly string[] = ['context', 'input', 'task', 'authorization', ...ALWAYS];
export const AT_EXPORT: readonly string[] = [...AT_TASK, 'output'];
/** The filters of a schedule: no run is there yet. */
export const AT_SCHEDULE: readonly string[] = ['secrets', 'runtime'];

export const ARGUMENTS: readonly string[] = [...AT_EXPORT];

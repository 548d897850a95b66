// Every text of a document that is evaluated or may be: where it stands, and which variables are bound there.
import type { Json } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import { durationsOf } from '../walk-durations.ts';
import type { Walk, WalkedStep } from '../walk.ts';
import {
  AT_EXPORT,
  AT_RAW_INPUT,
  AT_TASK,
  AT_WORKFLOW_INPUT,
  AT_WORKFLOW_OUTPUT,
  bare,
  type EvaluatedText,
  retryTexts,
  rule,
  templates,
} from './evaluated-text.ts';
import { scheduleTexts } from './event-texts.ts';

export function textsOf(walked: Walk): EvaluatedText[] {
  const { document, steps, extensions } = walked;
  const use = document.use ?? {};
  return [
    ...rule(document.input?.from, '/input/from', AT_WORKFLOW_INPUT),
    ...rule(document.output?.as, '/output/as', AT_WORKFLOW_OUTPUT),
    ...scheduleTexts(document.schedule),
    ...templates(use.authentications, '/use/authentications', AT_TASK),
    ...templates(use.errors as unknown as Json, '/use/errors', AT_TASK),
    ...namedRetryTexts(walked),
    ...durationTexts(walked),
    ...extensions.flatMap(({ extension, pointer }) => bare(extension.when, `${pointer}/when`, AT_TASK)),
    ...steps.flatMap(stepTexts),
  ];
}

function stepTexts({ task, descriptor, pointer, variables }: WalkedStep): EvaluatedText[] {
  const raw = [...AT_RAW_INPUT, ...variables];
  const own = [...AT_TASK, ...variables];
  return [
    ...bare(task.if, `${pointer}/if`, raw),
    ...rule(task.input?.from, `${pointer}/input/from`, raw),
    ...(descriptor.texts?.({ task, pointer }, { own, around: variables }) ?? []),
    ...rule(task.output?.as, `${pointer}/output/as`, own),
    ...rule(task.export?.as, `${pointer}/export/as`, [...AT_EXPORT, ...variables]),
  ];
}

/** Named policies, with each name that the catches which use them give to the error. */
function namedRetryTexts({ document, steps }: Walk): EvaluatedText[] {
  const variables = new Map<string, Set<string>>();
  for (const step of steps) {
    const { retry, variable } = step.descriptor.retry?.(step) ?? {};
    if (typeof retry !== 'string' || variable === undefined) continue;
    variables.set(retry, (variables.get(retry) ?? new Set()).add(variable));
  }
  return Object.entries(document.use?.retries ?? {}).flatMap(([name, policy]) =>
    [...(variables.get(name) ?? ['error'])].flatMap((variable) =>
      retryTexts(policy, `/use/retries/${escapeToken(name)}`, [...AT_TASK, variable]),
    ),
  );
}

function durationTexts(walked: Walk): EvaluatedText[] {
  const variablesAt = new Map(walked.steps.map(({ pointer, variables }) => [pointer, variables]));
  return durationsOf(walked).flatMap(({ duration, pointer }) => {
    if (pointer.startsWith('/timeout')) return templates(duration, pointer, AT_WORKFLOW_INPUT);
    const holder = holdersOf(pointer).find((at) => variablesAt.has(at));
    const around = holder === undefined ? [] : (variablesAt.get(holder) ?? []);
    return templates(duration, pointer, [...AT_TASK, ...around]);
  });
}

/** The pointers above a pointer, the nearest first. */
function holdersOf(pointer: string): string[] {
  const tokens = pointer.split('/');
  return tokens.map((_, count) => tokens.slice(0, tokens.length - count).join('/'));
}

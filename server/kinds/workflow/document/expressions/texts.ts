// Every text of a document that is evaluated or may be: where it stands, and which variables are bound there.
import type { Json } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { ErrorDefinition, Export, InputRule, OutputRule, RetryPolicy } from '../dsl.ts';
import { durationsOf } from '../rules/durations.ts';
import { loopVariables, type WalkedStep, type Walk } from '../walk.ts';
import { bare, type EvaluatedText, rule, templates } from './evaluated-text.ts';
import { filterTexts, scheduleTexts } from './event-texts.ts';
import { AT_EXPORT, AT_RAW_INPUT, AT_TASK, AT_WORKFLOW_INPUT, AT_WORKFLOW_OUTPUT } from './variables.ts';

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

function stepTexts(step: WalkedStep): EvaluatedText[] {
  const { task, pointer, variables } = step;
  const raw = [...AT_RAW_INPUT, ...variables];
  const own = [...AT_TASK, ...variables];
  return [
    ...bare(task.if, `${pointer}/if`, raw),
    ...inputTexts(task.input, `${pointer}/input`, raw),
    ...taskTexts(step, own),
    ...outputTexts(task.output, `${pointer}/output`, own),
    ...exportTexts(task.export, `${pointer}/export`, [...AT_EXPORT, ...variables]),
  ];
}

function inputTexts(input: InputRule | undefined, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return rule(input?.from, `${pointer}/from`, variables);
}

function outputTexts(output: OutputRule | undefined, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return rule(output?.as, `${pointer}/as`, variables);
}

function exportTexts(rules: Export | undefined, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return rule(rules?.as, `${pointer}/as`, variables);
}

function taskTexts({ task, pointer, variables: around }: WalkedStep, own: readonly string[]): EvaluatedText[] {
  if ('call' in task) return templates(task.with, `${pointer}/with`, own);
  if ('emit' in task) return templates(task.emit.event.with, `${pointer}/emit/event/with`, own);
  if ('for' in task) {
    const inner = [...own, ...loopVariables(task.for.each, task.for.at)];
    return [...rule(task.for.in, `${pointer}/for/in`, own), ...bare(task.while, `${pointer}/while`, inner)];
  }
  if ('listen' in task) {
    const loop = loopVariables(task.foreach?.item, task.foreach?.at);
    return [
      ...filterTexts(task.listen.to, `${pointer}/listen/to`, own),
      ...outputTexts(task.foreach?.output, `${pointer}/foreach/output`, [...own, ...loop]),
      ...exportTexts(task.foreach?.export, `${pointer}/foreach/export`, [...AT_EXPORT, ...around, ...loop]),
    ];
  }
  if ('raise' in task) return errorTexts(task.raise.error, `${pointer}/raise/error`, own);
  if ('run' in task) return templates(task.run.workflow.input, `${pointer}/run/workflow/input`, own);
  if ('set' in task) return rule(task.set, `${pointer}/set`, own);
  if ('switch' in task) {
    return task.switch.flatMap((item, place) =>
      Object.entries(item).flatMap(([name, { when }]) =>
        bare(when, `${pointer}/switch/${place}/${escapeToken(name)}/when`, own),
      ),
    );
  }
  if ('try' in task) {
    const { when, exceptWhen, retry, as: name = 'error' } = task.catch;
    const caught = [...own, name];
    return [
      ...bare(when, `${pointer}/catch/when`, caught),
      ...bare(exceptWhen, `${pointer}/catch/exceptWhen`, caught),
      ...(typeof retry === 'object' ? retryTexts(retry, `${pointer}/catch/retry`, caught) : []),
    ];
  }
  return [];
}

function errorTexts(error: string | ErrorDefinition, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return typeof error === 'string' ? [] : templates(error as unknown as Json, pointer, variables);
}

function retryTexts({ when, exceptWhen }: RetryPolicy, pointer: string, variables: readonly string[]): EvaluatedText[] {
  return [...bare(when, `${pointer}/when`, variables), ...bare(exceptWhen, `${pointer}/exceptWhen`, variables)];
}

/** Named policies, with each name that the catches which use them give to the error. */
function namedRetryTexts({ document, steps }: Walk): EvaluatedText[] {
  const variables = new Map<string, Set<string>>();
  for (const { task } of steps) {
    if (!('try' in task) || typeof task.catch.retry !== 'string') continue;
    const names = variables.get(task.catch.retry) ?? new Set();
    variables.set(task.catch.retry, names.add(task.catch.as ?? 'error'));
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

/** The pointers above a place, the nearest first. */
function holdersOf(pointer: string): string[] {
  const tokens = pointer.split('/');
  return tokens.map((_, count) => tokens.slice(0, tokens.length - count).join('/'));
}

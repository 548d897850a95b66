// What an overview says of a workflow beside what it says of every definition.
import type { ReadAs } from './dsl.ts';
import { periodWords } from '../../../lib/duration.ts';
import { code } from '../../../lib/schemas/index.ts';
import type { Trigger } from '../../checked.ts';
import { shown, thenWords } from './words.ts';
import type { WalkedScope, WalkedStep, Walk } from './walk.ts';

const MOST_STEPS = 100;

/** What it needs and produces where it names no schema. */
export function unnamedWords(triggers: readonly Trigger[], read: ReadAs = 'data'): { needs?: string; gives: string } {
  const takesEvents = triggers.some(({ kind }) => kind === 'event');
  return { ...(takesEvents ? { needs: EVENT_INPUT[read] } : {}), gives: 'The output of its last step.' };
}

/** The input of a run that events start, by `read` of its schedule. */
const EVENT_INPUT: Readonly<Record<ReadAs, string>> = {
  data: 'The list of the data of the events that start it; `.[0]` is that of the first.',
  envelope: 'The list of the events that start it; `.[0]` is the first, and `.[0].data` its data.',
  raw: 'The list of the data of the events that start it, each as text; `.[0]` is that of the first.',
};

export function doesWords(
  { document: { schedule }, root, functions: own }: Walk,
  { triggers, tools }: { triggers: readonly Trigger[]; tools: readonly string[] },
): string[] {
  const starts = triggers.map((trigger) => `- ${triggerWords(trigger, schedule?.timezone)}`);
  const lines = stepLines(root);
  const functions = [...own.values()].flatMap((scope) => stepLines(scope));
  return [
    ...(starts.length === 0 ? [] : [`**Starts automatically**\n\n${starts.join('\n')}`]),
    `**Does**\n\n${lines.length === 0 ? 'Nothing: it has no steps.' : lines.slice(0, MOST_STEPS).join('\n')}`,
    ...(lines.length > MOST_STEPS ? [`... and ${lines.length - MOST_STEPS} more.`] : []),
    ...(functions.length === 0 ? [] : [`**Functions**\n\n${functions.slice(0, MOST_STEPS).join('\n')}`]),
    ...(tools.length === 0 ? [] : [`**Tools** ${tools.map(code).join(', ')}`]),
  ];
}

function stepLines({ steps }: WalkedScope, level = 0): string[] {
  const indent = '  '.repeat(level);
  return steps.flatMap((step) => [`${indent}- ${code(step.name)}: ${stepWords(step)}`, ...bodyLines(step, level + 1)]);
}

function bodyLines({ bodies }: WalkedStep, level: number): string[] {
  return bodies.flatMap(({ role, scope }) => {
    if (role !== 'handler') return stepLines(scope, level);
    return [`${'  '.repeat(level)}- on error:`, ...stepLines(scope, level + 1)];
  });
}

function triggerWords(trigger: Trigger, timezone: string | undefined): string {
  switch (trigger.kind) {
    case 'event': {
      const types = [...new Set(trigger.filters.map(({ type }) => type ?? 'any type'))];
      return types.length === 0 ? 'on every event' : `on events of ${types.map(code).join(', ')}`;
    }
    case 'cron':
      return `on the schedule ${code(trigger.expression)} (${timezone ?? 'UTC'})`;
    case 'every':
      return `every ${periodWords(trigger)}`;
    case 'after':
      return `immediately, then ${periodWords(trigger)} after each run ends`;
  }
}

/** What a step does, in a few words. */
export function stepWords({ task, descriptor }: WalkedStep): string {
  const condition = task.if === undefined ? '' : `if ${shown(task.if)}, `;
  const then = task.then === undefined || task.then === 'continue' ? '' : `, then ${thenWords(task.then)}`;
  return `${condition}${descriptor.words(task)}${then}`;
}

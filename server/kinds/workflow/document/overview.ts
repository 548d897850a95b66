// Markdown: what a workflow needs, produces and does.
import type { JsonObject } from '../../../../shared/json.ts';
import { code, fieldsOf } from '../../../kernel/schemas/index.ts';
import type { Trigger } from './triggers.ts';
import { stepWords } from './step-words.ts';
import type { Scope, Step, Walk } from './walk.ts';

const MOST_STEPS = 100;

export interface OverviewParts {
  description?: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  shape?: string;
  examples: readonly { name: string }[];
  expose: boolean;
  triggers: readonly Trigger[];
  tools: readonly string[];
}

export function overviewOf(walked: Walk, parts: OverviewParts): string {
  const { description, inputSchema, outputSchema, shape, examples, expose, triggers, tools } = parts;
  const { schedule } = walked.document;
  const needs = triggers.some(({ kind }) => kind === 'event')
    ? 'The list of the events that start it.'
    : 'Any JSON value; {} when none is given.';
  const produces =
    shape === undefined ? fieldsOf(outputSchema, 'Whatever its last step gives.') : `The shape \`${shape}\`.`;
  const lines = stepLines(walked.root);
  const functions = [...walked.functions.values()].flatMap((scope) => stepLines(scope));
  return [
    ...(description === undefined || description.trim() === '' ? [] : [description.trim()]),
    `**Needs**\n\n${fieldsOf(inputSchema, needs)}`,
    `**Produces**\n\n${produces}`,
    ...(triggers.length === 0
      ? []
      : [
          `**Starts by itself**\n\n${triggers.map((trigger) => `- ${triggerWords(trigger, schedule?.timezone)}`).join('\n')}`,
        ]),
    `**Does**\n\n${lines.length === 0 ? 'Nothing: it has no steps.' : lines.slice(0, MOST_STEPS).join('\n')}`,
    ...(lines.length > MOST_STEPS ? [`... and ${lines.length - MOST_STEPS} more.`] : []),
    ...(functions.length === 0 ? [] : [`**Functions of its own**\n\n${functions.slice(0, MOST_STEPS).join('\n')}`]),
    ...(tools.length === 0 ? [] : [`**Tools** ${tools.map(code).join(', ')}`]),
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose ? ['**Exposed** as an MCP tool of its own.'] : []),
  ].join('\n\n');
}

function stepLines({ steps }: Scope, level = 0): string[] {
  const indent = '  '.repeat(level);
  return steps.flatMap((step) => [`${indent}- ${code(step.name)}: ${stepWords(step)}`, ...bodyLines(step, level + 1)]);
}

function bodyLines({ bodies }: Step, level: number): string[] {
  return bodies.flatMap(({ role, scope }) => {
    if (role !== 'catch') return stepLines(scope, level);
    return [`${'  '.repeat(level)}- when it fails:`, ...stepLines(scope, level + 1)];
  });
}

function triggerWords(trigger: Trigger, timezone: string | undefined): string {
  switch (trigger.kind) {
    case 'event': {
      const types = [...new Set(trigger.filters.map(({ type }) => type ?? 'any type'))];
      return types.length === 0 ? 'on every event' : `on events of ${types.map(code).join(', ')}`;
    }
    case 'cron':
      return `by the clock: ${code(trigger.expression)} (${timezone ?? 'UTC'})`;
    case 'every':
      return `every ${periodWords(trigger.milliseconds)}`;
    case 'after':
      return `at once, then ${periodWords(trigger.milliseconds)} after each of its runs`;
  }
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function periodWords(milliseconds: number): string {
  const parts: string[] = [];
  let left = milliseconds;
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  if (left > 0 || parts.length === 0) parts.push(`${left} ms`);
  return parts.join(' ');
}

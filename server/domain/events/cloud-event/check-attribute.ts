// Rules for one member of an event, whatever interface it comes from.
import type { Issue } from '../../../../shared/issues.ts';
import type { Json } from '../../../../shared/json.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { firstCharacters } from '../short-text.ts';
import { TEXT_ATTRIBUTES } from './attributes.ts';
import { nestsAtMost } from './size.ts';
import { checkExtension } from './extensions.ts';
import { refusedCharacter } from './text-rules.ts';

/** The required attributes of a published event, each with the issue for its absence. */
export const REQUIRED: Readonly<Record<string, string>> = {
  source: 'is missing; say where it happened, as a URI reference such as /shop/orders.',
  type: 'is missing; say what happened, such as order.paid.',
};

/** What is wrong with a member of an event, as ends of sentences that begin with its name. */
export function checkAttribute(
  name: string,
  value: Json,
  required: Readonly<Record<string, string>> = REQUIRED,
): string[] {
  if (name === 'data') {
    if (nestsAtMost(value, LIMITS.eventDataDepth)) return [];
    return [`must nest at most ${LIMITS.eventDataDepth} levels; flatten it.`];
  }
  const characters = typeof value === 'string' ? refusedCharacter(value) : undefined;
  if (!isStandard(name)) return [...checkExtension(name, value), ...(characters === undefined ? [] : [characters])];
  if (typeof value !== 'string') {
    return [`must be a string; write it as text${Object.hasOwn(required, name) ? '' : ' or leave it out'}.`];
  }
  if (characters !== undefined) return [characters];
  return TEXT_ATTRIBUTES[name]?.(value) ?? [];
}

/** Whether CloudEvents 1.0 names the attribute; `data` is none. */
export function isStandard(name: string): boolean {
  return Object.hasOwn(TEXT_ATTRIBUTES, name);
}

/** A long name is shortened in messages; its pointer is not. */
export function issueAt(name: string, sentence: string): Issue {
  const shown = name.length > 64 ? `${firstCharacters(name, 64)}…` : name;
  return { pointer: `/event/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail: `\`${shown}\` ${sentence}` };
}

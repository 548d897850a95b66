// Parts of the sentences that describe events.
import type { EventData, ReservedEventType } from '../../../shared/schemas/events/index.ts';
import { harmless } from '../../lib/harmless.ts';
import type { StoredEvent } from '../../kernel/log/index.ts';

const SHOWN_CHARACTERS = 100;

/** One sentence per event type, made of the data that every list of events has. */
export type Sentences<T extends ReservedEventType> = {
  [Type in T]: (data: EventData<Type>, event: StoredEvent) => string;
};

/** "Run of computation/priority-score version 3". */
export function runOf({ metadata: { definition } }: StoredEvent): string {
  if (definition === undefined) return 'A run';
  return `Run of ${definitionName(definition)}`;
}

/** "computation/priority-score version 3". */
export function definitionName(definition: { type: string; name: string; version?: number }): string {
  const version = definition.version === undefined ? '' : ` version ${definition.version}`;
  return `${definition.type}/${short(definition.name)}${version}`;
}

/** A text of any length and lines as a part of one sentence. */
export function short(text: string): string {
  const line = harmless(text.replaceAll(/[\s\p{Cc}]+/gu, ' '));
  const characters = Array.from(line.slice(0, 2 * SHOWN_CHARACTERS + 2));
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : line;
}

/** ": a, b", or nothing where neither is given. */
export function reasons(...words: readonly (string | undefined)[]): string {
  const given = words.filter((word) => word !== undefined);
  return given.length === 0 ? '' : `: ${given.map(short).join(', ')}`;
}

/** "1 step", "2 steps". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The beginning of a digest, enough to distinguish files. */
export function digestOf(sha256: string): string {
  return sha256.slice(0, 12);
}

export function toolName({ server, tool }: { server: string; tool: string }): string {
  return `${short(server)}/${short(tool)}`;
}

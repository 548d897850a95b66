// The input of a workflow that events start: a list of what it reads of each event.
import type { Definition } from '../../../shared/api/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

type Triggers = NonNullable<Definition['triggers']>;
type Filter = NonNullable<Triggers[number]['filters']>[number];

export interface EventInput {
  /** For each item of the list, the filters of which an event must pass one; none: every event passes. */
  items: readonly (readonly Filter[])[];
  read: 'data' | 'envelope' | 'raw';
}

/** Undefined for a workflow that no events start. */
export function eventInputOf(triggers: Triggers | undefined): EventInput | undefined {
  const trigger = triggers?.find(({ kind }) => kind === 'event');
  if (trigger === undefined) return undefined;
  const { filters = [], read = 'data' } = trigger;
  const isAll = filters.some(({ reference }) => reference.startsWith('/schedule/on/all/'));
  return { items: isAll ? filters.map((filter) => [filter]) : [filters], read };
}

const BLANK_EVENT: JsonObject = { specversion: '1.0', id: '', source: '', type: '', data: {} };

/** The list with which a person starts. */
export function blankList({ items, read }: EventInput): Json[] {
  return items.map((filters) => {
    if (read === 'data') return {};
    return read === 'raw' ? '' : { ...BLANK_EVENT, ...filters[0]?.attributes, type: filters[0]?.type ?? '' };
  });
}

/** What the list has of an event. */
export function listedOf(event: JsonObject, read: EventInput['read']): Json {
  if (read === 'envelope') return event;
  const data = event['data'] ?? null;
  return read === 'data' || typeof data === 'string' ? data : JSON.stringify(data);
}

/** Whether an event has the type and the attributes of a filter; those that are expressions are not tested. */
export function passes(event: Json | undefined, filters: readonly Filter[]): boolean {
  if (!isJsonObject(event)) return false;
  return (
    filters.length === 0 ||
    filters.some(({ type, attributes }) => {
      const wanted = Object.entries({ ...attributes, ...(type !== undefined && { type }) });
      return wanted.every(([name, value]) => !isTested(value) || event[name] === value);
    })
  );
}

/** The type by which events are listed in which one for these filters is searched. */
export function listedType(filters: readonly Filter[]): string {
  const types = new Set(filters.map(({ type }) => type));
  const [only] = types;
  return types.size === 1 && only !== undefined && isTested(only) ? only : 'event_published';
}

const isTested = (value: unknown): boolean => typeof value === 'string' && !value.includes('${');

/** The events in words, for example `order.paid` or `order.cancelled`. */
export function eventWords({ items }: EventInput): string {
  const words = items.map((filters) => {
    const types = [...new Set(filters.map(({ type }) => (type === undefined ? 'any type' : `\`${type}\``)))];
    return types.length === 0 ? 'any type' : types.join(' or ');
  });
  return words.join(' and ');
}

import { allFiltersOf, type PlacedFilter } from '../expressions/event-texts.ts';
import type { Walk } from '../walk.ts';

/** Every filter of a document: those of its schedule, and those of its steps. */
export function placedFilters({ document: { schedule }, steps }: Pick<Walk, 'document' | 'steps'>): PlacedFilter[] {
  return [
    ...(schedule?.on === undefined ? [] : allFiltersOf(schedule.on, '/schedule/on')),
    ...steps.flatMap(({ task, pointer, descriptor }) => descriptor.filters?.({ task, pointer }) ?? []),
  ];
}

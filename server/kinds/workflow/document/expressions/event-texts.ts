import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { ConsumptionStrategy, EventFilter, Schedule } from '../dsl.ts';
import { AT_SCHEDULE, bare, type EvaluatedText, templates } from './evaluated-text.ts';

export interface PlacedFilter {
  filter: EventFilter;
  pointer: string;
  /** Its events end the wait, and are not among those that are returned. */
  isUntil?: true;
}

/** The filters of a strategy, without those of its `until`. */
export function filtersOf(strategy: ConsumptionStrategy, pointer: string): PlacedFilter[] {
  if ('one' in strategy) return [{ filter: strategy.one, pointer: `${pointer}/one` }];
  const [kind, filters] = 'all' in strategy ? (['all', strategy.all] as const) : (['any', strategy.any] as const);
  return filters.map((filter, index) => ({ filter, pointer: `${pointer}/${kind}/${index}` }));
}

/** The filters of a strategy and of its `until`. */
export function allFiltersOf(strategy: ConsumptionStrategy, pointer: string): PlacedFilter[] {
  const until = 'any' in strategy ? strategy.until : undefined;
  const ending = typeof until === 'object' ? allFiltersOf(until, `${pointer}/until`) : [];
  return [...filtersOf(strategy, pointer), ...ending.map((one) => ({ ...one, isUntil: true as const }))];
}

export function scheduleTexts(schedule: Schedule | undefined): EvaluatedText[] {
  return schedule?.on === undefined ? [] : filterTexts(schedule.on, '/schedule/on', AT_SCHEDULE);
}

export function filterTexts(
  strategy: ConsumptionStrategy,
  pointer: string,
  variables: readonly string[],
): EvaluatedText[] {
  const until = 'any' in strategy ? strategy.until : undefined;
  return [
    ...filtersOf(strategy, pointer).flatMap((placed) => ofFilter(placed, variables)),
    ...(typeof until === 'string' ? bare(until, `${pointer}/until`, variables) : []),
    ...(typeof until === 'object' ? filterTexts(until, `${pointer}/until`, variables) : []),
  ];
}

function ofFilter({ filter, pointer }: PlacedFilter, variables: readonly string[]): EvaluatedText[] {
  return [
    ...templates(filter.with, `${pointer}/with`, variables),
    ...Object.entries(filter.correlate ?? {}).flatMap(([name, { from, expect }]) => {
      const at = `${pointer}/correlate/${escapeToken(name)}`;
      return [...bare(from, `${at}/from`, variables), ...templates(expect, `${at}/expect`, variables)];
    }),
  ];
}

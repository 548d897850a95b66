// What starts runs of a workflow by itself, as the contract shows it.
import { isJsonObject } from '../../../../shared/json.ts';
import type { Trigger, TriggerFilter } from '../../checked.ts';
import type { Schedule } from './dsl.ts';
import { parseDuration } from '../../../lib/duration.ts';
import { filtersOf } from './expressions/event-texts.ts';

/** The triggers of a schedule that was checked. An event trigger without filters is started by every event. */
export function triggersOf(schedule: Schedule | undefined): Trigger[] {
  if (schedule === undefined) return [];
  const { on, cron, every, after, read = 'data' } = schedule;
  const triggers: Trigger[] = [];
  if (on !== undefined) {
    const filters = filtersOf(on, '/schedule/on').map(({ filter, pointer }): TriggerFilter => {
      const { type, ...attributes } = isJsonObject(filter.with) ? filter.with : {};
      return { reference: pointer, ...(typeof type === 'string' ? { type } : {}), attributes };
    });
    triggers.push({ kind: 'event', reference: '/schedule/on', filters, ...(read === 'data' ? {} : { read }) });
  }
  if (cron !== undefined) triggers.push({ kind: 'cron', reference: '/schedule/cron', expression: cron });
  for (const [kind, period] of [
    ['every', every],
    ['after', after],
  ] as const) {
    const parsed = period === undefined ? undefined : parseDuration(period);
    if (parsed === undefined) continue;
    const { milliseconds } = parsed;
    triggers.push(
      kind === 'every'
        ? { kind, reference: '/schedule/every', milliseconds }
        : { kind, reference: '/schedule/after', milliseconds },
    );
  }
  return triggers;
}

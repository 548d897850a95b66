// What a schedule's `on` makes of an event, outside of any run.
import type { Facts, Plan } from './model.ts';
import type { CloudEvent, Gathering } from '../../durable.ts';
import { type Consumption, NOTHING_CONSUMED, readAs, take } from './consume.ts';
import { Fault } from './faults.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import type { Asking } from './requests.ts';
import { holds } from './values.ts';
import { newWork } from './work.ts';

export interface Gathered {
  consumption: JsonObject;
  isKept: boolean;
  isDone: boolean;
}

/** Offers an event to a gathering. A filter whose expression fails does not take it: there is no run to fail. */
export function* gather(plan: Plan, facts: Facts, before: Gathering, event: CloudEvent): Asking<Gathered | undefined> {
  const { on, read } = plan.document.schedule ?? {};
  if (on === undefined) return undefined;
  const work = newWork(plan, facts);
  const place = { parent: undefined };
  const { until: untilBefore, ...own } = before.consumption;
  try {
    const until = 'any' in on ? on.until : undefined;
    if (typeof until === 'object' && before.events.length > 0) {
      const taken = yield* take(work, place, until, (untilBefore as Consumption) ?? NOTHING_CONSUMED, event);
      if (taken !== undefined) {
        return { consumption: { ...own, until: taken.consumption }, isKept: false, isDone: taken.isDone };
      }
    }
    const taken = yield* take(work, place, on, own as Consumption, event);
    if (taken === undefined) return undefined;
    const kept = { consumption: { ...before.consumption, ...taken.consumption }, isKept: true };
    if (until === undefined || !taken.isDone) return { ...kept, isDone: taken.isDone };
    if (typeof until === 'object') return { ...kept, isDone: false };
    const values = [...before.events, event].map((one) => readAs(read, one));
    return { ...kept, isDone: yield* holds(work, place, until, values) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return undefined;
  }
}

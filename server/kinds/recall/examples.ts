// An example of a recall function, executed in memory: its events as a playbook would hand them over.
import { LIMITS } from '../../../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Sandbox } from '../../lib/sandbox/index.ts';
import { unavailable } from '../../lib/rejection.ts';
import type { ReadFilter } from '../checked.ts';
import { type ViewEvent, isKept } from './reads.ts';

/** The events of an example that `reads` keeps, as `evolve` gets them. @param now when those without a time come */
export function eventsOfExample(
  events: readonly JsonObject[],
  reads: readonly ReadFilter[],
  now: number,
): { id: string; text: string }[] {
  return events
    .map((event, index) => asKept(event, `event-${index + 1}`, isoTime(now)))
    .filter((event) => isKept(reads, event as unknown as ViewEvent))
    .map((event) => ({ id: String(event['id']), text: JSON.stringify(event) }));
}

/** A CloudEvent, or what `evolve` gets already, with what it leaves out. */
function asKept(given: JsonObject, id: string, now: string): JsonObject {
  const { kind, event, change } = given;
  const isOurs =
    (kind === 'event' && isJsonObject(event)) || ((kind === 'run' || kind === 'change') && change !== undefined);
  if (isOurs) return { id, at: now, by: 'developer', ...given };
  const { time } = given;
  const at = typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? isoTime(Date.parse(time)) : now;
  const published = { specversion: '1.0', id, source: '/examples', type: '', time: at, ...given };
  return { kind: 'event', id, at, by: 'developer', event: published };
}

/**
 * The state after the events, looked at after each, or why they could not be folded.
 * `failed`: the id of the event that is at fault; undefined where it may be any.
 * @throws Refused `unavailable` when no checker is ready
 */
export async function tryEvents(
  sandbox: Pick<Sandbox, 'tryFold'>,
  source: string,
  events: readonly { id: string; text: string }[],
): Promise<{ state: string } | { failed: string | undefined; detail: string }> {
  if (events.length === 0) return { state: '' };
  const texts = events.map(({ text }) => text);
  const tried = await sandbox.tryFold({ source, state: '', events: texts, stateBytes: LIMITS.recallStateBytes });
  if (tried === 'busy') throw unavailable('No program checker is available; try again in a moment.', { retryAfter: 2 });
  if (tried === 'late' || (tried.kind === 'folded' && tried.count < events.length)) {
    return { failed: undefined, detail: '`evolve` takes longer than two seconds for so few events; reduce its work.' };
  }
  if (tried.kind === 'folded') return { state: tried.state };
  return { failed: tried.index === undefined ? undefined : events[tried.index]?.id, detail: tried.detail };
}

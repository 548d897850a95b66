// The types of events that a workflow emits and receives, compared with those of the other definitions.
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { Declarations, DocumentEvents } from '../../../checked.ts';
import { joinEvents, misspellingsOf, eventWords } from '../../../declarations.ts';
import { allFiltersOf, type PlacedFilter } from '../expressions/event-texts.ts';
import type { Walk } from '../walk.ts';

interface PlacedType {
  pointer: string;
  /** Absent: any type, or one that an expression returns. */
  type?: string;
}

export function eventsOf(walked: Walk): DocumentEvents {
  const [emitted, received] = [emittedIn(walked), receivedIn(walked)];
  return {
    emits: typesOf(emitted),
    receives: typesOf(received),
    ...(emitted.some(({ type }) => type === undefined) ? { emitsAny: true } : {}),
    ...(received.some(({ type }) => type === undefined) ? { receivesAny: true } : {}),
  };
}

/**
 * Events may come from outside and go there, so a type is reported only if it looks like a misspelling of another. A name
 * that the document itself uses in the same role is another event, not what was meant: `order.paid` beside `order.said`.
 * So is a name that starts the document's runs, which it hardly emits itself.
 */
export async function checkEvents(
  walked: Walk,
  declarations: Declarations,
  findings: Pick<Findings, 'warn'>,
): Promise<void> {
  const [emitted, scheduled, listened] = [emittedIn(walked), scheduledIn(walked), heardIn(walked)];
  const received = [...scheduled, ...listened];
  if (emitted.length + received.length === 0) return;
  const all = joinEvents([await declarations.events(), eventsOf(walked)]);
  const [emits, starts, receives] = [typesOf(emitted), typesOf(scheduled), typesOf(received)];
  const check = (
    some: readonly PlacedType[],
    known: readonly string[],
    others: readonly string[],
    verbs: readonly [string, string],
  ): void => {
    const misspelt = misspellingsOf(known, others);
    for (const { pointer, type } of some) {
      const near = type === undefined ? undefined : misspelt(type);
      if (near !== undefined) findings.warn(pointer, eventWords(type ?? '', near, verbs));
    }
  };
  if (!all.receivesAny) check(emitted, all.receives, [...emits, ...starts], ['receives', 'received']);
  if (all.emitsAny) return;
  check(scheduled, all.emits, [...receives, ...emits], ['emits', 'emitted']);
  check(listened, all.emits, receives, ['emits', 'emitted']);
}

function typesOf(placed: readonly PlacedType[]): string[] {
  return [...new Set(placed.flatMap(({ type }) => (type === undefined ? [] : [type])))];
}

function emittedIn({ steps }: Walk): PlacedType[] {
  return steps.flatMap(({ task, pointer, descriptor }) => {
    const emitted = descriptor.emits?.({ task, pointer });
    return emitted === undefined ? [] : [placed(emitted.type, emitted.pointer)];
  });
}

function receivedIn(walked: Walk): PlacedType[] {
  return [...scheduledIn(walked), ...heardIn(walked)];
}

/** Those that start runs. */
function scheduledIn({ document: { schedule } }: Walk): PlacedType[] {
  return schedule?.on === undefined ? [] : receivedBy(allFiltersOf(schedule.on, '/schedule/on'));
}

/** Those that runs wait for. */
function heardIn({ steps }: Walk): PlacedType[] {
  return steps.flatMap(({ task, pointer, descriptor }) => {
    const filters = descriptor.filters?.({ task, pointer });
    return filters === undefined ? [] : receivedBy(filters);
  });
}

function receivedBy(filters: readonly PlacedFilter[]): PlacedType[] {
  return [
    // A strategy without filters receives everything.
    ...(filters.every(({ isUntil }) => isUntil) ? [{ pointer: '' }] : []),
    ...filters.map(({ filter, pointer }) => placed(filter.with['type'], `${pointer}/with/type`)),
  ];
}

function placed(type: unknown, pointer: string): PlacedType {
  return typeof type === 'string' && wholeExpression(type) === undefined ? { pointer, type } : { pointer };
}

// The types of events that a workflow emits and receives, compared with those of the other definitions.
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { Declarations, DocumentEvents } from '../../../checked.ts';
import { joinEvents, misspellingsOf, eventWords } from '../../../declarations.ts';
import { allFiltersOf } from '../expressions/event-texts.ts';
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

/** Events may come from outside and go there, so a type is reported only if it looks like a misspelling of another. */
export async function checkEvents(
  walked: Walk,
  declarations: Declarations,
  findings: Pick<Findings, 'warn'>,
): Promise<void> {
  const [emitted, received] = [emittedIn(walked), receivedIn(walked)];
  if (emitted.length + received.length === 0) return;
  const all = joinEvents([await declarations.events(), eventsOf(walked)]);
  const check = (some: readonly PlacedType[], others: readonly string[], verbs: readonly [string, string]): void => {
    const misspelt = misspellingsOf(others);
    for (const { pointer, type } of some) {
      const near = type === undefined ? undefined : misspelt(type);
      if (near !== undefined) findings.warn(pointer, eventWords(type ?? '', near, verbs));
    }
  };
  if (!all.receivesAny) check(emitted, all.receives, ['receives', 'received']);
  if (!all.emitsAny) check(received, all.emits, ['emits', 'emitted']);
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

function receivedIn({ document: { schedule }, steps }: Walk): PlacedType[] {
  const on = schedule?.on;
  const filters = [
    ...(on === undefined ? [] : [allFiltersOf(on, '/schedule/on')]),
    ...steps.flatMap(({ task, pointer, descriptor }) => {
      const listened = descriptor.filters?.({ task, pointer });
      return listened === undefined ? [] : [listened];
    }),
  ];
  // A strategy without filters receives everything.
  return filters.flatMap((some): PlacedType[] => [
    ...(some.every(({ isUntil }) => isUntil) ? [{ pointer: '' }] : []),
    ...some.map(({ filter, pointer }) => placed(filter.with['type'], `${pointer}/with/type`)),
  ]);
}

function placed(type: unknown, pointer: string): PlacedType {
  return typeof type === 'string' && wholeExpression(type) === undefined ? { pointer, type } : { pointer };
}

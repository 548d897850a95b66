// What the definitions of a playbook declare, for the checks of a document that uses them.
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { MOST_FINDINGS } from '../lib/yaml/index.ts';
import type { CheckContext, CheckedDocument, Declarations, DocumentEvents, ReadFilter } from './checked.ts';

export function joinEvents(all: readonly DocumentEvents[]): Required<DocumentEvents> {
  return {
    emits: [...new Set(all.flatMap(({ emits }) => emits))],
    receives: [...new Set(all.flatMap(({ receives }) => receives))],
    emitsAny: all.some(({ emitsAny }) => emitsAny === true),
    receivesAny: all.some(({ receivesAny }) => receivesAny === true),
  };
}

/** The declarations of documents that were checked together, by TYPE/NAME. */
export function declarationsOf(documents: ReadonlyMap<string, CheckedDocument>): Declarations {
  return {
    async schemasOf(type, name) {
      const document = documents.get(`${type}/${name}`);
      return (
        document && {
          input: document.inputSchema,
          output: document.outputSchema,
          otherOutput: document.otherOutputSchema,
        }
      );
    },
    events: async () => joinEvents([...documents.values()].flatMap(({ events }) => events ?? [])),
  };
}

/** The warnings of a document, with those about the definitions that it uses, in the order of its lines. */
export async function allWarnings(
  { warnings, checkUses }: Pick<CheckedDocument, 'warnings'> & { checkUses?: CheckedDocument['checkUses'] | undefined },
  declarations: Declarations,
): Promise<SourceIssue[]> {
  const all = [...warnings, ...((await checkUses?.(declarations)) ?? [])];
  return all.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, MOST_FINDINGS);
}

/** The event types that the filters of a recall function select. */
export function eventsOfReads(reads: readonly ReadFilter[]): DocumentEvents {
  const filters = reads.flatMap((filter) => ('events' in filter ? [filter.events.type] : []));
  const receives = filters.filter((type) => type !== undefined);
  return { emits: [], receives, ...(receives.length < filters.length ? { receivesAny: true } : {}) };
}

/** Warns that a definition does not exist, with the name that was perhaps meant. */
export function missingWords(
  { nearestDefinition }: Pick<CheckContext, 'nearestDefinition'>,
  type: DefinitionType,
  name: string,
  otherwise: string,
): string {
  const near = nearestDefinition?.(type, name);
  const missing = `The playbook has no active \`${type}/${name}\``;
  return near === undefined ? `${missing}; ${otherwise}` : `${missing}; did you mean \`${near}\`?`;
}

/** The definition, TYPE/NAME, that a reference to a missing one most likely means: a similar name, or another type. */
export function nearestDefinition(
  references: Iterable<string>,
  type: DefinitionType,
  name: string,
): string | undefined {
  const all = [...references];
  const names = all.filter((one) => one.startsWith(`${type}/`)).map((one) => one.slice(type.length + 1));
  const near = nearestName(name, names);
  return near === undefined ? all.find((one) => one.endsWith(`/${name}`)) : `${type}/${near}`;
}

/** Letters of event types that are compared for one document. */
const MOST_COMPARED = 5_000_000;

/**
 * Finds the event type that another is most likely a misspelling of; undefined if that type is known itself. Each part
 * between dots must be similar, since `order.opened` is not `order.closed`. Where very many types are compared, none is
 * found for the last ones.
 * @param deliberate known types that no other is a misspelling of
 */
export function misspellingsOf(
  known: readonly string[],
  deliberate: readonly string[] = [],
): (type: string) => string | undefined {
  const [exactly, excluded] = [new Set(known), new Set(deliberate)];
  const byLength = Map.groupBy(
    [...exactly].filter((type) => !excluded.has(type)).map((type) => ({ type, parts: partsOf(type) })),
    ({ parts }) => parts.length,
  );
  const found = new Map<string, string | undefined>();
  let remaining = MOST_COMPARED;
  const isSimilar = (part: string, other: string): boolean => {
    if (part === other) return true;
    remaining -= 1 + part.length * other.length;
    return remaining > 0 && nearestName(part, [other]) !== undefined;
  };
  const find = (type: string): string | undefined => {
    if (exactly.has(type)) return undefined;
    const parts = partsOf(type);
    const same = byLength.get(parts.length) ?? [];
    return same.find((one) => parts.every((part, index) => isSimilar(part, one.parts[index] ?? '')))?.type;
  };
  return (type) => {
    if (!found.has(type)) found.set(type, find(type));
    return found.get(type);
  };
}

/** @param verbs what no definition does with the type, and what is done with the near one */
export function eventWords(type: string, near: string, [verb, done]: readonly [string, string]): string {
  return `No definition of the playbook ${verb} events of type \`${type}\`; did you mean \`${near}\`, which is ${done}?`;
}

function partsOf(type: string): string[] {
  return type.split(/[._/-]/);
}

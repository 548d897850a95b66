// Which events a recall function keeps: the filters that its program exports as `reads`.
import { isDefinitionType } from '../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isName } from '../../../shared/names.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import type { EventKind } from '../../lib/sandbox/index.ts';
import type { ReadFilter, Reference } from '../checked.ts';

const MOST_FILTERS = 100;
const FILTERS = ['events', 'runs', 'changes'] as const;
const FIELDS: Readonly<Record<(typeof FILTERS)[number], readonly string[]>> = {
  events: ['type', 'source', 'subject'],
  runs: ['subject'],
  changes: ['source'],
};
const KIND_OF: Readonly<Record<(typeof FILTERS)[number], EventKind>> = {
  events: 'event',
  runs: 'run',
  changes: 'change',
};

const SHAPE =
  '{ events: { type?, source?, subject? } }, { runs: { subject: "TYPE/NAME" } } or { changes: { source: "TYPE/NAME" } }';

/** Reads what `reads` holds; anything that is not a filter is reported. */
export function readReads(reads: Json | undefined, report: (detail: string) => void): ReadFilter[] {
  if (!Array.isArray(reads) || reads.length === 0) {
    report(`\`reads\` must be a list with at least one filter, each of them ${SHAPE}.`);
    return [];
  }
  if (reads.length > MOST_FILTERS) {
    report(`\`reads\` has ${reads.length} filters; the maximum is ${MOST_FILTERS}; { events: {} } selects all events.`);
    return [];
  }
  return reads.flatMap((filter, index) => {
    const read = readFilter(filter);
    if (typeof read !== 'string') return [read];
    report(`Filter ${index + 1} of \`reads\` ${read}`);
    return [];
  });
}

/** The filter, or what is wrong with it as the end of a sentence. */
function readFilter(filter: Json): ReadFilter | string {
  const [[name, fields] = [], ...more] = isJsonObject(filter) ? Object.entries(filter) : [];
  if (name === undefined || more.length > 0) return `must be one of ${SHAPE}.`;
  const known = FILTERS.find((one) => one === name);
  if (known === undefined) return `has an unknown field \`${name.slice(0, 60)}\`; ${nearest(name, FILTERS)}`;
  if (!isJsonObject(fields)) return `must have an object under \`${known}\`: ${SHAPE}.`;
  for (const [field, value] of Object.entries(fields)) {
    if (!FIELDS[known].includes(field)) {
      return `has an unknown field \`${field.slice(0, 60)}\` under \`${known}\`; ${nearest(field, FIELDS[known])}`;
    }
    if (typeof value !== 'string' || value === '') return `needs a string as \`${known}.${field}\`.`;
  }
  if (known === 'events') return { events: fields };
  const [field = ''] = FIELDS[known];
  const named = fields[field];
  if (typeof named !== 'string' || !isNamed(named)) {
    return `needs \`${known}.${field}\`, the definition as TYPE/NAME, for example "workflow/handle-ticket".`;
  }
  return known === 'runs' ? { runs: { subject: named } } : { changes: { source: named } };
}

/** Whether the text is TYPE/NAME. */
function isNamed(text: string): boolean {
  const [type = '', name = ''] = text.split(/\/(.*)/s);
  return isDefinitionType(type) && isName(name);
}

function nearest(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? `known fields: ${known.join(', ')}.` : `did you mean \`${near}\`?`;
}

/** Which kinds of events the filters can keep. */
export function kindsOf(reads: readonly ReadFilter[]): EventKind[] {
  return FILTERS.filter((name) => reads.some((filter) => name in filter)).map((name) => KIND_OF[name]);
}

/** The definitions that the filters name. */
export function referencesOf(reads: readonly ReadFilter[]): Reference[] {
  const references = reads.flatMap((filter): Reference[] => {
    if ('runs' in filter) return [{ ...divided(filter.runs.subject), use: 'keeps a view of the runs of' }];
    if ('changes' in filter) return [{ ...divided(filter.changes.source), use: 'keeps a view of the versions of' }];
    return [];
  });
  return references.filter(
    (one, index) => references.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  );
}

function divided(named: string): Pick<Reference, 'type' | 'name'> {
  const [type, name = ''] = named.split('/');
  return { type: type as Reference['type'], name };
}

/** What of an event the filters look at, as `evolve` gets it. */
export type ViewEvent = { kind: 'event'; event: JsonObject } | { kind: 'run' | 'change'; type: string; name: string };

/** Whether one of the filters fits. */
export function isKept(reads: readonly ReadFilter[], event: ViewEvent): boolean {
  return reads.some((filter) => {
    if ('events' in filter) {
      if (event.kind !== 'event') return false;
      const { type, source, subject } = filter.events;
      return (
        (type === undefined || type === event.event['type']) &&
        (source === undefined || source === event.event['source']) &&
        (subject === undefined || subject === event.event['subject'])
      );
    }
    if (event.kind === 'event') return false;
    const named = `${event.type}/${event.name}`;
    return 'runs' in filter
      ? event.kind === 'run' && filter.runs.subject === named
      : event.kind === 'change' && filter.changes.source === named;
  });
}

/** The filters in words, for the overview. */
export function readsWords(reads: readonly ReadFilter[]): string {
  return reads
    .map((filter) => {
      if ('runs' in filter) return `- runs of ${filter.runs.subject}, as they start and end`;
      if ('changes' in filter) return `- versions of ${filter.changes.source}`;
      const fields = Object.entries(filter.events).map(([name, value]) => `${name} \`${value}\``);
      return fields.length === 0 ? '- every published event' : `- published events with ${fields.join(', ')}`;
    })
    .join('\n');
}

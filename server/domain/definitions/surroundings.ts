// The other definitions of a playbook, as the checks of a document see them.
import { DEFINITION_FACTS, DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import type { CheckContext, Declarations, DeclaredSchemas, DocumentEvents } from '../../kinds/checked.ts';
import { joinEvents, nearestDefinition } from '../../kinds/declarations.ts';
import type { SavedDocument } from './document.ts';
import { type DefinitionKey, eachDefinition, selectActiveNames, selectDefinition } from './sql.ts';

const WITH_EVENTS = DEFINITION_TYPES.filter((type) => DEFINITION_FACTS[type].usesEvents);

/** @param coming TYPE/NAME of definitions that are saved together with the document */
export async function contextOf(
  log: EventLog,
  { org, playbook }: PlaybookKey,
  coming: ReadonlySet<string> = new Set(),
): Promise<CheckContext> {
  const names = await log.read((tx) => selectActiveNames(tx, { org, playbook }));
  const known = new Set([...names.map(({ type, name }) => `${type}/${name}`), ...coming]);
  return {
    org,
    playbook,
    definitionExists: (type, name) => known.has(`${type}/${name}`),
    nearestDefinition: (type, name) => nearestDefinition(known, type, name),
  };
}

/**
 * What is read is kept, for the checks of all drafts.
 * @param drafts documents that are saved together, by TYPE/NAME; each takes the place of its current version
 */
export function declarationsIn(
  log: EventLog,
  playbookKey: PlaybookKey,
  drafts: ReadonlyMap<string, SavedDocument>,
): Declarations {
  const savedIn = async (key: DefinitionKey): Promise<SavedDocument | undefined> => {
    const row = await log.read((tx) => selectDefinition(tx, key));
    return row?.status === 'active' ? (JSON.parse(row.document) as SavedDocument) : undefined;
  };
  const schemas = new Map<string, Promise<DeclaredSchemas | undefined>>();
  let events: ReturnType<Declarations['events']> | undefined;

  async function readSchemas(type: DefinitionType, name: string): Promise<DeclaredSchemas | undefined> {
    const saved = drafts.get(`${type}/${name}`) ?? (await savedIn({ ...playbookKey, type, name }));
    if (saved === undefined) return undefined;
    return { input: saved.input_schema, output: saved.output_schema, otherOutput: saved.other_output_schema };
  }

  async function readEvents(): ReturnType<Declarations['events']> {
    const current: DocumentEvents[] = [];
    for (const type of WITH_EVENTS) {
      for await (const { name, status, document } of eachDefinition(log, playbookKey, type)) {
        if (status !== 'active' || drafts.has(`${type}/${name}`)) continue;
        current.push(eventsIn(JSON.parse(document) as SavedDocument));
      }
    }
    return joinEvents([...current, ...[...drafts.values()].flatMap(({ events }) => events ?? [])]);
  }

  return {
    schemasOf(type, name) {
      const reference = `${type}/${name}`;
      const found = schemas.get(reference) ?? readSchemas(type, name);
      schemas.set(reference, found);
      return found;
    },
    events() {
      events ??= readEvents();
      return events;
    },
  };
}

/** Versions that were saved before events were recorded may emit and receive any type. */
function eventsIn({ events }: SavedDocument): DocumentEvents {
  return events ?? { emits: [], receives: [], emitsAny: true, receivesAny: true };
}

// Describes an event in one plain sentence. Texts of callers are shortened to one line.
import type { JsonObject } from '../../../shared/json.ts';
import type { DEFINITION_EVENTS } from '../../../shared/schemas/events/definitions.ts';
import { isReservedEventType, type ReservedEventType } from '../../../shared/schemas/events/index.ts';
import type { PUBLISHED_EVENTS } from '../../../shared/schemas/events/published.ts';
import type { StoredEvent } from '../../kernel/log/index.ts';
import { definitionName, type Sentences, short } from './phrases.ts';
import { INTERACTION_SENTENCES } from './sentences-of-interactions.ts';
import { PREDICTION_SENTENCES } from './sentences-of-predictions.ts';
import { RUN_SENTENCES, TOOL_CALL_SENTENCES, WORKFLOW_SENTENCES } from './sentences-of-runs.ts';

const DEFINITION_SENTENCES: Sentences<keyof typeof DEFINITION_EVENTS> = {
  definition_created: (data) => `Definition ${definitionName(data)} was created.`,
  definition_updated: (data) => `Definition ${definitionName(data)} was saved.`,
  definition_retired: (data) => `Definition ${definitionName(data)} was retired.`,
};

const PUBLISHED_SENTENCES: Sentences<keyof typeof PUBLISHED_EVENTS> = {
  event_published: ({ event }) => `Event ${short(event.type)} from ${short(event.source)} was published.`,
};

const SENTENCES: Sentences<ReservedEventType> = {
  ...RUN_SENTENCES,
  ...TOOL_CALL_SENTENCES,
  ...INTERACTION_SENTENCES,
  ...PREDICTION_SENTENCES,
  ...DEFINITION_SENTENCES,
  ...PUBLISHED_SENTENCES,
  ...WORKFLOW_SENTENCES,
};

export function summaryOf(event: StoredEvent): string {
  // No list shows the other types, those of the playbook itself.
  if (!isReservedEventType(event.type)) return `${short(event.type)} was recorded.`;
  // Each event was recorded with the data of its type.
  const sentence = SENTENCES[event.type] as (data: JsonObject, event: StoredEvent) => string;
  return sentence(event.data, event);
}

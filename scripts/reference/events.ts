import { EVENT_SCHEMAS, UNLISTED_EVENT_SCHEMAS } from '../../shared/schemas/events/index.ts';
import type { TSchema } from 'typebox';
import { fieldsTable } from './fields.ts';
import { page, type ReferencePage } from './markdown.ts';
import { plain } from './schemas.ts';

export function eventsPage(): ReferencePage {
  return page(
    'events.md',
    'Recorded events',
    'The `data` of each event type. Lists show only the size of large values ([Event](schemas/event.md) describes the fields around `data`).',
    Object.entries(EVENT_SCHEMAS).flatMap(described),
    '## Events that are not listed',
    'Read the playbook itself to see their effect.',
    Object.entries(UNLISTED_EVENT_SCHEMAS).flatMap(described),
  );
}

function described([type, given]: [string, TSchema]): string[] {
  const schema = plain(given);
  return [`### \`${type}\``, String(schema['description'] ?? ''), ...fieldsTable(schema, () => undefined)];
}

import { EVENT_SCHEMAS, UNLISTED_EVENT_SCHEMAS } from '../../shared/schemas/events/index.ts';
import type { TSchema } from 'typebox';
import { fieldsTable } from './fields.ts';
import { page, type ReferencePage } from './markdown.ts';
import { plain } from './schemas.ts';

export function eventsPage(): ReferencePage {
  return page(
    'events.md',
    'Events that are recorded',
    'The `data` of each type, as it is recorded. Lists show large values as their size ([Event](schemas/event.md) has the fields around `data`).',
    Object.entries(EVENT_SCHEMAS).flatMap(described),
    '## Events that no list shows',
    'A playbook itself shows what became of it.',
    Object.entries(UNLISTED_EVENT_SCHEMAS).flatMap(described),
  );
}

function described([type, given]: [string, TSchema]): string[] {
  const schema = plain(given);
  return [`### \`${type}\``, String(schema['description'] ?? ''), ...fieldsTable(schema, () => undefined)];
}

// What becomes of a playbook itself. No list shows these events and their types are not reserved: a publisher's event
// is always an `event_published`.
import Type from 'typebox';
import { CLOSED, text } from './fields.ts';

const NAMED = { name: text('What people call it.'), description: text('What it is for; may be empty.') };

export const PLAYBOOK_EVENTS = {
  playbook_created: Type.Object(NAMED, { ...CLOSED, description: 'A playbook was created.' }),
  playbook_updated: Type.Object(NAMED, { ...CLOSED, description: 'The name or description of a playbook changed.' }),
  playbook_retired: Type.Object({}, { ...CLOSED, description: 'A playbook was retired, for ever.' }),
};

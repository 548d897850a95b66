// The events of playbooks themselves and of connections. No list shows them and their types are not reserved: an event
// that a caller publishes is always an `event_published`.
import Type from 'typebox';
import { ConnectionSchema } from '../connection.ts';
import { CLOSED, text } from './fields.ts';

const { name, kind, entry, credential, asked_by } = ConnectionSchema.properties;

const CONNECTION_EVENTS = {
  connection_added: Type.Object(
    { connection_id: text('Its id.'), name, kind, entry, credential, asked_by },
    { ...CLOSED, description: 'A person added a connection.' },
  ),
  connection_connected: Type.Object(
    { connection_id: text('Its id.') },
    { ...CLOSED, description: 'A person approved it or gave its credential.' },
  ),
  connection_broken: Type.Object(
    { connection_id: text('Its id.'), broken: text('Why its credential cannot be read.') },
    { ...CLOSED, description: 'Its credential cannot be read any more.' },
  ),
  connection_removed: Type.Object(
    { connection_id: text('Its id.') },
    { ...CLOSED, description: 'It was removed, and its credential forgotten.' },
  ),
};

const NAMED = { name: text('What people call it.'), description: text('What it is for; may be empty.') };

const PLAYBOOK_EVENTS = {
  playbook_created: Type.Object(NAMED, { ...CLOSED, description: 'A playbook was created.' }),
  playbook_updated: Type.Object(NAMED, { ...CLOSED, description: 'The name or description of a playbook changed.' }),
  playbook_retired: Type.Object({}, { ...CLOSED, description: 'A playbook was retired, for ever.' }),
};

/** The schemas of the events that no list shows. */
export const UNLISTED_EVENT_SCHEMAS = { ...PLAYBOOK_EVENTS, ...CONNECTION_EVENTS };

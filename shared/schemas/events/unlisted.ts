// The events of playbooks themselves, of connections and of schedules. No list shows them and their types are not reserved: an event
// that a caller publishes is always an `event_published`.
import Type from 'typebox';
import { ConnectionSchema } from '../connection.ts';
import { CLOSED, text } from './fields.ts';

const { name, kind, entry, credential, asked_by } = ConnectionSchema.properties;

const CONNECTION_EVENTS = {
  connection_added: Type.Object(
    { connection_id: text('Id of the connection.'), name, kind, entry, credential, asked_by },
    { ...CLOSED, description: 'A person added a connection.' },
  ),
  connection_connected: Type.Object(
    { connection_id: text('Id of the connection.') },
    { ...CLOSED, description: 'A person approved a connection or entered its credential.' },
  ),
  connection_broken: Type.Object(
    { connection_id: text('Id of the connection.'), broken: text('Why the credential cannot be read.') },
    { ...CLOSED, description: 'The credential of a connection can no longer be read.' },
  ),
  connection_removed: Type.Object(
    { connection_id: text('Id of the connection.') },
    { ...CLOSED, description: 'A connection was removed, and its credential deleted.' },
  ),
};

const NAME_AND_DESCRIPTION = {
  name: text('The display name.'),
  description: text('What the playbook is for; may be empty.'),
};

const PLAYBOOK_EVENTS = {
  playbook_created: Type.Object(NAME_AND_DESCRIPTION, { ...CLOSED, description: 'A playbook was created.' }),
  playbook_updated: Type.Object(NAME_AND_DESCRIPTION, {
    ...CLOSED,
    description: 'The name or description of a playbook changed.',
  }),
  playbook_retired: Type.Object({}, { ...CLOSED, description: 'A playbook was retired.' }),
};

const SCHEDULE_EVENTS = {
  schedule_paused: Type.Object({}, { ...CLOSED, description: 'The schedule of a workflow was paused.' }),
  schedule_resumed: Type.Object({}, { ...CLOSED, description: 'The schedule of a workflow was resumed.' }),
};

/** The schemas of the events that no list shows. */
export const UNLISTED_EVENT_SCHEMAS = { ...PLAYBOOK_EVENTS, ...CONNECTION_EVENTS, ...SCHEDULE_EVENTS };

// The events of playbooks themselves, of connections and of schedules. No list shows them and their types are not reserved: an event
// that a caller publishes is always an `event_published`.
import { object, text } from '../fields.ts';
import { ConnectionSchema } from '../connection.ts';

const { name, kind, entry, credential, asked_by } = ConnectionSchema.properties;

const CONNECTION_EVENTS = {
  connection_added: object('A person added a connection.', {
    connection_id: text('Id of the connection.'),
    name,
    kind,
    entry,
    credential,
    asked_by,
  }),
  connection_connected: object('A person approved a connection or entered its credential.', {
    connection_id: text('Id of the connection.'),
  }),
  connection_broken: object('The credential of a connection can no longer be read.', {
    connection_id: text('Id of the connection.'),
    broken: text('Why the credential cannot be read.'),
  }),
  connection_removed: object('A connection was removed, and its credential deleted.', {
    connection_id: text('Id of the connection.'),
  }),
};

const NAME_AND_DESCRIPTION = {
  name: text('The display name.'),
  description: text('What the playbook is for; may be empty.'),
};

const PLAYBOOK_EVENTS = {
  playbook_created: object('A playbook was created.', NAME_AND_DESCRIPTION),
  playbook_updated: object('The name or description of a playbook changed.', NAME_AND_DESCRIPTION),
  playbook_retired: object('A playbook was retired.', {}),
};

const SCHEDULE_EVENTS = {
  schedule_paused: object('The schedule of a workflow was paused.', {}),
  schedule_resumed: object('The schedule of a workflow was resumed.', {}),
};

/** The schemas of the events that no list shows. */
export const UNLISTED_EVENT_SCHEMAS = { ...PLAYBOOK_EVENTS, ...CONNECTION_EVENTS, ...SCHEDULE_EVENTS };

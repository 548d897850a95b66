// What becomes of a connection. It belongs to its org and to no playbook: no list shows these events, and their types
// are not reserved.
import Type from 'typebox';
import { ConnectionSchema } from '../connection.ts';
import { CLOSED, text } from './fields.ts';

const { name, kind, entry, credential, asked_by } = ConnectionSchema.properties;

export const CONNECTION_EVENTS = {
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

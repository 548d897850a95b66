import type { EventData } from '../../../shared/schemas/events/index.ts';
import type { Projection, StoredEvent } from '../../kernel/log/index.ts';
import { insertConnection, setBroken, setConnected, setRemoved } from './sql.ts';

/** The stream of a connection stands in its org, outside of every playbook. */
export function placeOf(org: string, id: string) {
  return { org, playbook: '', stream: `connection-${id}` };
}

export const connectionProjection: Projection = {
  tables: ['connections', 'connection_counts'],
  apply(tx, event) {
    const { at, by } = event.metadata;
    switch (event.type) {
      case 'connection_added': {
        const { connection_id: id, ...added } = dataOf<'connection_added'>(event);
        return insertConnection(tx, event.org, {
          id,
          ...added,
          status: 'pending',
          added_by: by,
          added_at: at,
          connected_at: null,
          connected_by: null,
          broken: null,
        });
      }
      case 'connection_connected':
        return setConnected(tx, event.org, dataOf<'connection_connected'>(event).connection_id, { at, by });
      case 'connection_broken': {
        const { connection_id: id, broken } = dataOf<'connection_broken'>(event);
        return setBroken(tx, event.org, id, broken);
      }
      case 'connection_removed':
        return setRemoved(tx, event.org, dataOf<'connection_removed'>(event).connection_id);
      default:
        return undefined;
    }
  },
};

type ConnectionEvent = 'connection_added' | 'connection_connected' | 'connection_broken' | 'connection_removed';

/** Events of these types are recorded only here, with data of their type. */
function dataOf<T extends ConnectionEvent>({ data }: StoredEvent): EventData<T> {
  return data as unknown as EventData<T>;
}

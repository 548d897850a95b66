// What a caller that is limited to some playbooks sees and removes of the connections of its org: those that its
// playbooks may use. Of other playbooks it does not learn the ids.
import type { Permission } from '../../../shared/permissions.ts';
import type { Connection } from '../../../shared/schemas/index.ts';
import type { Call } from '../../operations/index.ts';

const ALL = '*';

/**
 * The connection as the caller may see it; undefined if none of its playbooks may use it.
 * @param permissions any of them is enough
 */
export function seenBy(
  { caller, org }: Pick<Call, 'caller' | 'org'>,
  permissions: readonly Permission[],
  connection: Connection,
): Connection | undefined {
  const may = (playbook: string): boolean => permissions.some((permission) => caller.may(permission, org, playbook));
  const playbooks = playbooksOf(connection);
  if (playbooks.includes(ALL) || may(ALL)) return connection;
  const own = playbooks.filter(may);
  return own.length === 0 ? undefined : { ...connection, entry: { ...connection.entry, playbooks: own } };
}

/** Whether the caller has the permission over every playbook that may use the connection. */
export function mayChange({ caller, org }: Pick<Call, 'caller' | 'org'>, connection: Connection): boolean {
  return playbooksOf(connection).every((playbook) => caller.may('org:write', org, playbook));
}

function playbooksOf({ entry }: Connection): readonly string[] {
  return entry.playbooks ?? [ALL];
}

// Which process keeps a view up to date in the background, where several share the store: the one that has the view's
// lease. It lasts as long as the lease of the process (shared-store.ts).
import type { EventLog, SharedStore } from '../../kernel/log/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ViewKey } from './sql.ts';

export interface ViewLeases {
  /** Whether this process has the lease, which it takes where no process has it. */
  take(key: ViewKey): Promise<boolean>;
}

/** How long it is believed that another process has a lease, in milliseconds. */
const BELIEVED = 2000;

export function createViewLeases(
  log: Pick<EventLog, 'read' | 'write'>,
  shared: Pick<SharedStore, 'holder' | 'leaseEnd'>,
  clock: Clock,
): ViewLeases {
  /** Until when a view is left to another process, by the elapsed time. */
  const released = new Map<string, number>();
  /** Callers that ask for a view meanwhile get the same answer: a process does not lose a lease to itself. */
  const taking = new Map<string, Promise<boolean>>();

  async function put(key: ViewKey, before: string | undefined): Promise<boolean> {
    const { org, playbook, name } = key;
    const holder = shared.holder();
    const changed = await log.write(key, (tx) =>
      before === undefined
        ? tx.get(
            `INSERT INTO view_leases (org, playbook, name, holder) VALUES ($1, $2, $3, $4)
             ON CONFLICT (org, playbook, name) DO NOTHING RETURNING name`,
            [org, playbook, name, holder.id],
          )
        : tx.get(
            `UPDATE view_leases SET holder = $4 WHERE org = $1 AND playbook = $2 AND name = $3 AND holder = $5
             RETURNING name`,
            [org, playbook, name, holder.id, before],
          ),
    );
    return changed !== undefined;
  }

  async function takeOnce(key: ViewKey, text: string): Promise<boolean> {
    const { org, playbook, name } = key;
    if ((released.get(text) ?? 0) > clock.elapsed()) return false;
    released.delete(text);
    const row = await log.read((tx) =>
      tx.get<{ holder: string }>('SELECT holder FROM view_leases WHERE org = $1 AND playbook = $2 AND name = $3', [
        org,
        playbook,
        name,
      ]),
    );
    if (row?.holder === shared.holder().id) return true;
    const isFree = row === undefined || (await shared.leaseEnd(row.holder)) === undefined;
    if (isFree && (await put(key, row?.holder))) return true;
    released.set(text, clock.elapsed() + BELIEVED);
    return false;
  }

  return {
    take(key) {
      const text = JSON.stringify([key.org, key.playbook, key.name]);
      const going = taking.get(text);
      if (going !== undefined) return going;
      const taken = takeOnce(key, text).finally(() => taking.delete(text));
      taking.set(text, taken);
      return taken;
    },
  };
}

// Views that other processes save and keep, where several share the store.
import type { EventLog, PlaybookKey } from '../../kernel/log/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Rounds } from './rounds.ts';
import { selectViewKeysIn } from './sql.ts';

/** Commits of other processes within such a time are looked at together, in milliseconds. */
export const LOOKED_EVERY = 250;

/** Keeps the views of every playbook that another process commits in, and looks at all of them when a lease expires. */
export function followOthers(
  log: EventLog,
  { clock, rounds, stopping }: { clock: Clock; rounds: Rounds; stopping: AbortSignal },
): void {
  const gathering = new Set<string>();

  async function keepViewsIn(playbookKey: PlaybookKey): Promise<void> {
    for (const key of await log.read((tx) => selectViewKeysIn(tx, playbookKey))) rounds.keep(key);
  }

  log.shared?.onCommittedElsewhere((playbookKey) => {
    const text = JSON.stringify(playbookKey);
    if (gathering.has(text)) return;
    gathering.add(text);
    clock.wakeAfter(LOOKED_EVERY, () => {
      gathering.delete(text);
      // A database that is away is looked at after the next commit.
      if (!stopping.aborted) keepViewsIn(playbookKey).catch(() => {});
    });
  });
  log.shared?.onExpired(async () => rounds.lookAtAll());
}

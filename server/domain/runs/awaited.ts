// What a started run waits for. It is determined when the run is read; nothing is written for it as the run progresses.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Awaited } from '../../../shared/awaited.ts';
import type { RunListEntry } from '../../../shared/schemas/index.ts';
import type { ReadTransaction } from '../../kernel/log/index.ts';
import { isDurable, type Kind } from '../../kinds/kind.ts';
import { selectPart } from './durable/sql.ts';
import type { RunRow } from './sql.ts';
import type { Waits } from './waits.ts';

/** Adds to `run` what it waits for now, by reading one row; unchanged if it waits for nothing or has ended. */
export type WithAwaited = <R extends RunListEntry>(tx: ReadTransaction, row: RunRow, run: R) => Promise<R>;

export function createWithAwaited(
  kinds: Readonly<Record<DefinitionType, Kind>>,
  waits: Pick<Waits, 'asks'>,
): WithAwaited {
  async function awaitedBy(tx: ReadTransaction, row: RunRow): Promise<readonly Awaited[]> {
    if (row.status !== 'started') return [];
    const kind = kinds[row.type];
    if (!isDurable(kind)) return (await waits.asks(tx, row, row.run_id)) ? ['answer'] : [];
    return kind.awaits({ part: (key) => selectPart(tx, row, key), mailbox: async () => [] });
  }

  return async (tx, row, run) => {
    const awaited = await awaitedBy(tx, row);
    return awaited.length === 0 ? run : { ...run, waits_for: [...awaited] };
  };
}

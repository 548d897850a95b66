// What a started run waits for. It is determined when the run is read; nothing is written for it as the run progresses.
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import { AWAITED, type Awaited } from '../../../shared/run-status.ts';
import type { RunListEntry } from '../../../shared/schemas/index.ts';
import type { ReadTransaction } from '../../kernel/log/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { selectPart } from './durable/sql.ts';
import { expectedIn, UPLOADS_PART } from './durable/uploads.ts';
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
    const { awaits, traits } = kinds[row.type];
    const part = (key: string) => selectPart(tx, row, key);
    const found = new Set<Awaited>(await awaits?.({ part, mailbox: async () => [] }));
    if (DEFINITION_FACTS[row.type].mayAsk === true && (await waits.asks(tx, row, row.run_id))) found.add('answer');
    if (traits.takesUploads === true && expectedIn(await part(UPLOADS_PART)).length > 0) found.add('upload');
    return AWAITED.filter((one) => found.has(one));
  }

  return async (tx, row, run) => {
    const awaited = await awaitedBy(tx, row);
    return awaited.length === 0 ? run : { ...run, waits_for: [...awaited] };
  };
}

// What a started run waits for. It is determined when the run is read; nothing is written for it as the run progresses.
import { DEFINITION_FACTS, type DefinitionType } from '../../../../shared/definition-types.ts';
import { AWAITED, type Awaited } from '../../../../shared/run-status.ts';
import type { Json } from '../../../../shared/json.ts';
import type { RunListEntry } from '../../../../shared/schemas/index.ts';
import type { ReadTransaction } from '../../../kernel/log/index.ts';
import type { RunState } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { selectPart } from './sql.ts';
import type { KnownState } from './states.ts';
import { expectedIn, UPLOADS_PART } from './uploads.ts';
import type { RunRow } from '../history/sql.ts';
import type { RunRequests } from './requests.ts';

/** Adds to a run what it waits for now; unchanged if it waits for nothing or has ended. */
export interface WithAwaited {
  /** By reading one row. */
  stored: <R extends RunListEntry>(tx: ReadTransaction, row: RunRow, run: R) => Promise<R>;
  /** By its state in memory; undefined if that is not enough. */
  known: <R extends RunListEntry>(
    state: Pick<KnownState, 'row' | 'isWhole'> & { parts: ReadonlyMap<string, Json | undefined> },
    run: R,
  ) => Promise<R | undefined>;
}

export function createWithAwaited(
  kinds: Readonly<Record<DefinitionType, Kind>>,
  requests: Pick<RunRequests, 'asks'>,
): WithAwaited {
  async function awaitedBy(
    type: DefinitionType,
    part: RunState['part'],
    asks: () => Promise<boolean>,
  ): Promise<readonly Awaited[]> {
    const { awaits, traits } = kinds[type];
    const found = new Set<Awaited>(await awaits?.({ part, mailbox: async () => [] }));
    if (mayAsk(type) && (await asks())) found.add('answer');
    if (traits.takesUploads === true && expectedIn(await part(UPLOADS_PART)).length > 0) found.add('upload');
    return AWAITED.filter((one) => found.has(one));
  }

  return {
    async stored(tx, row, run) {
      if (row.status !== 'started') return run;
      const part = (key: string): Promise<Json | undefined> => selectPart(tx, row, key);
      return withFound(run, await awaitedBy(row.type, part, () => requests.asks(tx, row, row.run_id)));
    },
    async known({ row, parts, isWhole }, run) {
      if (!isWhole || mayAsk(row.type)) return undefined;
      return withFound(
        run,
        await awaitedBy(
          row.type,
          (key) => parts.get(key),
          async () => false,
        ),
      );
    },
  };
}

const mayAsk = (type: DefinitionType): boolean => DEFINITION_FACTS[type].mayAsk === true;

function withFound<R extends RunListEntry>(run: R, awaited: readonly Awaited[]): R {
  return awaited.length === 0 ? run : { ...run, waits_for: [...awaited] };
}

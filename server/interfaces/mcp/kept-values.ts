// Values that no operation reads again, kept in memory for a while after they were answered as a link.
import type { Json } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

const KEPT_FOR_MS = 10 * 60_000;
const MOST_BYTES = 32 * MIB;

/** Whom a value was answered to, and where. */
export interface Owner {
  org: string;
  by: string;
}

export interface KeptValues {
  /** Keeps the value for ten minutes, or until newer ones need its room; answers its id. */
  keep(owner: Owner, value: Json): string;
  /** Undefined when it is kept no longer, or is another one's. */
  read(owner: Owner, id: string): Json | undefined;
}

export function createKeptValues(clock: Clock, ids: Ids): KeptValues {
  const kept = new Map<string, { owner: Owner; value: Json; bytes: number; until: number }>();
  let bytes = 0;

  function forget(id: string): void {
    bytes -= kept.get(id)?.bytes ?? 0;
    kept.delete(id);
  }

  return {
    keep(owner, value) {
      const id = ids();
      const size = jsonBytes(value);
      kept.set(id, { owner, value, bytes: size, until: clock.now() + KEPT_FOR_MS });
      bytes += size;
      // A map gives its entries in the order in which they came.
      for (const [oldest, { until }] of kept) {
        if (until > clock.now() && bytes <= MOST_BYTES) break;
        forget(oldest);
      }
      return id;
    },
    read({ org, by }, id) {
      const found = kept.get(id);
      if (found === undefined || found.until <= clock.now()) return undefined;
      return found.owner.org === org && found.owner.by === by ? found.value : undefined;
    },
  };
}

// Values that no operation can read again, kept in memory for a while after they were returned as a link.
import { LRUCache } from 'lru-cache';
import type { Json } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

const KEPT_FOR_MS = 10 * 60_000;
const MOST_BYTES = 32 * MIB;

/** A caller, and the org in which it acts. */
export interface Owner {
  org: string;
  by: string;
}

export interface KeptValues {
  /** Keeps the value for ten minutes, or until newer values need the space; returns its id. */
  keep(owner: Owner, value: Json): string;
  /** Undefined if the value has expired, or belongs to another caller. */
  read(owner: Owner, id: string): Json | undefined;
}

export function createKeptValues(clock: Clock, ids: Ids): KeptValues {
  const kept = new LRUCache<string, { owner: Owner; value: Json }>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ value }) => jsonBytes(value),
    ttl: KEPT_FOR_MS,
    ttlResolution: 0,
    perf: clock,
  });

  return {
    keep(owner, value) {
      const id = ids();
      kept.set(id, { owner, value });
      return id;
    },
    read({ org, by }, id) {
      const found = kept.peek(id);
      return found?.owner.org === org && found.owner.by === by ? found.value : undefined;
    },
  };
}

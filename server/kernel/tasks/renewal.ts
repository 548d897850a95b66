import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../log/index.ts';
import { createTimer } from './alarm.ts';
import { renewClaims } from './claims-sql.ts';
import type { TaskTable } from './sql.ts';
import type { TaskFailure } from './task.ts';

/** How long a claim lasts without being renewed, in milliseconds. */
const LEASE = 60_000;
/** Two renewals may fail before a claim is lost. */
const RENEWED_EVERY = LEASE / 3;

/** Where processes share the store, a claim lasts as long as the lease of its holder. */
export function claimedUntil({ shared }: Pick<Store, 'shared'>, now: number): number {
  return shared === undefined ? now + LEASE : Number.MAX_SAFE_INTEGER;
}

export interface RenewalOptions {
  store: Store;
  table: TaskTable;
  clock: Clock;
  holder: string;
  onError: (failure: TaskFailure) => void;
}

/** Keeps a holder's claims from expiring while it carries something out. */
export interface Renewal {
  keep(): void;
  pause(): void;
  /** Answers when the last renewal has ended. */
  end(): Promise<void>;
}

export function createRenewal({ store, table, clock, holder, onError }: RenewalOptions): Renewal {
  let wanted = false;
  let renewing: Promise<void> | undefined;
  // A clock that is set back must not keep claims from being renewed.
  const timer = createTimer(clock, () => {
    renewing ??= renew();
  });

  async function renew(): Promise<void> {
    try {
      await store.write('no playbook', (tx) => renewClaims(tx, table, holder, clock.now() + LEASE));
    } catch (error) {
      onError({ error, retryAt: clock.now() + RENEWED_EVERY });
    }
    renewing = undefined;
    if (wanted) timer.start(RENEWED_EVERY);
  }

  function pause(): void {
    wanted = false;
    timer.callOff();
  }

  return {
    keep() {
      wanted = true;
      if (renewing === undefined) timer.start(RENEWED_EVERY);
    },
    pause,
    async end() {
      pause();
      await renewing;
    },
  };
}

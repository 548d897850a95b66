// Functions that put a request wait for its end. Who keeps the requests is told here what runs need of it.
import type { NewRequest } from '../../kinds/conversing.ts';
import type { Ending } from '../../kinds/run.ts';
import type { Place, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import type { Attempt } from './record.ts';
import type { RunRow } from './sql.ts';

export interface Waits {
  /**
   * Puts the request of a run; what is recorded of it follows the start of its attempt.
   * @returns the run's ending where it need not wait: a notice in the inbox, or no room for a request
   */
  begin(
    tx: WriteTransaction,
    attempt: Attempt,
    request: NewRequest,
    start: { eventId: string; at: number; traceId?: string },
  ): Promise<Ending | undefined>;
  /** @throws Refused where the request's tool is none that the playbook may use */
  refuseUnoffered(place: Place, request: NewRequest): void;
  /** Whether the run put a request that is open. */
  isWaiting(tx: ReadTransaction, place: Place, runId: string): Promise<boolean>;
  /** Whether the run put a question that is open: a notification waits for no answer. */
  asks(tx: ReadTransaction, place: Place, runId: string): Promise<boolean>;
  /** A cancel of the run was recorded: its request is withdrawn. */
  withdraw(tx: WriteTransaction, run: RunRow, request: { kind: string; detail: string; cause: string }): Promise<void>;
}

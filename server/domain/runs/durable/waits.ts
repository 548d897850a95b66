// Runs that put a request wait for its end. What runs need of those who keep the requests.
import type { NewRequest } from '../../../kinds/conversing.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { NewEvent, PlaybookKey, ReadTransaction, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Attempt } from '../history/record.ts';
import type { RunRow } from '../history/sql.ts';

/** The event that puts a request, with its id. */
export type RequestEvent = NewEvent & { id: string };

export interface Waits {
  /**
   * Makes the event that puts a request of a run.
   * @returns the run's ending instead where the request cannot be put: its tool is not offered, or too many are open
   */
  put(
    tx: WriteTransaction,
    attempt: Attempt,
    request: NewRequest,
    cause: string,
  ): Promise<{ event: RequestEvent } | { ending: Ending }>;
  /** The event is recorded: from now on the request is delivered, and expires. */
  opened(
    tx: WriteTransaction,
    attempt: Attempt,
    put: { request: NewRequest; eventId: string; now: number },
  ): Promise<void>;
  /** The run ends: nothing of a request that is open is due any more. */
  dropped(tx: WriteTransaction, run: PlaybookKey & { runId: string }): Promise<void>;
  /** Whether the run put a question that is open: a notification waits for no answer. */
  asks(tx: ReadTransaction, place: PlaybookKey, runId: string): Promise<boolean>;
  /** A cancel of the run was recorded: its request is withdrawn. */
  withdraw(tx: WriteTransaction, run: RunRow, request: { kind: string; detail: string; cause: string }): Promise<void>;
}

// What a second request under a used run id means: the contract's table "Retrying under a run id", as a decision.
import { assertNever } from '../../shared/assert-never.ts';
import type { Reason } from '../../shared/problems.ts';
import type { RunRow } from './sql.ts';

export type RetryDecision =
  /** The recorded ending answers; nothing runs. */
  | 'answer'
  /** An attempt is going on: its ending will be the answer. */
  | 'join'
  /** There is no final result: the run is attempted again. */
  | 'attempt'
  /** The id belongs to another definition or another input. */
  | 'refuse'
  /** A workflow runs once: it ended without a final result and is not attempted again. */
  | 'refuse_again';

/** Rejections that are a run's last word. */
const FINAL_REASONS: readonly Reason[] = ['invalid_input', 'cancelled', 'unanswered'];

export function decideRetry(
  run: RunRow,
  request: { type: string; name: string; inputSha256: string },
  isLive: boolean,
  isDurable = false,
): RetryDecision {
  if (run.type !== request.type || run.name !== request.name || run.input_sha256 !== request.inputSha256) {
    return 'refuse';
  }
  const again = isDurable ? 'refuse_again' : 'attempt';
  switch (run.status) {
    case 'succeeded':
      return 'answer';
    case 'rejected':
      return FINAL_REASONS.some((reason) => reason === run.reason) ? 'answer' : again;
    case 'failed':
      return again;
    case 'started':
      if (isDurable) return 'answer';
      return isLive ? 'join' : 'attempt';
    default:
      return assertNever(run.status);
  }
}

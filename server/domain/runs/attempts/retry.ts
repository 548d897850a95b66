// What a second request under a used run id means: the contract's table "Retrying under a run id", as a decision.
import { assertNever } from '../../../../shared/assert-never.ts';
import type { Reason } from '../../../../shared/problems.ts';
import { conflict, Refused } from '../../../lib/rejection.ts';
import type { RunInvocation } from '../durable/invocation.ts';
import type { RunRow } from '../history/sql.ts';

export type RetryDecision =
  /** The recorded run is returned; nothing runs. */
  | 'answer'
  /** An attempt is in progress: its ending will be the answer. */
  | 'join'
  /** There is no final result: the run is attempted again. */
  | 'attempt'
  /** The id belongs to another definition, version, model or input. */
  | 'refuse'
  /** A run of a kind that runs once: it ended without a final result and is not attempted again. */
  | 'refuse_again'
  /** It may have called tools, and is not attempted again. */
  | 'tools_called';

/** What is known of the run beside its row. */
export interface RetrySituation {
  /** An attempt is in progress in this process. */
  isLive: boolean;
  /** It waits for an input. */
  isWaiting: boolean;
  /** Its document may call tools. */
  mayCallTools: boolean;
}

/** Rejections that are final results of a run. */
const FINAL_REASONS: readonly Reason[] = ['invalid_input', 'cancelled', 'unanswered'];

interface AskedRun {
  type: string;
  name: string;
  inputSha256: string;
  /** Undefined for any version: a run without a final result may be attempted again with the current one. */
  version?: number;
  model?: string;
}

/** What a request asks for, to compare it with the run that its id has. */
export function askedFor({ type, name, version, model }: RunInvocation, inputSha256: string): AskedRun {
  return {
    type,
    name,
    inputSha256,
    ...(version === undefined ? {} : { version }),
    ...(model === undefined ? {} : { model }),
  };
}

/** For a run that may have several attempts. */
export function decideRetry(run: RunRow, asked: AskedRun, situation: RetrySituation): RetryDecision {
  if (isOther(run, asked)) return 'refuse';
  if (run.status === 'started') {
    if (situation.isWaiting) return 'answer';
    if (situation.mayCallTools) return 'tools_called';
    return situation.isLive ? 'join' : 'attempt';
  }
  if (isFinal(run)) return 'answer';
  return run.tools_called === 'none' ? 'attempt' : 'tools_called';
}

/** For a run of a kind that runs once. */
export function decideOnlyAttempt(run: RunRow, asked: AskedRun): RetryDecision {
  if (isOther(run, asked)) return 'refuse';
  return run.status === 'started' || isFinal(run) ? 'answer' : 'refuse_again';
}

function isOther(run: RunRow, { type, name, inputSha256, version, model }: AskedRun): boolean {
  return (
    // A rerun uses results of another run, so it is not what running the definition would be.
    run.origin_run_id !== null ||
    run.type !== type ||
    run.name !== name ||
    run.input_sha256 !== inputSha256 ||
    (run.model ?? undefined) !== model ||
    (version !== undefined && Number(run.definition_version) !== version)
  );
}

function isFinal({ status, reason }: RunRow): boolean {
  switch (status) {
    case 'succeeded':
      return true;
    case 'rejected':
      return FINAL_REASONS.some((one) => one === reason);
    case 'started':
    case 'failed':
      return false;
    default:
      return assertNever(status);
  }
}

export function belongsToAnother(runId: string): Refused {
  return conflict(
    `The run ${runId} belongs to another definition, version, model or input; send a new \`run_id\`, or none.`,
  );
}

/** A run that may have called tools is not attempted again under its id. */
export function toolsCalled({ run_id: runId, status, tools_called: called }: RunRow): Refused {
  const onlyRead = status !== 'started' && called === 'reads';
  const why = status === 'started' ? 'is still in progress and may call tools' : 'called tools and has no final result';
  const detail = `The run ${runId} ${why}: it is not run again with the same id; send a new \`run_id\`${onlyRead ? ', which is safe because the run only read' : ' if repeating the work does no harm'}.`;
  const because = onlyRead ? { because: 'only_read' } : {};
  const rejection = { reason: 'conflict', kind: 'tools_called', ...because, detail } as const;
  return new Refused(rejection, { problem: 'tools_called', members: { run_id: runId } });
}

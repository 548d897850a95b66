// The status of a run as people read it: one of six words, and beside it what a waiting run waits for or why a run was
// rejected. The API keeps the contract's `status`, `reason` and `kind`; the studio, the command line and the sentences
// for agents show this label.
import { assertNever } from './assert-never.ts';
import type { Awaited, RunStatus } from './run-status.ts';

/** How urgent a status is: blue in progress (hollow while the run waits), amber for what the caller can correct. */
export type StatusTone = 'blue' | 'hollow-blue' | 'green' | 'amber' | 'grey' | 'red';

export interface StatusLabel {
  word: 'Running' | 'Waiting' | 'Succeeded' | 'Rejected' | 'Cancelled' | 'Failed';
  tone: StatusTone;
  /** What a waiting run waits for, or why the run was rejected: "an answer and a timer", "program error". */
  about?: string;
}

/** The fields of a run, listed or in full, that determine its status. */
export interface StatusFields {
  status: RunStatus;
  waits_for?: readonly Awaited[] | undefined;
  reason?: string | undefined;
  kind?: string | undefined;
}

/** The status that people filter runs by, and the coarser one that the API filters by. */
export type StatusFilter = Lowercase<StatusLabel['word']>;
export const API_STATUSES: Readonly<Record<StatusFilter, RunStatus>> = {
  running: 'started',
  waiting: 'started',
  succeeded: 'succeeded',
  rejected: 'rejected',
  cancelled: 'rejected',
  failed: 'failed',
};
export const STATUS_FILTERS = Object.keys(API_STATUSES) as StatusFilter[];

/** How runs that ended are counted: by status, and rejected runs by cause. The keys are those of analytics. */
export const RUN_OUTCOMES = {
  succeeded: 'Succeeded',
  invalid_input: 'Invalid input',
  cancelled: 'Cancelled',
  expired: 'Expired',
  undelivered: 'Undelivered',
  program_error: 'Program error',
  refused: 'Other rejection',
  failed: 'Failed',
} as const;
export type RunOutcome = keyof typeof RUN_OUTCOMES;
export const RUN_OUTCOME_NAMES = Object.keys(RUN_OUTCOMES) as RunOutcome[];

const LABELS: Readonly<Record<RunOutcome, StatusLabel>> = {
  succeeded: { word: 'Succeeded', tone: 'green' },
  invalid_input: { word: 'Rejected', tone: 'amber', about: 'invalid input' },
  cancelled: { word: 'Cancelled', tone: 'grey' },
  expired: { word: 'Rejected', tone: 'grey', about: 'expired' },
  undelivered: { word: 'Rejected', tone: 'grey', about: 'undelivered' },
  program_error: { word: 'Rejected', tone: 'red', about: 'program error' },
  refused: { word: 'Rejected', tone: 'amber' },
  failed: { word: 'Failed', tone: 'red' },
};

const AWAITED_WORDS: Readonly<Record<Awaited, string>> = {
  answer: 'an answer',
  upload: 'an upload',
  timer: 'a timer',
  event: 'an event',
  run: 'a run',
};

export function statusLabelOf(run: StatusFields): StatusLabel {
  const { reason, waits_for: awaited = [] } = run;
  const outcome = runOutcomeOf(run);
  if (outcome === 'refused' && reason !== undefined) {
    return { ...LABELS.refused, about: reason.replaceAll('_', ' ') };
  }
  if (outcome !== undefined) return LABELS[outcome];
  if (awaited.length === 0) return { word: 'Running', tone: 'blue' };
  return { word: 'Waiting', tone: 'hollow-blue', about: awaited.map((one) => AWAITED_WORDS[one]).join(' and ') };
}

/** Undefined while the run is in progress. */
export function runOutcomeOf({ status, reason, kind }: StatusFields): RunOutcome | undefined {
  switch (status) {
    case 'started':
      return undefined;
    case 'succeeded':
    case 'failed':
      return status;
    case 'rejected':
      if (reason === 'invalid_input' || reason === 'cancelled') return reason;
      if (reason === 'unanswered') return kind === 'undelivered' ? 'undelivered' : 'expired';
      return reason === 'conflict' && kind === 'unworkable' ? 'program_error' : 'refused';
    default:
      return assertNever(status);
  }
}

/** The status of a run whose ending the caller got as a problem. */
export function statusOfProblem({ reason, kind }: { reason: string; kind?: string | undefined }): StatusFields {
  return reason === 'internal' ? { status: 'failed' } : { status: 'rejected', reason, kind };
}

/** As a label: "Succeeded", "Waiting for an answer", "Rejected: unavailable". */
export function statusText(run: StatusFields): string {
  const { word } = statusLabelOf(run);
  return `${word}${aboutText(run)}`;
}

const PREDICATES: Readonly<Record<StatusLabel['word'], string>> = {
  Running: 'is running',
  Waiting: 'is waiting',
  Succeeded: 'succeeded',
  Rejected: 'was rejected',
  Cancelled: 'was cancelled',
  Failed: 'failed',
};

/** As a sentence about the run: "The run was rejected: unavailable." */
export function statusSentence(subject: string, run: StatusFields): string {
  const { word } = statusLabelOf(run);
  return `${subject} ${PREDICATES[word]}${aboutText(run)}.`;
}

/** What follows the word: " for an answer", ": unavailable", or nothing. */
function aboutText(run: StatusFields): string {
  const { word, about } = statusLabelOf(run);
  if (about === undefined) return '';
  return word === 'Waiting' ? ` for ${about}` : `: ${about}`;
}

/** Whether a run ended without an output although nobody cancelled it. */
export function isWithoutOutput(run: StatusFields): boolean {
  const outcome = runOutcomeOf(run);
  return outcome !== undefined && outcome !== 'succeeded' && outcome !== 'cancelled';
}

/** Whether a run failed at its work. A run with invalid input, a cancelled one and an unanswered one did not. */
export function isFailure(run: StatusFields): boolean {
  const outcome = runOutcomeOf(run);
  return outcome === 'program_error' || outcome === 'refused' || outcome === 'failed';
}

/** How many of the runs that count succeeded. Invalid input, cancellation and a missing answer are not the function's fault. */
export function successOf(outcomes: Readonly<Record<RunOutcome, number>>): {
  succeeded: number;
  counted: number;
} {
  const { succeeded, program_error, refused, failed } = outcomes;
  return { succeeded, counted: succeeded + program_error + refused + failed };
}

/** "99.7%", rounded down, so that only a complete success is 100%. An en dash if no run counts. */
export function successRate({ succeeded, counted }: ReturnType<typeof successOf>): string {
  return counted === 0 ? '–' : `${Math.floor((1_000 * succeeded) / counted) / 10}%`;
}

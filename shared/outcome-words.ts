// The one word that people read for how a run stands or ended. The API keeps `status`, `reason` and `kind`; the
// studio, the command line and the sentences for agents show this word.
import { assertNever } from './assert-never.ts';
import type { Awaited } from './run-status.ts';
import type { RunListEntry } from './schemas/run.ts';

/** How urgent the word is: blue for a run in progress (hollow while it waits), amber for what the caller can correct. */
export type OutcomeTone = 'blue' | 'hollow-blue' | 'green' | 'amber' | 'grey' | 'red';

export interface Outcome {
  word:
    | 'Running'
    | 'Waiting'
    | 'Succeeded'
    | 'Invalid input'
    | 'Cancelled'
    | 'Expired'
    | 'Undelivered'
    | 'Program error'
    | 'Refused'
    | 'Failed';
  tone: OutcomeTone;
  /** What a run that waits is waiting for, or the reason of a refusal: "an answer and a timer", "unavailable". */
  about?: string;
}

/** The fields of a run, of a list or in full, that make up its outcome. */
export type OutcomeFields = Pick<RunListEntry, 'status'> & {
  waits_for?: readonly Awaited[] | undefined;
  reason?: string | undefined;
  kind?: string | undefined;
};

export function outcomeOf({ status, reason, kind, waits_for: awaited = [] }: OutcomeFields): Outcome {
  switch (status) {
    case 'started':
      return awaited.length === 0
        ? { word: 'Running', tone: 'blue' }
        : { word: 'Waiting', tone: 'hollow-blue', about: awaited.map((one) => AWAITED_WORDS[one]).join(' and ') };
    case 'succeeded':
      return { word: 'Succeeded', tone: 'green' };
    case 'rejected':
      return rejected(reason, kind);
    case 'failed':
      return { word: 'Failed', tone: 'red' };
    default:
      return assertNever(status);
  }
}

/** What a run's ending makes of it, as the problem that reports it has reason and kind. */
export function outcomeOfProblem({ reason, kind }: { reason: string; kind?: string | undefined }): OutcomeFields {
  return reason === 'internal' ? { status: 'failed' } : { status: 'rejected', reason, kind };
}

/** The outcome in one text: "Succeeded", "Waiting for an answer", "Refused: unavailable". */
export function outcomeText(fields: OutcomeFields): string {
  const { word, about } = outcomeOf(fields);
  if (about === undefined) return word;
  return word === 'Waiting' ? `${word} for ${about}` : `${word}: ${about}`;
}

/** Whether a run failed at its work. One that was sent a wrong input, was cancelled or went unanswered did not. */
export function isFailure(fields: OutcomeFields): boolean {
  const { word } = outcomeOf(fields);
  return word === 'Program error' || word === 'Refused' || word === 'Failed';
}

/** The outcomes of runs that ended, by their names in summaries. */
export const ENDED_OUTCOMES = {
  succeeded: 'Succeeded',
  invalid_input: 'Invalid input',
  cancelled: 'Cancelled',
  expired: 'Expired',
  undelivered: 'Undelivered',
  program_error: 'Program error',
  refused: 'Refused',
  failed: 'Failed',
} as const satisfies Record<string, Outcome['word']>;
export type EndedOutcome = keyof typeof ENDED_OUTCOMES;
export const ENDED_OUTCOME_NAMES = Object.keys(ENDED_OUTCOMES) as EndedOutcome[];

/**
 * How many of the runs that could succeed did. What the caller sent wrongly, cancelled or left unanswered says nothing
 * about the function.
 */
export function successOf(outcomes: Readonly<Record<EndedOutcome, number>>): {
  succeeded: number;
  counted: number;
} {
  const { succeeded, program_error, refused, failed } = outcomes;
  return { succeeded, counted: succeeded + program_error + refused + failed };
}

/** "99.7 %": rounded down, so that 100 % stands for all of them. An en dash where none is counted. */
export function successRate({ succeeded, counted }: ReturnType<typeof successOf>): string {
  return counted === 0 ? '–' : `${Math.floor((1_000 * succeeded) / counted) / 10} %`;
}

const AWAITED_WORDS: Readonly<Record<Awaited, string>> = {
  answer: 'an answer',
  upload: 'an upload',
  timer: 'a timer',
  event: 'an event',
  run: 'a run',
};

function rejected(reason: string | undefined, kind: string | undefined): Outcome {
  if (reason === 'invalid_input') return { word: 'Invalid input', tone: 'amber' };
  if (reason === 'cancelled') return { word: 'Cancelled', tone: 'grey' };
  if (reason === 'unanswered') return { word: kind === 'undelivered' ? 'Undelivered' : 'Expired', tone: 'grey' };
  if (reason === 'conflict' && kind === 'unworkable') return { word: 'Program error', tone: 'red' };
  return { word: 'Refused', tone: 'amber', ...(reason === undefined ? {} : { about: reason.replaceAll('_', ' ') }) };
}

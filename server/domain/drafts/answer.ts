// The answer of run_draft, within DRAFT_BOUNDS.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { DRAFT_BOUNDS, LIMITS } from '../../../shared/limits.ts';
import type { DraftRun } from '../../../shared/schemas/index.ts';
import type { CloudEvent, MovedStep } from '../../kinds/durable.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { isoTime } from '../../lib/clock.ts';
import { cutText } from '../../lib/cut-text.ts';
import type { BoundedList, OutputRoom } from './bounds.ts';
import type { DraftResult } from './execution.ts';
import type { DraftCalls } from './draft-calls.ts';

export type DraftStep = DraftRun['steps'][number];

export function stepOf(moved: MovedStep, now: number, room: OutputRoom): DraftStep {
  const { step, kind, iterations, state, taken, because, waitsFor, output, error } = moved;
  return {
    step,
    kind,
    ...(iterations === undefined ? {} : { iterations: [...iterations] }),
    state,
    at: isoTime(now),
    ...(taken === undefined ? {} : { taken }),
    ...(because === undefined ? {} : { because }),
    ...(waitsFor === undefined ? {} : { waits_for: waitsFor }),
    ...room.show(output),
    ...(error === undefined ? {} : { error: shownError(error) }),
  };
}

/** An error of a step; of a long one, the numbers and the beginnings of its texts. */
function shownError(error: JsonObject): JsonObject {
  if (jsonBytes(error) <= LIMITS.shownValueBytes) return error;
  const members = ['type', 'status', 'title', 'detail', 'instance'].flatMap((name): [string, Json][] => {
    const value = error[name];
    if (typeof value === 'number') return [[name, value]];
    return typeof value === 'string' ? [[name, cutText(value, DRAFT_BOUNDS.detailCharacters)]] : [];
  });
  return Object.fromEntries(members);
}

/** Where a step is: a later state of the same step takes the place of an earlier one. */
export function placeOf({ step, iterations = [] }: Pick<DraftStep, 'step' | 'iterations'>): string {
  return `${step} ${iterations.join('.')}`;
}

export interface AnswerParts {
  steps: readonly DraftStep[];
  calls: DraftCalls;
  result: DraftResult;
  published: BoundedList<CloudEvent>;
  runId: string;
  startedAt: number;
  durationMs: number;
  shape: string | undefined;
  isShortened: boolean;
}

export function answerOf({
  steps,
  calls,
  result,
  published,
  runId,
  startedAt,
  durationMs,
  shape,
  isShortened,
}: AnswerParts): DraftRun {
  const { ending, waitsFor } = result;
  const rest = {
    valid: true,
    issues: [],
    duration_ms: durationMs,
    steps: [...steps],
    calls: [...calls.calls],
    published: [...published.values],
    ...(isShortened || published.isFull() || calls.isShortened() ? { shortened: true } : {}),
  };
  if (ending === undefined) {
    const { questions, results } = calls;
    const asked = calls.askedCount();
    const detail =
      asked === 0 ? `The run waits for ${waitsFor ?? 'something that does not happen'}.` : waitsWords(asked);
    const continuation = { run_id: runId, started_at: isoTime(startedAt), results: [...results.values] };
    return {
      ...rest,
      status: 'waiting',
      detail,
      questions: [...questions.values],
      ...(results.isFull() ? {} : { continuation }),
    };
  }
  const record = 'record' in ending && ending.record !== undefined ? { record: ending.record } : {};
  const own = { ...rest, ...record, questions: [] };
  switch (ending.status) {
    case 'succeeded':
      return {
        ...own,
        status: 'succeeded',
        output: ending.output,
        ...(shape === undefined || ending.hasNoShape === true ? {} : { output_shape: shape }),
      };
    case 'rejected': {
      const { reason, kind, because, detail, issues } = ending.rejection;
      const rejection = {
        reason,
        ...(kind === undefined ? {} : { kind }),
        ...(because === undefined ? {} : { because }),
        ...(issues === undefined
          ? {}
          : { issues: issues.map(({ pointer, detail: words }) => ({ pointer, detail: words })) }),
      };
      return { ...own, status: 'rejected', rejection, detail };
    }
    case 'failed':
      return { ...own, status: 'failed', detail: ending.detail };
  }
}

function waitsWords(questions: number): string {
  return questions === 1 ? 'The run waits for one result.' : `The run waits for ${questions} results.`;
}

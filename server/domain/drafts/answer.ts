// The answer of run_draft, within DRAFT_BOUNDS.
import type { Json } from '../../../shared/json.ts';
import { DRAFT_BOUNDS, LIMITS } from '../../../shared/limits.ts';
import type { DraftRun } from '../../../shared/schemas/index.ts';
import type { MovedStep } from '../../kinds/durable.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { isoTime } from '../../lib/clock.ts';
import type { CarriedOut } from './carry-out.ts';
import type { DraftCalls } from './draft-calls.ts';

export type DraftStep = DraftRun['steps'][number];

/** Shows outputs as long as there is room for them. */
export interface OutputRoom {
  show: (output: Json | undefined) => { output?: Json; output_bytes?: number };
}

export function createOutputRoom(): OutputRoom {
  let room: number = DRAFT_BOUNDS.shownBytes;
  return {
    show(output) {
      if (output === undefined) return {};
      const bytes = jsonBytes(output);
      if (bytes > LIMITS.shownValueBytes || bytes > room) return { output_bytes: bytes };
      room -= bytes;
      return { output };
    },
  };
}

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
    ...(error === undefined ? {} : { error }),
  };
}

/** Where a step is: a later state of the same step takes the place of an earlier one. */
export function placeOf({ step, iterations = [] }: Pick<DraftStep, 'step' | 'iterations'>): string {
  return `${step} ${iterations.join('.')}`;
}

export interface AnswerParts {
  steps: readonly DraftStep[];
  calls: DraftCalls;
  came: CarriedOut;
  runId: string;
  startedAt: number;
  durationMs: number;
  shape: string | undefined;
  room: OutputRoom;
  isShortened: boolean;
}

export function answerOf({
  steps,
  calls,
  came,
  runId,
  startedAt,
  durationMs,
  shape,
  room,
  isShortened,
}: AnswerParts): DraftRun {
  const { ending, waitsFor } = came;
  const rest = {
    valid: true,
    issues: [],
    duration_ms: durationMs,
    steps: [...steps],
    calls: calls.calls.map(({ output, ...call }) => ({ ...call, ...room.show(output as Json | undefined) })),
    published: [...came.published],
    ...(isShortened ? { shortened: true } : {}),
  };
  if (ending === undefined) {
    const { questions, results } = calls;
    const detail =
      questions.length === 0
        ? `The run waits for ${waitsFor ?? 'something that does not happen'}.`
        : waitsWords(questions.length);
    const continuation = { run_id: runId, started_at: isoTime(startedAt), results: [...results] };
    return {
      ...rest,
      status: 'waiting',
      detail,
      questions: [...questions],
      ...(jsonBytes(results) <= DRAFT_BOUNDS.resultBytes ? { continuation } : {}),
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

// What a draft run called, and the results that the caller gave for its calls.
import type { Issue } from '../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { DRAFT_BOUNDS } from '../../../shared/limits.ts';
import type { DraftRun } from '../../../shared/schemas/index.ts';
import type { CallFailure } from '../../kinds/checked.ts';
import type { Ending } from '../../kinds/run.ts';
import { failedAs } from '../../kinds/simulated-calls.ts';
import { cutText } from '../../lib/cut-text.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { type BoundedList, createBoundedList, createOutputRoom } from './bounds.ts';

export type DraftQuestion = DraftRun['questions'][number];
export type DraftCall = DraftRun['calls'][number];

/** The result of a call, as the caller or an earlier request gave it. */
export interface GivenResult {
  call: string;
  output?: unknown;
  failure?: CallFailure;
}

/** What is asked of the caller. */
export type Asked = Omit<DraftQuestion, 'call' | 'called' | 'issues'>;

/** Collects what happens to the calls of a draft run. */
export interface DraftCalls {
  calls: readonly DraftCall[];
  /** The first ones; the others are asked once these have results. */
  questions: BoundedList<DraftQuestion>;
  /** How many questions are open. */
  askedCount: () => number;
  /** Results that cannot be computed again. */
  results: BoundedList<GivenResult>;
  /** Whether no more calls of definitions and services are made. */
  areTooMany: () => boolean;
  /** Whether calls or questions are left out. */
  isShortened: () => boolean;
  /** The id of the next call of a step. @param path the id of the calling run; empty for the draft itself */
  idOf: (path: string, reference: string) => string;
  /** The ending that was given for a call; `open` if there is none, or if it does not match the schema. */
  settle: (call: string, called: string, asked: Asked, schemas: SchemaChecker) => Promise<Ending | 'open'>;
  /** Notes how a call ended. */
  note: (call: string, called: string, how: DraftCall['how'], ending: Ending | 'open', detail?: string) => void;
  /** Keeps the result of a call that would have an effect or a cost a second time. */
  keep: (call: string, ending: Ending) => void;
  isGiven: (call: string) => boolean;
}

export function createDraftCalls(given: readonly GivenResult[]): DraftCalls {
  const known = new Map(given.map((result) => [result.call, result]));
  const counts = new Map<string, number>();
  const calls: DraftCall[] = [];
  const room = createOutputRoom();
  const questions = createBoundedList<DraftQuestion>(DRAFT_BOUNDS.questionBytes);
  const results = createBoundedList<GivenResult>(DRAFT_BOUNDS.resultBytes);
  let asked = 0;
  let noted = 0;

  const note: DraftCalls['note'] = (call, called, how, ending, detail) => {
    noted += 1;
    // Those of the tools that a model calls are not limited otherwise.
    if (noted > DRAFT_BOUNDS.calls) return;
    const words = detail ?? (ending === 'open' ? undefined : detailOf(ending));
    calls.push({
      call,
      called,
      how,
      status: ending === 'open' ? 'waiting' : ending.status,
      ...(words === undefined ? {} : { detail: cutText(words, DRAFT_BOUNDS.detailCharacters) }),
      ...(ending !== 'open' && ending.status === 'succeeded' ? room.show(ending.output) : {}),
    });
  };

  return {
    calls,
    questions,
    askedCount: () => asked,
    results,
    areTooMany: () => noted >= DRAFT_BOUNDS.calls,
    isShortened: () => noted > DRAFT_BOUNDS.calls || questions.isFull(),
    note,
    isGiven: (call) => known.has(call),
    idOf(path, reference) {
      const first = path === '' ? reference : `${path} > ${reference}`;
      const count = (counts.get(first) ?? 0) + 1;
      counts.set(first, count);
      return count === 1 ? first : `${first}#${count}`;
    },
    keep(call, ending) {
      results.add(
        ending.status === 'succeeded' ? { call, output: ending.output } : { call, failure: failureOf(ending) },
      );
    },
    async settle(call, called, question, schemas) {
      const result = known.get(call);
      const issues = result === undefined ? [] : await misfits(result, question.schema, schemas);
      if (result === undefined || issues.length > 0) {
        asked += 1;
        questions.add({ call, called, ...question, ...(issues.length === 0 ? {} : { issues: [...issues] }) });
        note(call, called, 'open', 'open', question.detail);
        return 'open';
      }
      results.add(result);
      const ending: Ending =
        result.failure === undefined
          ? { status: 'succeeded', output: (result.output ?? null) as Json, record: {} }
          : failedAs(result.failure, called, 'draft run');
      note(call, called, 'given', ending);
      return ending;
    },
  };
}

async function misfits(
  { output, failure }: GivenResult,
  schema: Asked['schema'],
  schemas: SchemaChecker,
): Promise<readonly Issue[]> {
  if (failure !== undefined || schema === undefined) return [];
  return schemas.compileSchema(schema as JsonObject, 'The result').check((output ?? null) as Json, '');
}

function detailOf(ending: Ending): string | undefined {
  if (ending.status === 'succeeded') return undefined;
  return ending.status === 'failed' ? ending.detail : ending.rejection.detail;
}

function failureOf(ending: Exclude<Ending, { status: 'succeeded' }>): CallFailure {
  if (ending.status === 'failed') return 'failed';
  const { reason } = ending.rejection;
  return reason === 'invalid_input' || reason === 'unavailable' || reason === 'unanswered' || reason === 'cancelled'
    ? reason
    : 'failed';
}

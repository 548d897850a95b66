// Prediction functions: questions about series, answered by the active model version; builds, which ask a trainer for
// models and score them.
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { Refused, type Rejection } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { Performed, Waiting } from '../durable.ts';
import type { Kind } from '../kind.ts';
import type { Ending, RunRequest } from '../run.ts';
import { checkPrediction } from './check.ts';
import { askTrainer, candidatesIn, decideBuild } from './decide.ts';
import { readFunction } from './document.ts';
import { readInput } from './input.ts';
import type { Predictor } from './predictor.ts';

export { PENDING_TASK } from './decide.ts';
export { columnsOf, type PredictionFunction, readFunction } from './document.ts';
export type { AskedFunction, BegunBuild, Fact, Predictor } from './predictor.ts';

export interface PredictionKindOptions {
  sources: Sources;
  schemas: SchemaChecker;
  /** Absent where nothing is run. */
  predictor?: Predictor | undefined;
}

export function createPredictionKind({ sources, schemas, predictor }: PredictionKindOptions): Kind {
  const needed = (): Predictor => {
    if (predictor === undefined) throw new Error('There are no models here.');
    return predictor;
  };

  async function start(run: RunRequest): Promise<Ending | Waiting> {
    const asked = readInput(run.input);
    if ('issue' in asked) {
      const { issue } = asked;
      const rejection: Rejection = { reason: 'invalid_input', detail: issue.detail, issues: [issue] };
      return { status: 'rejected', rejection };
    }
    const prediction = await readFunction(run.source, sources);
    if (asked.ask === 'question') {
      return { status: 'succeeded', ...(await needed().ask(run, prediction, asked)) };
    }
    await run.recordStart?.();
    const begun = await needed().begin(run, prediction, asked.dataset);
    return { status: 'waiting', decision: askTrainer(run, prediction, begun) };
  }

  return {
    type: 'prediction',
    traits: { startsSlowly: true, endsAtOnce: true, takesUploads: true, runsCurrentVersion: true },
    check: (source, context) => checkPrediction(source, context, { sources, schemas }),
    start,
    decide: decideBuild,
    async checkAnswer(run, answer): Promise<readonly Issue[]> {
      const uploaded = await needed().candidatesOf(run);
      return (candidatesIn(answer) ?? []).flatMap((candidate, index) =>
        uploaded.has(candidate) ? [] : [{ pointer: `/answer/candidates/${index}`, detail: notUploaded(candidate) }],
      );
    },
    describe: () => ({ server: 'models', tool: 'score', arguments: {}, mayRepeat: true, recordsOwnStart: true }),
    async perform(run, effect, { signal }): Promise<Performed> {
      const build = readEffect(effect);
      const prediction = await readFunction(build.source, sources);
      try {
        const scored = await needed().score(run, prediction, build, signal);
        return { ok: true, output: scored as unknown as Json };
      } catch (error) {
        if (signal.aborted || !(error instanceof Refused)) throw error;
        const { reason, kind, because, detail } = error.rejection;
        return { ok: false, error: { rejection: { reason, kind: kind ?? null, because: because ?? null, detail } } };
      }
    },
    tryExample: async ({ example }) => {
      const asked = readInput(example.input);
      return 'issue' in asked ? [asked.issue.detail] : [];
    },
  };
}

function notUploaded(candidate: string): string {
  return `The candidate ${candidate} was not uploaded to this build; name the \`candidate\` that upload_candidate returned.`;
}

function readEffect(effect: JsonObject): { dataset: string; candidates: string[]; source: string } {
  const { dataset, candidates, source } = effect;
  if (!Array.isArray(candidates) || isJsonObject(dataset)) throw new Error('A build scores what it did not ask for.');
  return { dataset: String(dataset), candidates: candidates.map(String), source: String(source) };
}

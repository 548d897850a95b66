// The decisions of a build: it asks its trainer, scores what the answer names, and ends.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { parseDuration } from '../../lib/duration.ts';
import type { Rejection } from '../../lib/rejection.ts';
import type { Command, Decision, DurableRun, RunInput, RunState } from '../durable.ts';
import type { Ending, RunRequest } from '../run.ts';
import type { PredictionFunction } from './document.ts';
import type { BegunBuild, Fact } from './predictor.ts';

/** The kind of the task that carries the pending version of a function further; its key is the function's name. */
export const PENDING_TASK = 'pending-version';

/** The part of the state that holds the build. */
const BUILD = 'build';
const UPLOADS = 1;
const ASKING = 2;
const SCORING = 3;

const DIGEST = '^[0-9a-f]{64}$';

/** JSON Schema of the trainer's answer. */
const ANSWER_SCHEMA: JsonObject = {
  type: 'object',
  required: ['candidates'],
  additionalProperties: false,
  properties: {
    candidates: {
      type: 'array',
      minItems: 1,
      maxItems: LIMITS.candidates,
      uniqueItems: true,
      items: {
        type: 'string',
        pattern: DIGEST,
        description: 'SHA-256 of a candidate, as upload_candidate returned it.',
      },
      description: 'The candidates to score; each was uploaded to this build.',
    },
  },
};

/** The digests that an answer names; undefined where it is none. */
export function candidatesIn(answer: Json | undefined): string[] | undefined {
  const candidates = isJsonObject(answer) ? answer['candidates'] : undefined;
  if (!Array.isArray(candidates) || candidates.length === 0 || candidates.length > LIMITS.candidates) return undefined;
  return candidates.every((one) => typeof one === 'string' && new RegExp(DIGEST).test(one))
    ? (candidates as string[])
    : undefined;
}

/** The first decision of a build: it asks, and expects uploads. */
export function askTrainer(
  { name, runId, startedAt }: Pick<RunRequest, 'name' | 'runId' | 'startedAt'>,
  { trainer }: PredictionFunction,
  { dataset, briefUrl, rowsUrl, askingRunId }: BegunBuild,
): Decision {
  const input = { function: name, run_id: runId, brief_url: briefUrl, rows_url: rowsUrl };
  const uploads: Command = { do: 'expect_upload', number: UPLOADS, data: {} };
  const asked = (who: string): Fact => ({ type: 'build_asked', data: { dataset, trainer: who } });
  if ('interaction' in trainer) {
    const who = `interaction/${trainer.interaction}`;
    const call: Command = {
      do: 'start_run',
      number: ASKING,
      runId: askingRunId,
      type: 'interaction',
      name: trainer.interaction,
      input,
      reference: '/trainer/interaction',
      data: {},
    };
    return {
      moved: [],
      facts: [asked(who)],
      parts: new Map([[BUILD, { dataset, asking: askingRunId }]]),
      commands: [uploads, call],
      waitsFor: `the answer of ${who}`,
    };
  }
  const expiresAt = startedAt + (parseDuration(trainer.expires)?.milliseconds ?? 0);
  const message = [
    `Train models for the prediction function ${name}.`,
    `The [brief](${briefUrl}) says what a model must keep to. Train on the [training rows](${rowsUrl}).`,
    `Upload up to ${LIMITS.candidates} ONNX models to this build, then answer with the candidates that it is to score.`,
  ].join('\n\n');
  return {
    moved: [],
    facts: [asked(trainer.inbox)],
    parts: new Map([[BUILD, { dataset }]]),
    commands: [
      uploads,
      {
        do: 'put_request',
        request: { to: trainer.inbox, message, input, answerSchema: ANSWER_SCHEMA, expiresAt, delivery: null },
      },
    ],
    waitsFor: `the models of ${trainer.inbox}`,
    until: expiresAt,
  };
}

/** The decision that follows from an input; without effects. */
export async function decideBuild(run: DurableRun, state: RunState, input: RunInput): Promise<Decision | undefined> {
  const build = ((await state.part(BUILD)) ?? {}) as { dataset: string; asking?: string; isScoring?: boolean };
  switch (input.kind) {
    case 'request_ended':
    case 'called_run_ended': {
      if (build.isScoring === true) return undefined;
      if (input.data['status'] !== 'succeeded') return ended(endingOf(input.data));
      const candidates = candidatesIn(input.data['output']);
      if (candidates === undefined)
        return ended(unworkable('The answer of the trainer must be { candidates: [...] }.'));
      return {
        moved: [],
        parts: new Map([[BUILD, { ...build, isScoring: true }]]),
        commands: [
          { do: 'stop_expecting_upload', number: UPLOADS },
          {
            do: 'perform',
            number: SCORING,
            effect: { dataset: build.dataset, candidates, source: run.source },
            data: {},
          },
        ],
        waitsFor: 'the scores of its candidates',
      };
    }
    case 'call_answered': {
      const { ok, output, error } = input.data;
      if (ok === true && isJsonObject(output)) {
        const scored = output as unknown as { facts: Fact[]; ending: Ending };
        // The version that was built may have to wait, or take the place of one that waits.
        const commands: Command[] = [{ do: 'add_task', kind: PENDING_TASK, key: run.name }];
        return { ...NOTHING, commands, facts: scored.facts, ending: scored.ending };
      }
      return ended(endingOf(isJsonObject(error) ? error : {}));
    }
    case 'given_up':
      return ended(endingOf(input.data));
    case 'cancel_requested': {
      const { kind, detail } = input.data;
      const stop: Command[] = [{ do: 'stop_performing', number: SCORING }];
      if (build.asking !== undefined) {
        const why = 'The build that asked was cancelled.';
        stop.push({ do: 'cancel_run', runId: build.asking, kind: 'parent_ended', detail: why });
      }
      const rejection: Rejection = { reason: 'cancelled', kind: String(kind), detail: String(detail) };
      return { ...ended({ status: 'rejected', rejection }), commands: stop };
    }
    case 'upload_ended':
    case 'started':
    case 'timer_due':
    case 'event_received':
    case 'resumed':
      return undefined;
  }
}

const NOTHING: Decision = { moved: [], parts: new Map(), commands: [] };

/** The build ends without a version. */
function ended(ending: Ending): Decision {
  const detail = ending.status === 'rejected' ? detailOf(ending.rejection) : 'The build could not be completed.';
  return { ...NOTHING, facts: [{ type: 'build_ended', data: { activated: false, detail } }], ending };
}

function detailOf({ reason, detail }: Rejection): string {
  return reason === 'cancelled' ? `The build was cancelled. ${detail}` : detail;
}

function unworkable(detail: string): Ending {
  return { status: 'rejected', rejection: { reason: 'conflict', kind: 'unworkable', detail } };
}

/** How a request or a called run ended that did not succeed. */
function endingOf({ rejection, detail }: JsonObject): Ending {
  if (isJsonObject(rejection)) {
    const { reason, kind, because, detail: words } = rejection;
    return {
      status: 'rejected',
      rejection: {
        // A trainer that is refused its input is no fault of the build's caller.
        reason: reason === 'invalid_input' ? 'conflict' : (reason as Rejection['reason']),
        ...(typeof kind === 'string' ? { kind } : {}),
        ...(typeof because === 'string' ? { because } : {}),
        detail: String(words),
      },
    };
  }
  return { status: 'failed', detail: String(detail ?? 'The trainer could not be asked.') };
}

// `call`: a definition of the playbook, one of the workflow's own functions, or something out of the service.
import { DEFINITION_TYPES } from '../../../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { LIMITS } from '../../../../../shared/limits.ts';
import { bytesOf } from '../bounds.ts';
import { Fault, fault, type WorkflowError } from '../faults.ts';
import type { PerformFrame } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { failFrame, finishFrame, goOn, type Visit } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { fill } from '../values.ts';
import { nextCommand, note, openFrame, type Work } from '../work.ts';
import { authorizationOf } from './authorization.ts';
import { startCalledRun } from './called-run.ts';
import { fillUris } from './uris.ts';

/** Calls that leave the service. */
const EFFECTS: readonly string[] = ['http', 'openapi', 'tool', 'mcp'];

export function* beginCall(work: Work, visit: Visit): Asking<void> {
  const { task, reference } = visit.step;
  if (!('call' in task)) return;
  const template = fillUris(task.call, (task as { with?: Json }).with ?? {}, visit.input);
  const given = yield* fill(work, visit, template, visit.input);
  if (EFFECTS.includes(task.call)) return yield* beginEffect(work, visit, task.call, given);
  if (work.plan.functions.has(task.call)) return yield* beginFunction(work, visit, given);
  const [type, name] = task.call.split('/');
  const definitionType = DEFINITION_TYPES.find((known) => known === type);
  if (definitionType === undefined || name === undefined) {
    throw fault(
      'configuration',
      400,
      `${reference} calls ${task.call}, which is no function of the workflow and no definition.`,
    );
  }
  yield* startCalledRun(work, visit, { type: definitionType, name, input: given, isAwaited: true });
}

/** A function of the document runs as a step of its own, with `with` as its input. */
function* beginFunction(work: Work, visit: Visit, given: Json): Asking<void> {
  const limit = yield* timeLimit(work, visit);
  const frame = yield* openFrame(work, visit, { kind: 'function', child: 0 }, { raw: visit.raw, input: visit.input });
  boundTime(work, frame, limit);
  note(work, frame, 'started');
  goOn(work, frame, 'body', 0, given);
}

function* beginEffect(work: Work, visit: Visit, call: string, given: Json): Asking<void> {
  const limit = yield* timeLimit(work, visit);
  const authentications = work.plan.document.use?.authentications;
  const effect: JsonObject = {
    call,
    with: given,
    ...(authentications === undefined
      ? {}
      : { authentications: yield* fill(work, visit, authentications, visit.input) }),
  };
  if (bytesOf(effect, LIMITS.inputBytes) > LIMITS.inputBytes) {
    const detail = `The call of ${visit.step.reference} is given more than ${LIMITS.inputBytes} bytes as JSON; send less.`;
    throw fault('validation', 400, detail);
  }
  const number = nextCommand(work);
  const frame = yield* openFrame(
    work,
    visit,
    { kind: 'perform', command: number, authorization: authorizationOf(effect) },
    { raw: visit.raw, input: visit.input },
  );
  work.commands.push({ do: 'perform', number, effect, data: { frame: frame.id, reference: visit.step.reference } });
  boundTime(work, frame, limit);
  note(work, frame, 'waiting', { waitsFor: `the answer of ${call}` });
}

/** The call of a frame was answered. */
export function* callAnswered(work: Work, frame: PerformFrame, answer: JsonObject): Asking<void> {
  if (answer['ok'] === true) return yield* finishFrame(work, frame, answer['output'] ?? null);
  const { error } = answer;
  yield* failFrame(
    work,
    frame,
    isJsonObject(error) ? new Fault(error as WorkflowError) : fault('communication', 503, 'The call failed.'),
  );
}

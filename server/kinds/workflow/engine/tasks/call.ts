// `call`: a definition of the playbook, one of the workflow's own functions, or something out of the service.
import type { CallKeyword } from '../../document/calls/forms.ts';
import type { CallTask } from '../../document/tasks/call.ts';
import type { TaskEngine, Visit, Work } from '../model.ts';
import { DEFINITION_TYPES } from '../../../../../shared/definition-types.ts';
import { runInput } from '../../../../../shared/run-input.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { LIMITS } from '../../../../../shared/limits.ts';
import { bytesOf } from '../../step-bounds.ts';
import { Fault, fault, type WorkflowError } from '../faults.ts';
import type { FrameOf, Sequence } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { continueWith } from '../next-step.ts';
import { failFrame, finishFrame } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { fill } from '../values.ts';
import { nextCommand, note, openFrame, stepOf, withdraw } from '../work.ts';
import { authorizationOf } from './authorization.ts';
import { CALLED_RUN, type CallFrame, startCalledRun } from './called-run.ts';
import { fillHttpUris, fillOpenapiUris } from './uris.ts';

/** A call of one of the workflow's own functions: a list of one step. */
export type FunctionFrame = FrameOf<'function'> & Sequence;
export type PerformFrame = FrameOf<'perform'> & { command: number };

/** The calls that leave the service, and how each fills the URI templates of what it is given. */
const OUTWARD: Readonly<Record<CallKeyword, (given: JsonObject, input: Json) => JsonObject>> = {
  http: fillHttpUris,
  openapi: fillOpenapiUris,
  mcp: (given) => given,
  tool: (given) => given,
};

export const CALL_ENGINE: TaskEngine<CallTask, FunctionFrame | PerformFrame | CallFrame> = {
  *begin(work, visit, task) {
    const { call } = task;
    const template = runInput(task.with);
    const isOutward = Object.hasOwn(OUTWARD, call);
    const withUris =
      isOutward && isJsonObject(template) ? OUTWARD[call as CallKeyword](template, visit.input) : template;
    const given = yield* fill(work, visit, withUris, visit.input);
    if (isOutward) return yield* beginEffect(work, visit, call, given);
    if (work.plan.functions.has(call)) return yield* beginFunction(work, visit, given);
    const [type, name] = call.split('/');
    const definitionType = DEFINITION_TYPES.find((known) => known === type);
    if (definitionType === undefined || name === undefined) {
      throw fault(
        'configuration',
        400,
        `${visit.step.reference} calls ${call}, which is neither a function of the workflow nor a definition.`,
      );
    }
    yield* startCalledRun(work, visit, { type: definitionType, name, input: given, isAwaited: true });
  },
  frames: {
    call: CALLED_RUN,
    function: {
      steps(work, frame) {
        return work.plan.functions.get((stepOf(work, frame).task as CallTask).call) ?? { steps: [] };
      },
      over: (work, frame, { output }) => finishFrame(work, frame, output),
    },
    perform: {
      isLeaf: true,
      *apply(work, frame, { kind, data }) {
        if (kind !== 'call_answered' || frame.command !== data['number']) return false;
        yield* callAnswered(work, frame, data);
        return true;
      },
      stop(work, frame) {
        if (frame.command === 0) return;
        if (!withdraw(work, (command) => command.do === 'perform' && command.number === frame.command)) {
          work.commands.push({ do: 'stop_performing', number: frame.command });
        }
        frame.command = 0;
      },
    },
  },
};

/** A function of the document runs as a step of its own, with `with` as its input. */
function* beginFunction(work: Work, visit: Visit, given: Json): Asking<void> {
  const limit = yield* timeLimit(work, visit);
  const frame = yield* openFrame<FunctionFrame>(
    work,
    visit,
    { kind: 'function', child: 0 },
    { raw: visit.raw, input: visit.input },
  );
  boundTime(work, frame, limit);
  note(work, frame, 'started');
  continueWith(work, frame, 'body', 0, given);
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
    const detail = `The arguments of ${visit.step.reference} have more than ${LIMITS.inputBytes} bytes as JSON; send less.`;
    throw fault('validation', 400, detail);
  }
  const number = nextCommand(work);
  const frame = yield* openFrame<PerformFrame>(
    work,
    visit,
    { kind: 'perform', command: number, authorization: authorizationOf(effect) },
    { raw: visit.raw, input: visit.input },
  );
  work.commands.push({ do: 'perform', number, effect, data: { frame: frame.id, reference: visit.step.reference } });
  boundTime(work, frame, limit);
  note(work, frame, 'waiting', { waitsFor: `the response of ${call}` });
}

/** The call of a frame was answered. */
function* callAnswered(work: Work, frame: PerformFrame, answer: JsonObject): Asking<void> {
  if (answer['ok'] === true) return yield* finishFrame(work, frame, answer['output'] ?? null);
  const { error } = answer;
  yield* failFrame(
    work,
    frame,
    isJsonObject(error) ? new Fault(error as WorkflowError) : fault('communication', 503, 'The call failed.'),
  );
}

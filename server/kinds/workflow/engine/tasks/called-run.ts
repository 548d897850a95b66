// Runs that a workflow starts and waits for, and what their rejections are as errors.
import type { FrameRules, Visit, Work } from '../model.ts';
import type { DefinitionType } from '../../../../../shared/definition-types.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { derivedId, derivedIdBeside } from '../../../../kernel/ids.ts';
import { type Fault, fault } from '../faults.ts';
import type { CancelKind } from '../../../durable.ts';
import type { FrameOf } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { failFrame, finishFrame } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { nextCommand, note, openFrame, withdraw } from '../work.ts';

/** `awaits` is absent in frames of before it was kept. */
export type CallFrame = FrameOf<'call'> & { command: number; runId: string; awaits?: 'answer' | 'run' };

export interface CalledRun {
  type: DefinitionType;
  name: string;
  input: Json;
  isAwaited: boolean;
}

/** The run that a run's command calls. */
export function calledRunId(runId: string, number: number): string {
  return derivedIdBeside(runId, `${runId} run ${number}`);
}

/** The same in histories that were recorded before the id began like the caller's. */
export function earlierCalledRunId(runId: string, number: number): string {
  return derivedId(`${runId} run ${number}`);
}

/** Starts a run under an id that follows from this run's id and the command's number. */
export function* startCalledRun(work: Work, visit: Visit, called: CalledRun): Asking<void> {
  const { type, name, input, isAwaited } = called;
  const limit = yield* timeLimit(work, visit);
  const number = nextCommand(work);
  const runId = calledRunId(work.facts.runId, number);
  const start = { do: 'start_run', number, runId, type, name, input, reference: visit.step.reference } as const;
  if (!isAwaited) {
    work.commands.push({ ...start, data: null });
    return;
  }
  // A request waits for a person; whether a called run does in its turn, that run says.
  const awaits = type === 'interaction' ? 'answer' : 'run';
  const given = { raw: visit.raw, input: visit.input };
  const frame = yield* openFrame<CallFrame>(work, visit, { kind: 'call', command: number, runId, awaits }, given);
  work.commands.push({ ...start, data: { frame: frame.id } });
  boundTime(work, frame, limit);
  note(work, frame, 'waiting', { waitsFor: `the run ${runId} of ${type}/${name}` });
}

/** A frame that waits for a run to end, which may not even begin. */
export const CALLED_RUN: FrameRules<CallFrame> = {
  isLeaf: true,
  awaits: ({ awaits }) => awaits ?? 'run',
  *apply(work, frame, { kind, data }) {
    if (kind !== 'called_run_ended' || frame.runId !== data['run_id']) return false;
    if (data['status'] === 'succeeded') yield* finishFrame(work, frame, data['output'] ?? null);
    else yield* failFrame(work, frame, faultOf(data));
    return true;
  },
  stop(work, frame, kind) {
    if (frame.runId !== '') stopRun(work, frame.runId, kind);
    frame.runId = '';
  },
};

function stopRun(work: Work, runId: string, kind: CancelKind): void {
  if (withdraw(work, (command) => command.do === 'start_run' && command.runId === runId)) return;
  const detail =
    kind === 'deadline'
      ? 'The workflow step that waited for this run timed out.'
      : 'The workflow that waited for this run continued or ended without it.';
  work.commands.push({ do: 'cancel_run', runId, kind, detail });
}

/** A called run's rejection as an error of the DSL; it stands whole under `rejection`. */
function faultOf({ rejection, detail: words, subject }: JsonObject): Fault {
  const begins = `${String(subject)}: `;
  const detail = (text: Json | undefined): string => {
    const message = String(text ?? words);
    return message.startsWith(begins) ? message : `${begins}${message}`;
  };
  if (!isJsonObject(rejection)) return fault('runtime', 500, detail(words));
  const more = { rejection };
  const message = detail(rejection['detail']);
  switch (rejection['reason']) {
    case 'invalid_input':
      return fault('validation', 400, message, { more });
    case 'unavailable':
      return fault('communication', 503, message, { more });
    case 'unanswered':
      return rejection['kind'] === 'expired'
        ? fault('timeout', 408, message, { more })
        : fault('communication', 410, message, { more });
    case 'not_found':
      return fault('configuration', 400, message, { more });
    case 'cancelled':
      return fault('runtime', 499, message, { more });
    case 'conflict': {
      const kind = typeof rejection['kind'] === 'string' ? `${rejection['kind']}: ` : '';
      return fault('runtime', 500, `${kind}${message}`, { more });
    }
    default:
      return fault('runtime', 500, message, { more });
  }
}

// `listen`: takes events until its strategy has what it wants, and works through each where `foreach` says so.
import type { ListenTask } from '../../document/tasks/listen.ts';
import type { ExpressionContext, TaskEngine, Work } from '../model.ts';
import type { Json, JsonObject } from '../../../../../shared/json.ts';
import type { CloudEvent } from '../../../durable.ts';
import { cancelUnder } from '../cancel.ts';
import {
  beginConsuming,
  type Consumption,
  filtersOf,
  interestsOf,
  NOTHING_CONSUMED,
  readAs,
  take,
} from '../consume.ts';
import { Fault } from '../faults.ts';
import { type FrameOf, resultKey, type Sequence } from '../frames.ts';
import { askMailbox, type Asking } from '../requests.ts';
import { continueWith } from '../next-step.ts';
import { exportContext, failFrame, finishFrame, visitOf } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { check, holds, transform } from '../values.ts';
import { note, openFrame, readPart, stepOf, takeSent, withdraw, writePart } from '../work.ts';

export type ListenFrame = FrameOf<'listen'> &
  Sequence & {
    consumption: JsonObject;
    /** Events taken, and of those the ones that the steps of `foreach` are done with. */
    taken: number;
    worked: number;
    isOver: boolean;
  };

export const LISTEN_ENGINE: TaskEngine<ListenTask, ListenFrame> = {
  *begin(work, visit, { listen }) {
    const limit = yield* timeLimit(work, visit);
    const consumption = yield* beginConsuming(work, visit, listen.to);
    const begun = { consumption, taken: 0, worked: 0, isOver: false, child: 0 };
    const given = { raw: visit.raw, input: visit.input };
    const frame = yield* openFrame<ListenFrame>(work, visit, { kind: 'listen', ...begun }, given);
    boundTime(work, frame, limit);
    work.root.listens = [...work.root.listens, frame.id];
    const interests = interestsOf(listen.to, consumption);
    work.commands.push({ do: 'listen', listener: frame.id, interests });
    const types = filtersOf(listen.to).map((filter) => filter.with['type']);
    note(work, frame, 'waiting', { waitsFor: wordsOf(types) });
    for (const event of yield* askMailbox()) {
      if (work.takenEvents.has(event.id) || frame.isOver) continue;
      if (yield* offer(work, frame, event)) takeSent(work, event);
    }
  },
  frames: {
    listen: {
      awaits: () => 'event',
      offer,
      over: (work, frame, { output }) => eventProcessed(work, frame, output),
      iteration: ({ worked }) => worked,
      *variables(work, frame) {
        const { item = 'item', at = 'index' } = (stepOf(work, frame).task as ListenTask).foreach ?? {};
        const event = yield* readPart(work, resultKey(frame.id, frame.worked));
        return { [item]: event ?? null, [at]: frame.worked };
      },
      stop(work, frame) {
        stopListening(work, frame);
      },
    },
  },
};

function wordsOf(types: readonly (Json | undefined)[]): string {
  const named = types.filter((type) => typeof type === 'string');
  return named.length === 0 || named.length < types.length
    ? 'an event'
    : `events of type ${[...new Set(named)].slice(0, 5).join(', ')}`;
}

/** Offers an event to a listen; false when it does not take it. */
function* offer(work: Work, frame: ListenFrame, event: CloudEvent): Asking<boolean> {
  if (frame.isOver) return false;
  const task = stepOf(work, frame).task as ListenTask;
  try {
    const visit = yield* visitOf(work, frame);
    if (yield* endedBy(work, frame, task, visit, event)) {
      frame.isOver = true;
      yield* endIfIdle(work, frame, task);
      return true;
    }
    const taken = yield* take(work, visit, task.listen.to, ownOf(frame), event);
    if (taken === undefined) return false;
    frame.consumption = { ...frame.consumption, ...taken.consumption };
    writePart(work, resultKey(frame.id, frame.taken), readAs(task.listen.read, event));
    frame.taken += 1;
    frame.isOver = taken.isDone && (yield* mayEnd(work, frame, task, visit));
    if (task.foreach !== undefined && frame.taken === frame.worked + 1) yield* processNext(work, frame, task);
    else yield* endIfIdle(work, frame, task);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield* failFrame(work, frame, error);
  }
  return true;
}

function ownOf(frame: ListenFrame): Consumption {
  const { correlations, matched } = frame.consumption as Consumption;
  return { correlations, matched };
}

/** Whether the event is one that `until` waits for; such a one is no part of the output. */
function* endedBy(
  work: Work,
  frame: ListenFrame,
  { listen }: ListenTask,
  context: ExpressionContext,
  event: CloudEvent,
): Asking<boolean> {
  const until = 'any' in listen.to ? listen.to.until : undefined;
  if (typeof until !== 'object') return false;
  const before = (frame.consumption['until'] as Consumption | undefined) ?? NOTHING_CONSUMED;
  const taken = yield* take(work, context, until, before, event);
  if (taken === undefined) return false;
  frame.consumption = { ...frame.consumption, until: taken.consumption };
  return taken.isDone;
}

/** Whether nothing but a strategy's own events is waited for: `until` may ask for more. */
function* mayEnd(work: Work, frame: ListenFrame, { listen }: ListenTask, context: ExpressionContext): Asking<boolean> {
  const until = 'any' in listen.to ? listen.to.until : undefined;
  if (until === undefined) return true;
  if (typeof until === 'object') return false;
  return yield* holds(work, context, until, yield* resultsOf(work, frame));
}

function* resultsOf(work: Work, frame: ListenFrame): Asking<Json[]> {
  const results: Json[] = [];
  for (let index = 0; index < frame.taken; index += 1) {
    results.push((yield* readPart(work, resultKey(frame.id, index))) ?? null);
  }
  return results;
}

/** Ends the listen once it is over and every event is worked through. */
function* endIfIdle(work: Work, frame: ListenFrame, task: ListenTask): Asking<void> {
  if (!frame.isOver || (task.foreach !== undefined && frame.worked < frame.taken)) return;
  const results = yield* resultsOf(work, frame);
  stopListening(work, frame);
  yield* finishFrame(work, frame, results);
}

/** Begins the steps for the next event, first in, first out. */
function* processNext(work: Work, frame: ListenFrame, task: ListenTask): Asking<void> {
  if (frame.worked >= frame.taken) return yield* endIfIdle(work, frame, task);
  continueWith(work, frame, 'body', 0, (yield* readPart(work, resultKey(frame.id, frame.worked))) ?? null);
}

/** The steps for an event are done; their output takes the event's place. */
function* eventProcessed(work: Work, frame: ListenFrame, rawOutput: Json): Asking<void> {
  const task = stepOf(work, frame).task as ListenTask;
  const { reference } = stepOf(work, frame);
  try {
    const visit = yield* visitOf(work, frame);
    const inner: ExpressionContext = { ...visit, parent: frame.id, rawOutput };
    const output = yield* transform(work, inner, task.foreach?.output?.as, rawOutput);
    yield* check(task.foreach?.output?.schema, output, {
      what: `The output of an event of ${reference}`,
      pointer: '/output',
    });
    yield* exportContext(work, { ...inner, output }, task.foreach?.export, output, reference);
    writePart(work, resultKey(frame.id, frame.worked), output);
    frame.worked += 1;
    yield* processNext(work, frame, task);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield* cancelUnder(work, frame, 'parent_ended');
    yield* failFrame(work, frame, error);
  }
}

function stopListening(work: Work, { id, taken }: ListenFrame): void {
  if (!work.root.listens.includes(id)) return;
  work.root.listens = work.root.listens.filter((other) => other !== id);
  for (let index = 0; index < taken; index += 1) writePart(work, resultKey(id, index), undefined);
  if (!withdraw(work, (command) => command.do === 'listen' && command.listener === id)) {
    work.commands.push({ do: 'stop_listening', listener: id });
  }
}

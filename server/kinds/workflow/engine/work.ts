// The effects of one input, collected while the engine decides: parts of the state, moved steps, commands and pending
// actions. Nothing here outlives the decision.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { MIB } from '../../../../shared/product.ts';
import type { CloudEvent, Command, MovedStep } from '../../durable.ts';
import { bytesOf } from '../step-bounds.ts';
import { type Cold, coldKey, CONTEXT_KEY, countAwaited, type Frame, hotKey, ROOT, type RootFrame } from './frames.ts';
import type { Facts, FrameRules, Plan, PlannedStep, Replay, Work } from './model.ts';
import { type Asking, askPart } from './requests.ts';

/** The work of one input. @param root the root frame of the run; absent at its start */
export function newWork(plan: Plan, facts: Facts, root?: RootFrame, replay?: Replay): Work {
  return {
    plan,
    facts,
    root: root === undefined ? newRoot(facts) : { ...root },
    known: new Map(),
    changed: new Set(),
    commands: [],
    moved: [],
    actions: [],
    ending: undefined,
    takenEvents: new Set(),
    visits: 0,
    replay,
  };
}

function newRoot({ now }: Facts): RootFrame {
  const counters = {
    frames: 0,
    commands: 0,
    held: 0,
    heldBytes: 0,
    unwaited: 0,
    listens: [],
    awaited: {},
    overrun: 0,
    isResuming: false,
  };
  return {
    kind: 'root',
    id: ROOT,
    parent: ROOT,
    step: -1,
    startedAt: now,
    timeout: 0,
    bytes: 0,
    child: 0,
    ...counters,
  };
}

/** The run cannot continue because its state would be too large. */
export class Oversized extends Error {}

const MOST_FRAMES = 10_000;
const MOST_HELD_BYTES = 64 * MIB;

export function* readPart(work: Work, key: string): Asking<Json | undefined> {
  if (work.known.has(key)) return work.known.get(key);
  const part = yield* askPart(key);
  work.known.set(key, part);
  return part;
}

export function writePart(work: Work, key: string, part: Json | undefined): void {
  work.known.set(key, part);
  work.changed.add(key);
}

export function writeFrame(work: Work, frame: Frame): void {
  writePart(work, hotKey(frame.id), frame as unknown as JsonObject);
}

/** A copy of the frame that may be changed; undefined if it is closed. Parts that were read are never changed in place. */
export function* takeFrame(work: Work, id: number): Asking<Frame | undefined> {
  if (id === ROOT) return work.root;
  const key = hotKey(id);
  const part = (yield* readPart(work, key)) as unknown as Frame | undefined;
  if (part === undefined || work.changed.has(key)) return part;
  const own = { ...part };
  writeFrame(work, own);
  return own;
}

export function* coldOf(work: Work, id: number): Asking<Cold> {
  const frame = (yield* readPart(work, hotKey(id))) as unknown as Frame | undefined;
  return frame?.given ?? ((yield* readPart(work, coldKey(id))) as Cold);
}

type NewFrame<F> = Omit<F, 'id' | 'parent' | 'step' | 'startedAt' | 'timeout' | 'iterations' | 'given' | 'bytes'>;

/** Opens a frame under `parent`. @throws Oversized past 10,000 frames */
export function* openFrame<F extends Frame>(
  work: Work,
  where: { parent: number; step: PlannedStep; startedAt: number },
  frame: NewFrame<F> & Pick<F, 'kind'>,
  cold: Cold,
): Asking<F> {
  const id = ++work.root.frames;
  const rules = where.step.engine.frames[frame.kind] ?? NO_RULES;
  if (rules.isInner !== true) work.root.held += 1;
  countAwaited(work.root, rules.awaits?.(frame as Partial<Frame>), 1);
  if (work.root.held > MOST_FRAMES) {
    throw new Oversized(`The run has more than ${MOST_FRAMES} open steps; let fewer of them wait at the same time.`);
  }
  const bytes = bytesOf(cold);
  work.root.heldBytes += bytes;
  if (work.root.heldBytes > MOST_HELD_BYTES) {
    throw new Oversized(
      `The inputs of the open steps of the run have more than ${MOST_HELD_BYTES} bytes as JSON; pass on less data.`,
    );
  }
  const parent = yield* takeFrame(work, where.parent);
  const own = { id, parent: where.parent, step: where.step.number, startedAt: where.startedAt, timeout: 0, bytes };
  const isLeaf = rules.isLeaf === true;
  const iterations = iterationsUnder(work, parent);
  const opened = { ...frame, ...own, ...iterations, ...(isLeaf ? { given: cold } : {}) } as unknown as F;
  writeFrame(work, opened);
  if (!isLeaf) writePart(work, coldKey(id), cold);
  if (parent?.child !== undefined) parent.child = id;
  return opened;
}

/** Closes a frame and deletes its parts. All frames under it must be closed. */
export function* closeFrame(work: Work, frame: Frame): Asking<void> {
  stopTimer(work, frame.timeout);
  writePart(work, hotKey(frame.id), undefined);
  if (frame.given === undefined) writePart(work, coldKey(frame.id), undefined);
  const rules = rulesOf(work, frame);
  if (rules.isInner !== true) work.root.held -= 1;
  countAwaited(work.root, rules.awaits?.(frame), -1);
  work.root.heldBytes -= frame.bytes;
  const parent = yield* takeFrame(work, frame.parent);
  if (parent?.child === frame.id) parent.child = 0;
}

/** The rules of a frame's kind; the root has none. */
export function rulesOf(work: Work, frame: Frame): FrameRules {
  return frame.id === ROOT ? NO_RULES : (stepOf(work, frame).engine.frames[frame.kind] ?? NO_RULES);
}

const NO_RULES: FrameRules = {};

export function nextCommand(work: Work): number {
  work.root.commands += 1;
  return work.root.commands;
}

export function startTimer(work: Work, at: number, data: JsonObject): number {
  const number = nextCommand(work);
  work.commands.push({ do: 'start_timer', number, at, data });
  return number;
}

export function stopTimer(work: Work, number: number): void {
  if (number === 0 || withdraw(work, (command) => command.do === 'start_timer' && command.number === number)) return;
  work.commands.push({ do: 'stop_timer', number });
}

/** Removes a command of this decision; returns false if there is no match. */
export function withdraw(work: Work, isMatch: (command: Command) => boolean): boolean {
  const index = work.commands.findIndex(isMatch);
  if (index === -1) return false;
  work.commands.splice(index, 1);
  return true;
}

/** Notes the state of a step that has a frame. Only the last state is kept, in order of time. */
export function note(work: Work, frame: Frame, state: MovedStep['state'], more: Partial<MovedStep> = {}): void {
  const { reference, kind } = stepOf(work, frame);
  const { iterations } = frame;
  const before = work.moved.findIndex((moved) => moved.visit === frame.id);
  if (before !== -1) work.moved.splice(before, 1);
  const step = { step: reference, kind, state, ...(iterations === undefined ? {} : { iterations }), ...more };
  work.moved.push({ visit: frame.id, step });
}

/** Like `note`, for a visit of a step that opened no frame. */
export function* noteVisit(
  work: Work,
  { parent, step }: { parent: number; step: PlannedStep },
  state: MovedStep['state'],
  more: Partial<MovedStep>,
): Asking<void> {
  const iterations = iterationsUnder(work, yield* takeFrame(work, parent));
  work.visits -= 1;
  work.moved.push({
    visit: work.visits,
    step: { step: step.reference, kind: step.kind, state, ...iterations, ...more },
  });
}

/** The iterations of a step that runs under a frame: one per enclosing `for` or `foreach`. */
export function iterationsUnder(work: Work, parent: Frame | undefined): { iterations?: readonly number[] } {
  if (parent === undefined) return {};
  const turn = rulesOf(work, parent).iteration?.(parent);
  const { iterations } = parent;
  if (turn !== undefined) return { iterations: [...(iterations ?? []), turn] };
  return iterations === undefined ? {} : { iterations };
}

export function stepOf(work: Work, frame: { step: number }): PlannedStep {
  const step = work.plan.steps[frame.step];
  if (step === undefined) throw new Error(`The plan has no step ${frame.step}.`);
  return step;
}

export function* contextOf(work: Work): Asking<Json> {
  return (yield* readPart(work, CONTEXT_KEY)) ?? null;
}

/** Takes an event that was sent to the run from its mailbox: only the first matching step receives it. */
export function takeSent(work: Work, event: CloudEvent): void {
  work.takenEvents.add(event.id);
  work.commands.push({ do: 'take', events: [event.id] });
}

import type { ForkTask } from '../../document/tasks/fork.ts';
import type { TaskEngine, Work } from '../model.ts';
import type { Json } from '../../../../../shared/json.ts';
import { cancelUnder } from '../cancel.ts';
import { type FrameOf, resultKey, type Sequence } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { finishFrame } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { note, openFrame, readPart, stepOf, takeFrame, writePart } from '../work.ts';

export type ForkFrame = FrameOf<'fork'> & { first: number; branches: number; left: number };
export type BranchFrame = FrameOf<'branch'> & Sequence & { isDone: boolean };

/** Runs branches side by side. Each has a frame of its own, so that a move writes one branch, not all. */
export const FORK_ENGINE: TaskEngine<ForkTask, ForkFrame | BranchFrame> = {
  *begin(work, visit) {
    const branches = visit.step.body?.steps.length ?? 0;
    const limit = yield* timeLimit(work, visit);
    const given = { raw: visit.raw, input: visit.input };
    const fork = { kind: 'fork', first: 0, branches, left: branches } as const;
    const frame = yield* openFrame<ForkFrame>(work, visit, fork, given);
    boundTime(work, frame, limit);
    note(work, frame, 'started');
    if (branches === 0) return yield* finishFrame(work, frame, []);
    frame.first = frame.id + 1;
    for (let index = 0; index < branches; index += 1) {
      const where = { parent: frame.id, step: visit.step, startedAt: visit.startedAt };
      yield* openFrame<BranchFrame>(work, where, { kind: 'branch', child: 0, isDone: false }, NOTHING);
    }
    for (let index = branches - 1; index >= 0; index -= 1) {
      work.actions.push({ do: 'enter', parent: frame.first + index, list: 'body', place: index });
    }
  },
  frames: {
    fork: {
      branchFrames: branchesOf,
      stop(work, frame) {
        for (const index of branchesOf(frame).keys()) writePart(work, resultKey(frame.id, index), undefined);
      },
    },
    branch: {
      isInner: true,
      *stepDone(work, frame, { output, then }) {
        if (then === 'end') return false;
        yield* branchDone(work, frame, output);
        return true;
      },
      over: (work, frame, { output }) => branchDone(work, frame, output),
    },
  },
};

/** The frames of its branches. */
function branchesOf({ first, branches }: ForkFrame): number[] {
  return Array.from({ length: branches }, (_, index) => first + index);
}

/** A branch is given what its fork was given. */
const NOTHING = { raw: null, input: null };

function* branchDone(work: Work, branch: BranchFrame, output: Json): Asking<void> {
  const fork = (yield* takeFrame(work, branch.parent)) as ForkFrame | undefined;
  if (fork === undefined || branch.isDone) return;
  if ((stepOf(work, fork).task as ForkTask).fork.compete === true) {
    yield* cancelUnder(work, fork, 'parent_ended');
    return yield* finishFrame(work, fork, output);
  }
  branch.isDone = true;
  writePart(work, resultKey(fork.id, branch.id - fork.first), output);
  fork.left -= 1;
  if (fork.left > 0) return;
  const outputs: Json[] = [];
  for (let index = 0; index < fork.branches; index += 1) {
    outputs.push((yield* readPart(work, resultKey(fork.id, index))) ?? null);
  }
  yield* cancelUnder(work, fork, 'parent_ended');
  yield* finishFrame(work, fork, outputs);
}

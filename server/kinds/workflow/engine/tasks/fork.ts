import type { Json } from '../../../../../shared/json.ts';
import { cancelBranches } from '../cancel.ts';
import { type BranchFrame, resultKey } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { finishFrame, type Visit } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { note, openFrame, readPart, stepOf, takeFrame, type Work, writePart } from '../work.ts';

/** Runs branches side by side. Each has a frame of its own, so that a move writes one branch, not all. */
export function* beginFork(work: Work, visit: Visit): Asking<void> {
  const branches = visit.step.body?.steps.length ?? 0;
  const limit = yield* timeLimit(work, visit);
  const given = { raw: visit.raw, input: visit.input };
  const frame = yield* openFrame(work, visit, { kind: 'fork', first: 0, branches, left: branches }, given);
  if (frame.kind !== 'fork') return;
  boundTime(work, frame, limit);
  note(work, frame, 'started');
  if (branches === 0) return yield* finishFrame(work, frame, []);
  frame.first = frame.id + 1;
  for (let place = 0; place < branches; place += 1) {
    const where = { parent: frame.id, step: visit.step, startedAt: visit.startedAt };
    yield* openFrame(work, where, { kind: 'branch', child: 0, isDone: false }, NOTHING);
  }
  for (let place = branches - 1; place >= 0; place -= 1) {
    work.actions.push({ do: 'enter', parent: frame.first + place, list: 'body', place });
  }
}

/** A branch is given what its fork was given. */
const NOTHING = { raw: null, input: null };

export function* branchDone(work: Work, branch: BranchFrame, output: Json): Asking<void> {
  const fork = yield* takeFrame(work, branch.parent);
  if (fork?.kind !== 'fork' || branch.isDone) return;
  const { task } = stepOf(work, fork);
  if ('fork' in task && task.fork.compete === true) {
    yield* cancelBranches(work, fork, 'parent_ended');
    return yield* finishFrame(work, fork, output);
  }
  branch.isDone = true;
  writePart(work, resultKey(fork.id, branch.id - fork.first), output);
  fork.left -= 1;
  if (fork.left > 0) return;
  const outputs: Json[] = [];
  for (let place = 0; place < fork.branches; place += 1) {
    outputs.push((yield* readPart(work, resultKey(fork.id, place))) ?? null);
  }
  yield* cancelBranches(work, fork, 'parent_ended');
  yield* finishFrame(work, fork, outputs);
}

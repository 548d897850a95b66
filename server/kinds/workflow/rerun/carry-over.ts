// A replayed state becomes the state of another run: under another id, at another time, perhaps on another version.
import type { Json } from '../../../../shared/json.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { conflict } from '../../../lib/rejection.ts';
import { descriptorOf, taskKindOf, type TaskList } from '../document/index.ts';
import {
  type Action,
  calledRunId,
  type Frame,
  hotKey,
  PENDING_KEY,
  type Plan,
  type PlannedStep,
  ROOT,
} from '../engine/index.ts';
import {
  frameOf,
  framesOf,
  type OpenCommand,
  openKey,
  putFrame,
  type ReplayedState,
  rootOf,
} from './replayed-state.ts';

/**
 * Gives what the run waits for to the new run: called runs get ids of their own, and timers the time that was left.
 * @param then when the old run was left, and `now` when the new one begins, in milliseconds since 1970
 */
export function carryOver(state: ReplayedState, runId: string, { then, now }: { then: number; now: number }): void {
  const later = now - then;
  const open = state.open;
  state.open = new Map();
  for (const [key, command] of open) {
    const renewed = renew(state, command, runId, later);
    state.open.set(renewed.do === 'start_run' ? openKey.run(renewed.runId) : key, renewed);
  }
  for (const frame of framesOf(state)) {
    const { firstTriedAt } = frame as Frame & { firstTriedAt?: number };
    if (firstTriedAt !== undefined) putFrame(state, { ...frame, firstTriedAt: firstTriedAt + later } as Frame);
  }
  const root = { ...rootOf(state), startedAt: now, unwaited: 0 };
  state.parts.set(hotKey(ROOT), root as unknown as Json);
  state.offered.clear();
}

function renew(state: ReplayedState, command: OpenCommand, runId: string, later: number): OpenCommand {
  if (command.do === 'start_timer') return { ...command, at: command.at + later };
  if (command.do !== 'start_run') return command;
  const called = calledRunId(runId, command.number);
  const frame = frameOf(state, Number(command.data?.['frame']));
  if (frame !== undefined) putFrame(state, { ...frame, runId: called } as Frame);
  return { ...command, runId: called };
}

/**
 * Numbers the steps of the state as another version's plan does.
 * @param ran references of the steps that ran, and of those around the chosen one
 * @throws Refused `conflict` if one of them, or what is around the chosen step, is not the same there
 */
export function changeVersion(
  state: ReplayedState,
  from: { plan: Plan; version: number },
  to: { plan: Plan; version: number },
  { ran, chosen }: { ran: ReadonlySet<string>; chosen: string },
): void {
  const numbers = new Map(to.plan.steps.map(({ reference, number }) => [reference, number]));
  const differing = [...ran].find(
    (reference) => reference !== chosen && !isSame(stepAt(from.plan, reference), stepAt(to.plan, reference)),
  );
  const missing = differing ?? (stepAt(to.plan, chosen) === undefined ? chosen : undefined);
  const extended = [from, to].some(({ plan }) => (plan.document.use?.extensions ?? []).length > 0);
  if (missing !== undefined || extended) {
    const why = extended
      ? 'a workflow with extensions continues on the version that it ran on'
      : `the step ${missing} is not the same there, and steps before the chosen one must be`;
    throw conflict(
      `The run of version ${from.version} cannot continue on version ${to.version}: ${why}. Leave \`version\` out, or run the workflow again.`,
    );
  }
  const numberOf = (number: number): number => numbers.get(from.plan.steps[number]?.reference ?? '') ?? number;
  for (const frame of framesOf(state)) putFrame(state, { ...frame, step: numberOf(frame.step) });
  const pending = (state.parts.get(PENDING_KEY) ?? []) as unknown as Action[];
  const renumbered = pending.map((action) =>
    action.do === 'done' ? { ...action, step: numberOf(action.step) } : action,
  );
  state.parts.set(PENDING_KEY, renumbered as unknown as Json);
}

function stepAt({ steps }: Plan, reference: string): PlannedStep | undefined {
  return steps.find((step) => step.reference === reference);
}

function isSame(one: PlannedStep | undefined, other: PlannedStep | undefined): boolean {
  return one !== undefined && other !== undefined && ownText(one) === ownText(other);
}

/** The step without the steps under it: those are compared by themselves, if they ran. Of branches, the names count. */
function ownText({ task }: PlannedStep): string {
  const lists = descriptorOf(taskKindOf(task)).lists?.(task) ?? [];
  const under = new Map<unknown, Json>(
    lists.map(({ role, tasks }) => [tasks, role === 'branches' ? namesOf(tasks) : null]),
  );
  const own = JSON.parse(
    JSON.stringify(task, (_name, value: unknown) => (under.has(value) ? under.get(value) : value)),
  ) as Json;
  return canonicalJson(own);
}

function namesOf(tasks: TaskList): string[] {
  return tasks.flatMap((item) => Object.keys(item));
}

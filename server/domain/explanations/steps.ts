// The visits of a workflow's steps, gathered from the events of a run: a step in a loop is visited once per iteration.
import type { StoredEvent } from '../../kernel/log/index.ts';

/** One visit of a step: from the event that opened it to the one that closed it. */
export interface StepVisit {
  step: string;
  kind: string;
  iterations: readonly number[];
  opened: StoredEvent;
  /** The newest event of the visit. */
  last: StoredEvent;
  /** What it waited for, as text for people. */
  waitsFor: string | undefined;
}

const CLOSED = new Set(['step_finished', 'step_failed', 'step_skipped']);
const STEP_EVENTS = new Set([...CLOSED, 'step_started', 'step_waiting']);

function isClosed({ last }: StepVisit): boolean {
  return CLOSED.has(last.type);
}

export function isStepEvent({ type }: StoredEvent): boolean {
  return STEP_EVENTS.has(type);
}

/** @param events of one run, in order */
export function visitsOf(events: readonly StoredEvent[]): StepVisit[] {
  const visits: StepVisit[] = [];
  const open = new Map<string, StepVisit>();
  for (const event of events.filter(isStepEvent)) {
    const { step, kind, iterations, waits_for: waitsFor } = event.data;
    const key = `${String(step)} ${JSON.stringify(iterations)}`;
    let visit = open.get(key);
    if (visit === undefined) {
      visit = {
        step: String(step),
        kind: String(kind ?? 'step'),
        iterations: (iterations ?? []) as number[],
        opened: event,
        last: event,
        waitsFor: undefined,
      };
      open.set(key, visit);
      visits.push(visit);
    }
    visit.last = event;
    if (typeof waitsFor === 'string') visit.waitsFor = waitsFor;
    if (isClosed(visit)) open.delete(key);
  }
  return visits;
}

/** The name of a step, which ends its JSON Pointer. */
export function nameOf({ step }: StepVisit): string {
  return nameOfStep(step);
}

export function nameOfStep(step: string): string {
  const last = step.split('/').at(-1) ?? step;
  return last.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** How many steps are around it: a pointer has one number for each step on its way. */
export function depthOf({ step }: StepVisit): number {
  return Math.max(0, (step.match(/\/\d+\//g)?.length ?? 1) - 1);
}

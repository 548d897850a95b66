// Which step of a run its address names, and the other visits of that step.
import { OWN_RUN, type Span } from './spans.ts';

/** A step in the address of the page. */
export interface StepInAddress {
  /** The location of a span. */
  step?: string;
  /** Counts the visits of the step from 1; absent for the last one. */
  visit?: number;
}

export interface ChosenStep {
  /** Undefined if the run did not reach the step. */
  span: Span | undefined;
  location: string;
  /** All visits of the step, oldest first. */
  visits: readonly Span[];
}

/** The step that the address names; undefined if it names none. @param spans each after its parent */
export function chosenStep(spans: readonly Span[], { step, visit }: StepInAddress): ChosenStep | undefined {
  if (step === undefined) return undefined;
  const visits = spans.filter(({ location }) => location === step).toSorted((one, other) => one.nth - other.nth);
  const span = visit === undefined ? undefined : visits.find(({ nth }) => nth === visit);
  return { location: step, visits, span: span ?? visits.at(-1) };
}

/** How the address names a span. The last visit has no number: its link then shows a later one as well. */
export function addressOf({ location, nth }: Span, spans: readonly Span[]): Required<StepInAddress> | StepInAddress {
  const isLast = !spans.some((span) => span.location === location && span.nth > nth);
  return { step: location, ...(isLast ? {} : { visit: nth }) };
}

/** The pointer of the chosen step in the graph of the run's own definition. */
export function chosenInGraph(location: string | undefined): string | undefined {
  return location?.startsWith('/') === true ? location : undefined;
}

/** The location for a step of the graph: its start and its end stand for the run. */
export function locationOfNode({ id, type }: { id: string; type: string }): string {
  return type === 'start' || type === 'end' ? OWN_RUN : id;
}

/** The spans directly below a span. @param spans each after its parent */
export function childrenOf(span: Span, spans: readonly Span[]): Span[] {
  const below: Span[] = [];
  for (const one of spans.slice(spans.indexOf(span) + 1)) {
    if (one.depth <= span.depth) break;
    if (one.depth === span.depth + 1) below.push(one);
  }
  return below;
}

/** What a visit of a step is called: "iteration 3", counted from 0 as everywhere, or "visit 2". */
export function visitWords({ iterations, nth }: Span): string {
  return iterations.length === 0 ? `visit ${nth}` : `iteration ${iterations.join('.')}`;
}

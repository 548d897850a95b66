// Builds the spans of a timeline from the events of a run and the runs it called.
import { ifText, memberOf } from '../../../shared/json.ts';
import { isRunEnding, RUN_ENDINGS as STATUSES } from '../../../shared/run-status.ts';
import type { StatusFields } from '../../../shared/status-label.ts';
import type { EventRecord } from '../../../shared/api/index.ts';
import { placeTurns, type Turn, turnsOf, turnWords } from './turns.ts';

/** Steps still open when their run ended are stopped; steps whose condition was false are skipped. */
export type SpanState = 'running' | 'waiting' | 'finished' | 'rejected' | 'failed' | 'skipped' | 'stopped';

export interface Span {
  key: string;
  kind: 'run' | 'step' | 'tool' | 'turn';
  label: string;
  /** The kind of the step, or the type of the definition. */
  sort: string;
  /** The ID of a run. */
  runId?: string;
  /** A JSON Pointer to a step in its definition. */
  pointer?: string;
  /** Of a step of the run itself: its location, to run again from. */
  visit?: StepPlace;
  /** Names the span within the run: the pointer of a step, the ID of a called run, or both of a step of a called run. */
  location: string;
  /** Counts the spans of a location from 1: a step that is visited again has several. */
  nth: number;
  /** Of a step: the iterations of the loops around it, outermost first, from 0. */
  iterations: readonly number[];
  /** The events of the span itself, oldest first. */
  events: EventRecord[];
  /** The model turn that the span stands for. */
  turn?: Turn;
  depth: number;
  /** Milliseconds since 1970. `end` is absent while the span is in progress. */
  start: number;
  end?: number;
  state: SpanState;
  /** The status fields of an ended run. */
  ending?: StatusFields;
  /** The cause of a failure, or what the span waits for. */
  detail?: string;
}

/** A step, and the iterations of the loops around it, outermost first, from 0. */
export interface StepPlace {
  step: string;
  iterations: number[];
}

interface SpanNode extends Span {
  below: SpanNode[];
}

type BegunSpan = Omit<SpanNode, 'key' | 'location' | 'nth' | 'iterations' | 'events' | 'depth' | 'below'> &
  Partial<Pick<SpanNode, 'iterations'>>;

/** The location of the run itself. */
export const OWN_RUN = 'run';

const STEP_ENDINGS: Readonly<Record<string, SpanState>> = {
  step_finished: 'finished',
  step_failed: 'failed',
  step_skipped: 'skipped',
};
/** Events of a run, and not of one of its steps, that do not begin or end it. */
const RUN_EVENTS: ReadonlySet<string> = new Set([
  'run_deferred',
  'run_cancel_requested',
  'interaction_requested',
  'request_answered',
]);
const RUN_ENDINGS: Readonly<Record<string, SpanState>> = {
  run_succeeded: 'finished',
  run_rejected: 'rejected',
  run_failed: 'failed',
};

/**
 * The span of a run and its descendants, each after its parent, siblings in the order they began.
 * @param events of the run's tree, oldest first
 * @param record of the run, because events leave out a large one
 */
export function buildSpans(events: readonly EventRecord[], runId: string, record?: unknown): Span[] {
  const tree = new SpanTree(runId, record);
  for (const event of events) tree.add(event);
  return tree.spans();
}

class SpanTree {
  readonly #runId: string;
  readonly #record: unknown;
  readonly #runs = new Map<string, SpanNode>();
  /** Steps and tool calls that have not ended, by run and location. */
  readonly #open = new Map<string, SpanNode>();
  readonly #counts = new Map<string, number>();
  /** When the latest attempt of each run began. */
  readonly #attempts = new Map<string, number>();

  constructor(runId: string, record: unknown) {
    this.#runId = runId;
    this.#record = record;
  }

  spans(): Span[] {
    const top = this.#runs.get(this.#runId);
    return top === undefined ? [] : flatten(top);
  }

  add(event: EventRecord): void {
    const { type, data, metadata } = event;
    const run = metadata.run_id;
    if (run === undefined) return;
    const at = Date.parse(metadata.at);
    if (type === 'run_started') return this.#startRun(event, run, at);
    const own = this.#runs.get(run);
    const ended = RUN_ENDINGS[type];
    if (own !== undefined && ended !== undefined) return this.#endRun(own, event, run, at, ended);
    if (own !== undefined && RUN_EVENTS.has(type)) own.events.push(event);
    if (type.startsWith('step_') && typeof data['step'] === 'string') this.#addStepEvent(event, run, data['step'], at);
    else if (type.startsWith('tool_call_')) this.#addToolEvent(event, run, at);
  }

  #startRun(event: EventRecord, run: string, at: number): void {
    this.#attempts.set(run, at);
    const known = this.#runs.get(run);
    if (known !== undefined) {
      // A further attempt continues the span of the previous one.
      known.state = 'running';
      delete known.end;
      delete known.ending;
      known.events.push(event);
      return;
    }
    const { called_by: caller, definition: { type: sort = 'run', name: label = run } = {} } = event.metadata;
    const parent =
      caller && (openAbove(this.#open, caller.run_id, caller.reference, true) ?? this.#runs.get(caller.run_id));
    const begun = this.#begin(run, parent, { kind: 'run', label, sort, runId: run, start: at, state: 'running' });
    begun.events.push(event);
    this.#runs.set(run, begun);
  }

  #endRun(own: SpanNode, event: EventRecord, run: string, at: number, state: SpanState): void {
    const { type, data } = event;
    own.events.push(event);
    own.end = at;
    own.state = state;
    if (isRunEnding(type)) own.ending = { status: STATUSES[type], ...reasonsOf(data) };
    addDetail(own, data);
    for (const [location, span] of this.#open) {
      if (!location.startsWith(`${run} `)) continue;
      span.end = at;
      span.state = state === 'finished' ? 'finished' : 'stopped';
      this.#open.delete(location);
    }
    const record = run === this.#runId ? (this.#record ?? data['record']) : data['record'];
    addTurns(own, turnsOf(record), this.#attempts.get(run) ?? own.start);
  }

  #addStepEvent(event: EventRecord, run: string, pointer: string, at: number): void {
    const { type, data } = event;
    const location = `${run} ${pointer}`;
    const span = this.#open.get(location) ?? this.#beginStep(location, run, pointer, at, data);
    span.events.push(event);
    const state = STEP_ENDINGS[type];
    if (state !== undefined) {
      span.end = at;
      span.state = state === 'skipped' && data['because'] === 'stopped' ? 'stopped' : state;
      delete span.detail;
      this.#open.delete(location);
      if (span.state === 'stopped') return;
    } else if (type === 'step_waiting') {
      span.state = 'waiting';
    }
    addDetail(span, data);
  }

  #beginStep(location: string, run: string, pointer: string, at: number, data: EventRecord['data']): SpanNode {
    const iterations = iterationsOf(data);
    const begun = this.#begin(location, openAbove(this.#open, run, pointer, false) ?? this.#runs.get(run), {
      kind: 'step',
      label: nameOfStep(pointer),
      sort: typeof data['kind'] === 'string' ? data['kind'] : 'step',
      pointer,
      start: at,
      state: 'running',
      iterations,
      ...(run === this.#runId ? { visit: { step: pointer, iterations } } : {}),
    });
    this.#open.set(location, begun);
    return begun;
  }

  #addToolEvent(event: EventRecord, run: string, at: number): void {
    const { type, data } = event;
    // The call of a step has no ID, and a step has one call at a time.
    const step = typeof data['step'] === 'string' ? data['step'] : undefined;
    const location = `${run} call ${step ?? String(data['call_id'])}`;
    if (type === 'tool_call_started') {
      const label = `${String(data['server'])}/${String(data['tool'])}`;
      const parent = (step === undefined ? undefined : openAbove(this.#open, run, step, true)) ?? this.#runs.get(run);
      const begun = this.#begin(location, parent, { kind: 'tool', label, sort: 'tool', start: at, state: 'running' });
      begun.events.push(event);
      this.#open.set(location, begun);
      return;
    }
    const span = this.#open.get(location);
    if (span === undefined) return;
    span.events.push(event);
    span.end = at;
    span.state = type === 'tool_call_failed' || data['is_error'] === true ? 'failed' : 'finished';
    this.#open.delete(location);
  }

  #begin(location: string, parent: SpanNode | undefined, span: BegunSpan): SpanNode {
    const nth = (this.#counts.get(location) ?? 0) + 1;
    this.#counts.set(location, nth);
    const named = { location: shortLocation(location, this.#runId), nth, key: `${location}#${nth}` };
    const begun: SpanNode = { iterations: [], ...span, ...named, events: [], depth: 0, below: [] };
    parent?.below.push(begun);
    return begun;
  }
}

/** Places the turns of a model between the tool calls that they requested. */
function addTurns(run: SpanNode, turns: readonly Turn[], attemptAt: number): void {
  if (turns.length === 0) return;
  const calls = run.below.filter(({ kind, start }) => kind === 'tool' && start >= attemptAt);
  const callEnds = calls.map(({ start, end = start }) => end);
  const placed = placeTurns(turns, attemptAt, callEnds).map(
    ({ turn, start, end }, index): SpanNode => ({
      key: `${run.key} turn ${attemptAt} ${index}`,
      location: `${run.location} turn ${index + 1}`,
      nth: run.events.filter(({ type }) => type === 'run_started').length,
      iterations: [],
      events: [],
      turn,
      kind: 'turn',
      label: `turn ${index + 1}`,
      sort: 'model',
      detail: turnWords(turn),
      depth: 0,
      below: [],
      start,
      // Rounded durations must not exceed the end of the run.
      end: Math.min(end, run.end ?? end),
      state: 'finished',
    }),
  );
  run.below = [...run.below, ...placed].toSorted((a, b) => a.start - b.start);
}

/** The closest open ancestor of a JSON Pointer in a run. */
function openAbove(
  open: ReadonlyMap<string, SpanNode>,
  run: string,
  pointer: string,
  itself: boolean,
): SpanNode | undefined {
  if (itself) {
    const exact = open.get(`${run} ${pointer}`);
    if (exact !== undefined) return exact;
  }
  for (let end = pointer.lastIndexOf('/'); end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const found = open.get(`${run} ${pointer.slice(0, end)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The name of a location on the page of a run; a step of the run itself is named without the run. */
function shortLocation(location: string, runId: string): string {
  return location === runId ? OWN_RUN : location.startsWith(`${runId} `) ? location.slice(runId.length + 1) : location;
}

/** The name of a step: the last token of its pointer that is not an index. */
export function nameOfStep(pointer: string): string {
  const parts = pointer.split('/').filter((part) => part !== '' && !/^\d+$/.test(part));
  return (parts.at(-1) ?? pointer).replaceAll('~1', '/').replaceAll('~0', '~');
}

function iterationsOf({ iterations }: Readonly<Record<string, unknown>>): number[] {
  return Array.isArray(iterations) ? iterations.map(Number) : [];
}

function reasonsOf({ rejection }: Readonly<Record<string, unknown>>): Pick<StatusFields, 'reason' | 'kind'> {
  return { reason: ifText(memberOf(rejection, 'reason')), kind: ifText(memberOf(rejection, 'kind')) };
}

function addDetail(span: SpanNode, data: Readonly<Record<string, unknown>>): void {
  const { detail, waits_for, because, rejection, error } = data;
  const ofError = [memberOf(error, 'detail'), memberOf(error, 'title')];
  const found = [detail, waits_for, because, memberOf(rejection, 'detail'), ...ofError].find(
    (one) => typeof one === 'string',
  );
  if (found !== undefined) span.detail = found;
}

function flatten(top: SpanNode): Span[] {
  const spans: Span[] = [];
  const waiting: SpanNode[] = [top];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { below, ...span } = next;
    spans.push(span);
    for (const child of below.toReversed()) waiting.push({ ...child, depth: span.depth + 1 });
  }
  return spans;
}

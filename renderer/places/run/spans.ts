// Builds the spans of a timeline from the events of a run and the runs it called.
import { memberOf } from '../../../shared/json.ts';
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
  /** Of a step of the run itself: its place, to run again from. */
  visit?: StepPlace;
  /** Names the span within the run: the pointer of a step, the ID of a called run, or both of a step of a called run. */
  place: string;
  /** Counts the spans of a place from 1: a step that is visited again has several. */
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

type BegunSpan = Omit<SpanNode, 'key' | 'place' | 'nth' | 'iterations' | 'events' | 'depth' | 'below'> &
  Partial<Pick<SpanNode, 'iterations'>>;

/** The place of the run itself. */
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
  const runs = new Map<string, SpanNode>();
  /** Steps and tool calls that have not ended, by run and place. */
  const open = new Map<string, SpanNode>();
  const counts = new Map<string, number>();
  /** When the latest attempt of each run began. */
  const attempts = new Map<string, number>();

  const begin = (place: string, parent: SpanNode | undefined, span: BegunSpan): SpanNode => {
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    const named = { place: shortPlace(place, runId), nth, key: `${place}#${nth}` };
    const grown: SpanNode = { iterations: [], ...span, ...named, events: [], depth: 0, below: [] };
    parent?.below.push(grown);
    return grown;
  };

  for (const event of events) {
    const { type, data, metadata } = event;
    const run = metadata.run_id;
    if (run === undefined) continue;
    const at = Date.parse(metadata.at);
    if (type === 'run_started') {
      attempts.set(run, at);
      const known = runs.get(run);
      if (known !== undefined) {
        // A further attempt continues the span of the previous one.
        known.state = 'running';
        delete known.end;
        delete known.ending;
        known.events.push(event);
        continue;
      }
      const caller = metadata.called_by;
      const parent =
        caller === undefined
          ? undefined
          : (openAbove(open, caller.run_id, caller.reference, true) ?? runs.get(caller.run_id));
      const { type: sort = 'run', name = run } = metadata.definition ?? {};
      const begun = begin(run, parent, { kind: 'run', label: name, sort, runId: run, start: at, state: 'running' });
      begun.events.push(event);
      runs.set(run, begun);
      continue;
    }
    const own = runs.get(run);
    const ended = RUN_ENDINGS[type];
    if (own !== undefined && ended !== undefined) {
      own.events.push(event);
      own.end = at;
      own.state = ended;
      if (isRunEnding(type)) own.ending = { status: STATUSES[type], ...reasonsOf(data) };
      const detail = detailOf(data);
      if (detail !== undefined) own.detail = detail;
      for (const [place, span] of open) {
        if (!place.startsWith(`${run} `)) continue;
        span.end = at;
        span.state = ended === 'finished' ? 'finished' : 'stopped';
        open.delete(place);
      }
      const turns = turnsOf(run === runId ? (record ?? data['record']) : data['record']);
      addTurns(own, turns, attempts.get(run) ?? own.start);
      continue;
    }
    if (own !== undefined && RUN_EVENTS.has(type)) own.events.push(event);
    if (type.startsWith('step_') && typeof data['step'] === 'string') {
      const pointer = data['step'];
      const place = `${run} ${pointer}`;
      let span = open.get(place);
      if (span === undefined) {
        span = begin(place, openAbove(open, run, pointer, false) ?? own, {
          kind: 'step',
          label: nameOfStep(pointer),
          sort: typeof data['kind'] === 'string' ? data['kind'] : 'step',
          pointer,
          start: at,
          state: 'running',
          iterations: iterationsOf(data),
          ...(run === runId ? { visit: { step: pointer, iterations: iterationsOf(data) } } : {}),
        });
        open.set(place, span);
      }
      span.events.push(event);
      const state = STEP_ENDINGS[type];
      if (state !== undefined) {
        span.end = at;
        span.state = state === 'skipped' && data['because'] === 'stopped' ? 'stopped' : state;
        delete span.detail;
        open.delete(place);
        if (span.state === 'stopped') continue;
      } else if (type === 'step_waiting') {
        span.state = 'waiting';
      }
      const detail = detailOf(data);
      if (detail !== undefined) span.detail = detail;
      continue;
    }
    if (type.startsWith('tool_call_')) {
      // The call of a step has no ID, and a step has one call at a time.
      const step = typeof data['step'] === 'string' ? data['step'] : undefined;
      const place = `${run} call ${step ?? String(data['call_id'])}`;
      if (type === 'tool_call_started') {
        const label = `${String(data['server'])}/${String(data['tool'])}`;
        const parent = step === undefined ? own : (openAbove(open, run, step, true) ?? own);
        const begun = begin(place, parent, { kind: 'tool', label, sort: 'tool', start: at, state: 'running' });
        begun.events.push(event);
        open.set(place, begun);
        continue;
      }
      const span = open.get(place);
      if (span === undefined) continue;
      span.events.push(event);
      span.end = at;
      span.state = type === 'tool_call_failed' || data['is_error'] === true ? 'failed' : 'finished';
      open.delete(place);
    }
  }
  const top = runs.get(runId);
  return top === undefined ? [] : flatten(top);
}

/** Places the turns of a model between the tool calls that they requested. */
function addTurns(run: SpanNode, turns: readonly Turn[], attemptAt: number): void {
  if (turns.length === 0) return;
  const calls = run.below.filter(({ kind, start }) => kind === 'tool' && start >= attemptAt);
  const callEnds = calls.map(({ start, end = start }) => end);
  const placed = placeTurns(turns, attemptAt, callEnds).map(
    ({ turn, start, end }, index): SpanNode => ({
      key: `${run.key} turn ${attemptAt} ${index}`,
      place: `${run.place} turn ${index + 1}`,
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

/** What a place is called on the page of a run: its own steps need no run before them. */
function shortPlace(place: string, runId: string): string {
  return place === runId ? OWN_RUN : place.startsWith(`${runId} `) ? place.slice(runId.length + 1) : place;
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
  const text = (member: unknown): string | undefined => (typeof member === 'string' ? member : undefined);
  return { reason: text(memberOf(rejection, 'reason')), kind: text(memberOf(rejection, 'kind')) };
}

function detailOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const { detail, waits_for, because, rejection, error } = data;
  const words = [
    detail,
    waits_for,
    because,
    memberOf(rejection, 'detail'),
    memberOf(error, 'detail'),
    memberOf(error, 'title'),
  ];
  return words.find((word) => typeof word === 'string');
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

// A page of events for agents: what the events of one run have in common is in the page once, and so is each text of an
// event.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

/** The metadata that every event of a run has alike. */
const OF_RUN = ['definition', 'called_by', 'call_depth', 'depth', 'trigger', 'correlation_id', 'by'];
/** Positions in streams, causes and traces, which only get_event returns. */
const LEFT_OUT = ['stream', 'position', 'global_position', 'causation_id', 'trace_id', 'span_id'];

/**
 * The page with `runs`: by run id, the metadata that all its events on the page share. Events keep what differs.
 * @param page the response of a list of events
 */
export function compactPage(page: JsonObject): JsonObject {
  const { events, ...end } = page;
  if (!Array.isArray(events)) return page;
  const entries = (events as JsonObject[]).map(({ metadata, ...event }) => ({
    event,
    metadata: isJsonObject(metadata) ? metadata : {},
  }));
  const failures = stepFailures(entries);
  const runs: Record<string, JsonObject> = {};
  for (const { metadata } of entries) {
    const { run_id: runId } = metadata;
    if (typeof runId !== 'string') continue;
    const own = pick(metadata, OF_RUN);
    const known = Object.hasOwn(runs, runId) ? runs[runId] : undefined;
    runs[runId] = known === undefined ? own : shared(known, own);
  }
  const shown = entries.map(({ event, metadata }) => {
    const { run_id: runId } = metadata;
    const ofRun = typeof runId === 'string' ? Object.keys(runs[runId] ?? {}) : [];
    return {
      ...compactData(event, failures.get(String(runId))),
      metadata: withoutNulls(omit(metadata, [...LEFT_OUT, ...ofRun])),
    };
  });
  return { events: shown, ...(Object.keys(runs).length === 0 ? {} : { runs }), ...end };
}

/** The errors of failed steps, by the id of their run: as JSON. */
function stepFailures(entries: readonly { event: JsonObject; metadata: JsonObject }[]): Map<string, Set<string>> {
  const failures = new Map<string, Set<string>>();
  for (const { event, metadata } of entries) {
    const { type, data } = event;
    if (type !== 'step_failed' || !isJsonObject(data)) continue;
    const runId = String(metadata['run_id']);
    failures.set(runId, (failures.get(runId) ?? new Set()).add(JSON.stringify(data['error'])));
  }
  return failures;
}

/**
 * The event without texts of its data that the summary or an outer text has.
 * @param failures the errors that failed steps of its run have on the page: its record does not repeat them
 */
function compactData(event: JsonObject, failures?: ReadonlySet<string>): JsonObject {
  const { data, summary } = event;
  if (!isJsonObject(data)) return event;
  const { attempt, waits_for: waitsFor, error, record, ...rest } = data;
  return {
    ...event,
    data: {
      ...(attempt === undefined || isSaidIn(summary, `(attempt ${String(attempt)})`) ? {} : { attempt }),
      ...rest,
      ...(waitsFor === undefined || isSaidIn(summary, waitsFor) ? {} : { waits_for: waitsFor }),
      ...(error === undefined ? {} : { error: isJsonObject(error) ? withoutRepeats(error, summary) : error }),
      ...(record === undefined ? {} : { record: compactRecord(record, data['detail'], failures) }),
    },
  };
}

/**
 * The record of a run without texts of its error that are known otherwise.
 * @param shown the detail of the run
 * @param failures errors that are left out, as JSON
 */
export function compactRecord(record: Json, shown: Json | undefined, failures?: ReadonlySet<string>): Json {
  const error = isJsonObject(record) ? record['error'] : undefined;
  if (!isJsonObject(record) || !isJsonObject(error)) return record;
  if (failures?.has(JSON.stringify(error)) === true) return omit(record, ['error']);
  return { ...record, error: withoutRepeats(error, shown) };
}

/** An error of a workflow without texts that it repeats, or that `said` has. */
function withoutRepeats(error: JsonObject, shown?: Json): JsonObject {
  const { title, detail, rejection, ...rest } = error;
  const isSaid = isSaidIn(shown, detail);
  const outer = isSaid ? shown : detail;
  return {
    ...rest,
    ...(title === undefined || isSaidIn(shown, title) ? {} : { title }),
    ...(detail === undefined || isSaid ? {} : { detail }),
    ...(rejection === undefined
      ? {}
      : { rejection: isJsonObject(rejection) ? rejectionWithout(rejection, outer) : rejection }),
  };
}

function rejectionWithout(rejection: JsonObject, shown: Json | undefined): JsonObject {
  return isSaidIn(shown, rejection['detail']) ? omit(rejection, ['detail']) : rejection;
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

function isSaidIn(shown: Json | undefined, text: Json | undefined): boolean {
  return typeof shown === 'string' && typeof text === 'string' && shown.includes(text);
}

function shared(one: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(value) === JSON.stringify(other[name])),
  );
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

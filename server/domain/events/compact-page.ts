// A page of events for agents: what the events of one run have in common is in the page once.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';

/** The metadata that every event of a run has alike. */
const OF_RUN = ['definition', 'called_by', 'call_depth', 'depth', 'trigger', 'correlation_id', 'by'];
/** Positions in streams and traces, which only get_event returns. */
const LEFT_OUT = ['stream', 'position', 'global_position', 'trace_id', 'span_id'];

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
    return { ...event, metadata: omit(metadata, [...LEFT_OUT, ...ofRun]) };
  });
  return { events: shown, ...(Object.keys(runs).length === 0 ? {} : { runs }), ...end };
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

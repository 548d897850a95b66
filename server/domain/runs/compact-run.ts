// Runs for agents: without what a first attempt says twice.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { compactRecord } from '../events/index.ts';

/**
 * The run without the number of its first attempt, and without texts of an error that its detail already has. A later
 * attempt keeps its number and its start. That its playbook started it, `called_by` or `trigger` says.
 */
export function compactRun(run: JsonObject): JsonObject {
  const { attempt, attempt_started_at: started, started_by: by, record, ...rest } = run;
  const isExplained = run['called_by'] !== undefined || run['trigger'] !== undefined;
  return {
    ...rest,
    ...(by === undefined || (isExplained && String(by).startsWith('playbook:')) ? {} : { started_by: by }),
    ...(attempt === undefined || attempt === 1 ? {} : { attempt, attempt_started_at: started ?? null }),
    ...(record === undefined ? {} : { record: compactRecord(record, run['detail']) }),
  };
}

/** A list names the event of a trigger and the caller by their ids alone: the event's own one, and that of its record. */
function listed(run: JsonObject): JsonObject {
  const { trigger, called_by: caller, ...rest } = compactRun(run);
  return {
    ...rest,
    ...(trigger === undefined ? {} : { trigger: without(trigger, ['source']) }),
    ...(caller === undefined ? {} : { called_by: without(caller, ['run']) }),
  };
}

function without(value: Json, names: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

export function compactRuns(page: JsonObject): JsonObject {
  const { runs } = page;
  return Array.isArray(runs) ? { ...page, runs: (runs as JsonObject[]).map(listed) } : page;
}

// The build that a request asks models for: its own, or that of a prediction function which called the interaction.
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import { isJsonObject } from '../../../shared/json.ts';
import { type EventRecord, type RunWithRecord, uploadRequestOf } from '../../../shared/api/index.ts';

export interface BuildAsked {
  runId: string;
  briefUrl: string;
  rowsUrl: string;
}

/** Undefined for the request of anything else than a build. @param started the event that started the run */
export function buildAsked(
  playbook: string,
  run: Pick<RunWithRecord, 'run_id' | 'type'>,
  started: EventRecord | undefined,
): BuildAsked | undefined {
  if (DEFINITION_FACTS[run.type].buildsModels === true) return urlsOf(playbook, run.run_id);
  const input = started?.data['input'];
  if (!isJsonObject(input)) return undefined;
  const { run_id: runId, brief_url: brief, rows_url: rows } = input;
  const isBuild = typeof runId === 'string' && typeof brief === 'string' && typeof rows === 'string';
  // The addresses are those of this service, whatever the input says.
  return isBuild ? urlsOf(playbook, runId) : undefined;
}

function urlsOf(playbook: string, runId: string): BuildAsked {
  // What a trainer reads is beside what it uploads.
  const { path } = uploadRequestOf('upload_candidate', { playbook, run_id: runId });
  const beside = (name: string): string => path.replace(/[^/]+$/, name);
  return { runId, briefUrl: beside('brief'), rowsUrl: beside('rows') };
}

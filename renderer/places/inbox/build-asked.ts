// The build that a request asks models for: its own, or that of a prediction function which called the interaction.
import { isJsonObject } from '../../../shared/json.ts';
import { type EventRecord, uploadRequestOf } from '../../../shared/api/index.ts';

export interface BuildAsked {
  runId: string;
  briefUrl: string;
  rowsUrl: string;
}

/** What a trainer needs is the input of a build's request, and of the interaction that a build calls. */
export function requestInput(requested: EventRecord, started: EventRecord | undefined): unknown {
  return requested.data['input'] ?? started?.data['input'];
}

/** Undefined for the request of anything else than a build. @param input of the request */
export function buildAsked(playbook: string, input: unknown): BuildAsked | undefined {
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

// Why a run ended without an output.
import { ifText, isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { StatusFields } from '../../../shared/status-label.ts';
import { programErrorOf } from '../../../shared/program-error.ts';
import type { RunWithRecord } from '../../../shared/api/index.ts';

type Issue = NonNullable<RunWithRecord['issues']>[number];

export interface Cause {
  /** The message of the program, the issue of a field, or the detail from the service. */
  message: string;
  /** Where the program failed, if known. */
  at?: { line: number; column: number };
  /** A JSON Pointer to the failed step in the workflow. */
  step?: string;
  /** The status of the run that the step called. */
  called?: StatusFields;
  /** Further issues besides the message. */
  issues: readonly Issue[];
}

/** The recorded detail of an interrupted attempt. */
const CUT_OFF = 'interrupted';

/** Undefined for a run that succeeded or has not ended. */
export function causeOf(run: Pick<RunWithRecord, 'status' | 'detail' | 'issues' | 'record'>): Cause | undefined {
  if (run.status !== 'rejected' && run.status !== 'failed') return undefined;
  const error = run.record['error'];
  if (!isJsonObject(error)) return causeIn(run.detail, run.issues);
  const rejection = error['rejection'];
  const step = typeof error['instance'] === 'string' ? { step: error['instance'] } : {};
  if (!isJsonObject(rejection)) return { ...causeIn(run.detail, run.issues), ...step };
  const issues = Array.isArray(rejection['issues']) ? (rejection['issues'] as unknown as Issue[]) : run.issues;
  return { ...causeIn(ifText(rejection['detail']) ?? run.detail, issues), ...step, called: endingOf(rejection) };
}

function causeIn(detail: string | undefined, issues: readonly Issue[] = []): Cause {
  const [first, ...others] = issues;
  // With issues, the detail adds nothing.
  if (first !== undefined) return { message: first.detail, issues: others };
  if (detail === undefined) return { message: 'The service recorded no reason.', issues: [] };
  if (detail === CUT_OFF) {
    return { message: 'The service stopped while the run was in progress, or the request was aborted.', issues: [] };
  }
  const { message, at } = programErrorOf(detail);
  return { message, ...(at === undefined ? {} : { at }), issues: [] };
}

function endingOf(rejection: JsonObject): StatusFields {
  const reason = ifText(rejection['reason']);
  return { status: reason === undefined ? 'failed' : 'rejected', reason, kind: ifText(rejection['kind']) };
}

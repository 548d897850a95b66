// Why a run ended without an output, in the words of its cause.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { StatusFields } from '../../../shared/status-label.ts';
import { programErrorOf } from '../../../shared/program-error.ts';
import type { RunWithRecord } from '../../../shared/api/index.ts';

type Issue = NonNullable<RunWithRecord['issues']>[number];

export interface Cause {
  /** The program's own message, the field that does not fit, or what the service says. */
  message: string;
  /** Where the program failed. */
  at?: { line: number; column: number };
  /** The place of the step that failed in the workflow's document. */
  step?: string;
  /** How the run that the step called ended. */
  called?: StatusFields;
  /** What else does not fit, beside the message. */
  issues: readonly Issue[];
}

/** What is recorded of an attempt that did not come to its end. */
const CUT_OFF = 'interrupted';

/** Undefined of a run that did not end, or succeeded. */
export function causeOf(run: Pick<RunWithRecord, 'status' | 'detail' | 'issues' | 'record'>): Cause | undefined {
  if (run.status !== 'rejected' && run.status !== 'failed') return undefined;
  const error = run.record['error'];
  if (!isJsonObject(error)) return causeIn(run.detail, run.issues);
  const rejection = error['rejection'];
  const step = typeof error['instance'] === 'string' ? { step: error['instance'] } : {};
  if (!isJsonObject(rejection)) return { ...causeIn(run.detail, run.issues), ...step };
  const issues = Array.isArray(rejection['issues']) ? (rejection['issues'] as unknown as Issue[]) : run.issues;
  return { ...causeIn(textOf(rejection, 'detail') ?? run.detail, issues), ...step, called: endingOf(rejection) };
}

function causeIn(detail: string | undefined, issues: readonly Issue[] = []): Cause {
  const [first, ...others] = issues;
  // The detail of one that does not fit says no more than that.
  if (first !== undefined) return { message: first.detail, issues: others };
  if (detail === undefined) return { message: 'The service recorded no reason.', issues: [] };
  if (detail === CUT_OFF) {
    return { message: 'The service stopped while the run was in progress, or the request was aborted.', issues: [] };
  }
  const { message, at } = programErrorOf(detail);
  return { message, ...(at === undefined ? {} : { at }), issues: [] };
}

function endingOf(rejection: JsonObject): StatusFields {
  const reason = textOf(rejection, 'reason');
  return { status: reason === undefined ? 'failed' : 'rejected', reason, kind: textOf(rejection, 'kind') };
}

function textOf(of: JsonObject, name: string): string | undefined {
  const value = of[name];
  return typeof value === 'string' ? value : undefined;
}

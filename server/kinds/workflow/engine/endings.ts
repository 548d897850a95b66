// How a workflow ends, and as what.
import type { Work } from './model.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { Issue } from '../../../../shared/issues.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import type { Rejection } from '../../../lib/rejection.ts';
import type { Ending } from '../../run.ts';
import { cancelAll } from './cancel.ts';
import { Fault, standardName } from './faults.ts';
import type { Asking } from './requests.ts';
import { check, transform } from './values.ts';

/** A step ended the workflow: everything else that runs is stopped. */
export function* endWorkflow(work: Work, output: Json): Asking<void> {
  yield* cancelAll(work, 'parent_ended');
  yield* finishWorkflow(work, output);
}

/** The last step is done: the workflow's own output is made and checked. */
export function* finishWorkflow(work: Work, lastOutput: Json): Asking<void> {
  const { document } = work.plan;
  try {
    const output = yield* transform(work, { parent: undefined }, document.output?.as, lastOutput);
    yield* check(document.output?.schema, output, { what: "The workflow's output", pointer: '/output' });
    yield* cancelAll(work, 'parent_ended');
    work.ending = boundedOutput(output);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield* endWithError(work, error);
  }
}

function boundedOutput(output: Json): Ending {
  const bytes = jsonBytes(output);
  if (bytes <= LIMITS.workflowOutputBytes) return { status: 'succeeded', output, record: {} };
  const detail = `The workflow's output has ${bytes} bytes as JSON, and the maximum is ${LIMITS.workflowOutputBytes}; reduce it in \`output.as\`.`;
  return { status: 'rejected', rejection: { reason: 'conflict', kind: 'oversized', detail } };
}

/** Ends the run with an uncaught error. */
export function* endWithError(work: Work, fault: Fault): Asking<void> {
  yield* cancelAll(work, 'parent_ended');
  work.ending = endingOfError(fault);
}

/** The ending for an error, by its type. The record contains the complete error. */
function endingOfError({ error, issues, isRaised }: Fault): Ending {
  const record = { error };
  const detail = wordsOf(error, isRaised);
  const rejected = (rejection: Omit<Rejection, 'detail'>): Ending => ({
    status: 'rejected',
    rejection: { ...rejection, detail },
    record,
  });
  const called = isJsonObject(error['rejection']) ? error['rejection'] : {};
  const calledKind = typeof called['kind'] === 'string' ? { kind: called['kind'] } : {};
  const calledBecause = typeof called['because'] === 'string' ? { because: called['because'] } : {};
  if (called['reason'] === 'cancelled') {
    // The input is not at fault: the issue points at the step in the document.
    const pointer = String(error['instance'] ?? '');
    const words = `The step ${pointer} waited for a run that was cancelled. ${detail}`;
    const rejection: Rejection = { reason: 'invalid_input', detail: words, issues: [{ pointer, detail: words }] };
    return { status: 'rejected', rejection, record };
  }
  if (called['reason'] === 'unanswered') return rejected({ reason: 'unanswered', ...calledKind });
  switch (standardName(error.type)) {
    case 'validation':
      return rejected({ reason: 'invalid_input', issues: issues ?? issuesOf(called, detail) });
    case 'expression':
    case 'configuration':
      return rejected({ reason: 'conflict', kind: 'unworkable' });
    case 'communication':
      // Through any number of workflows: the cause is what the caller can mend.
      return rejected({ reason: 'unavailable', ...calledBecause });
    case 'timeout':
      return rejected({ reason: 'unavailable', because: 'timed_out' });
    case undefined:
      if (isRaised) return rejected({ reason: 'conflict', kind: 'raised' });
      return { status: 'failed', detail, record };
    default:
      return { status: 'failed', detail, record };
  }
}

/** The issues of a called run. If the list was cut, its last issue stands for the rest here too. */
function issuesOf({ issues, issue_count: count }: JsonObject, detail: string): readonly Issue[] {
  const found = Array.isArray(issues) ? (issues as unknown as Issue[]) : [];
  const last = found.at(-1);
  if (last === undefined) return [{ pointer: '/input', detail }];
  const listed = found.length - 1;
  return typeof count === 'number' ? found.with(listed, { ...last, standsFor: count - listed }) : found;
}

/** The message of an error; for a raised error, with its title. */
function wordsOf({ title, detail, type }: { title?: Json; detail?: Json; type: string }, isRaised: boolean): string {
  const own = [isRaised || typeof detail !== 'string' ? title : undefined, detail];
  const words = own.filter((text): text is string => typeof text === 'string' && text !== '');
  return words.length === 0 ? `The workflow ended with the error ${type}.` : words.join(': ');
}

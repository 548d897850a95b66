// Conditions of a catch and of its retries: their input is that of the `try`, and the error is a variable.
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { TryTask } from '../tasks/try.ts';
import type { Walk } from '../walk.ts';
import { retriesOf } from '../walk-durations.ts';

interface Conditions {
  when?: string;
  exceptWhen?: string;
}

/** A field of an error at the start of a path. */
const READS_ERROR = /(?<![\w$)\]}"'?.])\.(type|status|title|detail|instance|rejection)\b/;

/** Warns of conditions that read a field of the error as one of the input. */
export function warnOfErrorConditions(walked: Walk, findings: Findings): void {
  for (const { kind, task, pointer } of walked.steps) {
    if (kind !== 'try') continue;
    const { catch: caught } = task as TryTask;
    warn(caught, `${pointer}/catch`, caught.as ?? 'error', findings);
  }
  for (const { policy, pointer, variable } of retriesOf(walked)) warn(policy, pointer, variable, findings);
}

/** @param variable that holds the error; undefined: one of several names */
function warn(conditions: Conditions, pointer: string, variable: string | undefined, findings: Findings): void {
  for (const name of ['when', 'exceptWhen'] as const) {
    const text = conditions[name];
    const expression = text === undefined ? undefined : (wholeExpression(text) ?? text);
    if (expression === undefined || expression.includes(`$${variable ?? ''}`)) continue;
    const field = READS_ERROR.exec(expression)?.[1];
    if (field === undefined) continue;
    const detail = `\`${name}\` reads the input of the \`try\`; for the error, write ${code(`$${variable ?? 'error'}.${field}`)}.`;
    findings.warn(`${pointer}/${name}`, detail);
  }
}

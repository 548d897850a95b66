// The input of a run that events start is the list of their data; documents often read a field of it, as of one event.
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { textsOf } from '../expressions/texts.ts';
import { code } from '../schema/sentences.ts';
import type { Walk, WalkedStep } from '../walk.ts';

/** Where a step has expressions over its input. */
const OVER_INPUT = ['if', 'input', 'with', 'set', 'switch', 'for'];
const READS_FIELD = /^\s*\.(?:data\.)?(?=[A-Za-z_])/;

/** Warns of expressions of the first step, which is certain to get the input of the run, that read a field of the list. */
export function warnOfEventInput(walked: Walk, findings: Findings): void {
  const { schedule, input } = walked.document;
  if (schedule?.on === undefined || input?.from !== undefined || walked.extensions.length > 0) return;
  const places = firstSteps(walked.root.steps[0]).flatMap(({ pointer, task }) =>
    (task.input?.from === undefined ? OVER_INPUT : ['input']).map((member) => `${pointer}/${member}`),
  );
  for (const { pointer, text } of textsOf(walked)) {
    if (!places.some((place) => pointer === place || pointer.startsWith(`${place}/`))) continue;
    const expression = wholeExpression(text) ?? text;
    if (!READS_FIELD.test(expression)) continue;
    const instead = expression.replace(READS_FIELD, '.[0].');
    findings.warn(
      pointer,
      `Events start this workflow, so its input is the list of their data; for a field of the first, write ${code(instead.trim())}.`,
    );
  }
}

/** The first step, and the first steps inside it, as long as each gets the input of the run. */
function firstSteps(step: WalkedStep | undefined): WalkedStep[] {
  if (step === undefined) return [];
  const inner = step.task.input?.from === undefined && (step.kind === 'do' || step.kind === 'try');
  const body = inner ? step.bodies.find(({ role }) => role !== 'handler') : undefined;
  return [step, ...firstSteps(body?.scope.steps[0])];
}

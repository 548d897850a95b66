// The input of a run that events start is a list; documents often read a field of it, as of one event.
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { textsOf } from '../expressions/texts.ts';
import type { ReadAs } from '../dsl.ts';
import { code } from '../schema/sentences.ts';
import type { Walk, WalkedStep } from '../walk.ts';

/** Where a step has expressions over its input. */
const OVER_INPUT = ['if', 'input', 'with', 'set', 'switch', 'for'];
const READS_FIELD = /^\s*\.(?:data\.)?(?=([A-Za-z_]\w*))/;

/** Warns of expressions of the first step, which is certain to get the input of the run, that read a field of the list. */
export function warnOfEventInput(walked: Walk, findings: Findings): void {
  const { schedule, input } = walked.document;
  if (schedule?.on === undefined || input?.from !== undefined || walked.extensions.length > 0) return;
  const locations = firstSteps(walked.root.steps[0]).flatMap(({ pointer, task }) =>
    (task.input?.from === undefined ? OVER_INPUT : ['input']).map((member) => `${pointer}/${member}`),
  );
  for (const { pointer, text } of textsOf(walked)) {
    if (!locations.some((location) => pointer === location || pointer.startsWith(`${location}/`))) continue;
    const expression = wholeExpression(text) ?? text;
    if (!READS_FIELD.test(expression)) continue;
    const { list, field } = READING[schedule.read ?? 'data'];
    findings.warn(
      pointer,
      `Events start this workflow, so its input is the list of ${list}; for a field of the first, write ${code(expression.replace(READS_FIELD, field).trim())}.`,
    );
  }
}

/** What the list contains, by `read`, and what stands before a field of the first item. */
const READING: Readonly<Record<ReadAs, { list: string; field: (found: string, name: string) => string }>> = {
  data: { list: 'their data', field: () => '.[0].' },
  envelope: { list: 'the events', field: readEnvelope },
  raw: { list: 'their data as text', field: () => '.[0] | fromjson | .' },
};

/** Attributes of an event stand in it, everything else in its data. */
function readEnvelope(found: string, name: string): string {
  return found.includes('.data.') || !(ATTRIBUTES.has(name) || name === 'data') ? '.[0].data.' : '.[0].';
}

const ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'source',
  'type',
  'time',
  'subject',
  'datacontenttype',
  'dataschema',
  'specversion',
]);

/** The first step, and the first steps inside it, as long as each gets the input of the run. */
function firstSteps(step: WalkedStep | undefined): WalkedStep[] {
  if (step === undefined) return [];
  const inner = step.task.input?.from === undefined && (step.kind === 'do' || step.kind === 'try');
  const body = inner ? step.bodies.find(({ role }) => role !== 'handler') : undefined;
  return [step, ...firstSteps(body?.scope.steps[0])];
}

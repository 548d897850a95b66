// `document.metadata` is the author's, but for `examples` and `expose`.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { isShapeName, SHAPES } from '../../../../../shared/shapes/index.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { CALL_FAILURES } from '../../../checked.ts';
import { examplesOf, type WorkflowDocument } from '../dsl.ts';
import { calledDefinition } from '../called-definitions.ts';
import type { FitSchema } from '../check-context.ts';
import { code } from '../schema/sentences.ts';

const EXAMPLES = '/document/metadata/examples';
const MEMBERS = ['name', 'input', 'events', 'calls', 'failures', 'output'];

export function checkMetadata({ document: { metadata } }: WorkflowDocument, findings: Findings): void {
  const expose = metadata?.['expose'];
  if (expose !== undefined && typeof expose !== 'boolean') {
    findings.error('/document/metadata/expose', '`expose` must be true or false.');
  }
  const examples = metadata?.['examples'];
  if (examples === undefined) return;
  if (!Array.isArray(examples)) {
    findings.error(EXAMPLES, '`examples` must be a list of { name, input, events, calls, failures, output }.');
    return;
  }
  for (const [place, example] of examples.entries()) checkExample(example, `${EXAMPLES}/${place}`, findings);
}

function checkExample(example: Json, pointer: string, findings: Findings): void {
  if (!isJsonObject(example)) return findings.error(pointer, 'An example must be an object: { name, input, output }.');
  for (const key of Object.keys(example)) {
    if (MEMBERS.includes(key)) continue;
    const detail = (): string => {
      const near = nearestName(key, MEMBERS);
      const instead =
        near === undefined ? `write one of ${MEMBERS.map(code).join(', ')}.` : `did you mean ${code(near)}?`;
      return `Unknown field ${code(key)}; ${instead}`;
    };
    findings.error(`${pointer}/${escapeToken(key)}`, detail, 'key');
  }
  const { name, events } = example;
  if (typeof name !== 'string') findings.error(pointer, 'An example needs a `name`, which is a string.');
  if (!('input' in example))
    findings.error(pointer, 'An example needs an `input`; write {} where the workflow needs none.');
  if (events !== undefined && !(Array.isArray(events) && events.every(isEvent))) {
    findings.error(`${pointer}/events`, '`events` must be a list of events, each an object with a `type`.');
  }
  checkCalls(example, 'calls', 'results', pointer, findings);
  checkCalls(example, 'failures', 'endings', pointer, findings);
  const failures = isJsonObject(example['failures']) ? Object.entries(example['failures']) : [];
  for (const [key, failure] of failures) {
    if (CALL_FAILURES.some((one) => one === failure)) continue;
    findings.error(
      `${pointer}/failures/${escapeToken(key)}`,
      `A call fails as one of ${CALL_FAILURES.map(code).join(', ')}.`,
    );
  }
}

/** Checks a member that has something for each of several calls. */
function checkCalls(
  example: JsonObject,
  member: 'calls' | 'failures',
  what: string,
  pointer: string,
  findings: Findings,
): void {
  const calls = example[member];
  if (calls === undefined) return;
  if (!isJsonObject(calls)) {
    const detail = `\`${member}\` must be an object of ${what} by TYPE/NAME, SERVER/TOOL or the pointer of a step.`;
    return findings.error(`${pointer}/${member}`, detail);
  }
  for (const key of Object.keys(calls)) {
    if (key.startsWith('/') || calledDefinition(key) !== undefined || /^[^/]+\/.+$/.test(key)) continue;
    const detail = `${code(key)} is not a call; write TYPE/NAME, SERVER/TOOL, or the pointer of a step such as /do/0/step.`;
    findings.error(`${pointer}/${member}/${escapeToken(key)}`, detail, 'key');
  }
}

function isEvent(event: Json): boolean {
  return isJsonObject(event) && typeof event['type'] === 'string';
}

/** Whether the examples fit the schemas. The others of the document were taken. */
export async function checkExampleValues(
  document: WorkflowDocument,
  fitSchema: FitSchema,
  findings: Findings,
): Promise<void> {
  const { shape } = document.output ?? {};
  const input = document.input?.schema?.document;
  const output = shape !== undefined && isShapeName(shape) ? SHAPES[shape] : document.output?.schema?.document;
  for (const [place, example] of examplesOf(document).entries()) {
    for (const [what, schema, value] of [
      ['input', input, example.input],
      ['output', output, example.output],
    ] as const) {
      if (value === undefined || !isJsonObject(schema)) continue;
      const issue = (await fitSchema(schema, [value]))[0]?.[0];
      if (issue === undefined) continue;
      const detail = `The ${what} of this example does not match the ${what} schema: ${issue.detail}`;
      findings.error(`${EXAMPLES}/${place}/${what}`, detail);
    }
  }
}

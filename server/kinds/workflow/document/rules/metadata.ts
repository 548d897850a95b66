// `document.metadata` is the author's, but for `examples` and `expose`.
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { isShapeName, SHAPES } from '../../../../../shared/shapes/index.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { examplesOf, type WorkflowDocument } from '../dsl.ts';
import { calledDefinition } from '../called-definitions.ts';
import type { FitSchema } from '../check-context.ts';
import { code } from '../schema/sentences.ts';

const EXAMPLES = '/document/metadata/examples';
const MEMBERS = ['name', 'input', 'events', 'calls', 'output'];

export function checkMetadata({ document: { metadata } }: WorkflowDocument, findings: Findings): void {
  const expose = metadata?.['expose'];
  if (expose !== undefined && typeof expose !== 'boolean') {
    findings.error('/document/metadata/expose', '`expose` must be true or false.');
  }
  const examples = metadata?.['examples'];
  if (examples === undefined) return;
  if (!Array.isArray(examples)) {
    findings.error(EXAMPLES, '`examples` must be a list of { name, input, events, calls, output }.');
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
  const { name, events, calls } = example;
  if (typeof name !== 'string') findings.error(pointer, 'An example needs a `name`, which is a string.');
  if (!('input' in example))
    findings.error(pointer, 'An example needs an `input`; write {} where the workflow needs none.');
  if (events !== undefined && !(Array.isArray(events) && events.every(isEvent))) {
    findings.error(`${pointer}/events`, '`events` must be a list of events, each an object with a `type`.');
  }
  if (calls === undefined) return;
  if (!isJsonObject(calls)) {
    return findings.error(
      `${pointer}/calls`,
      '`calls` must be an object of results by TYPE/NAME, SERVER/TOOL or the pointer of a step.',
    );
  }
  for (const key of Object.keys(calls)) {
    if (key.startsWith('/') || calledDefinition(key) !== undefined || /^[^/]+\/.+$/.test(key)) continue;
    const detail = `${code(key)} is not a call; write TYPE/NAME, SERVER/TOOL, or the pointer of a step such as /do/0/step.`;
    findings.error(`${pointer}/calls/${escapeToken(key)}`, detail, 'key');
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

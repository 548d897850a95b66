// The form of the examples of a workflow, and whether they match its schemas.
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

/** The pointer of the examples. */
export const EXAMPLES = '/document/metadata/examples';
const MEMBERS = ['name', 'input', 'events', 'calls', 'failures', 'sequences', 'output'];

/** Checks the form of an example. */
export function checkExample(example: Json, pointer: string, findings: Findings): void {
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
  checkCalls(example, 'sequences', 'lists', pointer, findings);
  for (const [key, failure] of membersOf(example['failures'])) {
    checkFailure(failure, `${pointer}/failures/${escapeToken(key)}`, findings);
  }
  for (const [key, results] of membersOf(example['sequences'])) {
    const at = `${pointer}/sequences/${escapeToken(key)}`;
    checkSequence(results, at, findings);
    const other = (['calls', 'failures'] as const).find((member) =>
      membersOf(example[member]).some(([one]) => one === key),
    );
    if (other === undefined) continue;
    findings.error(at, `${code(key)} is also in \`${other}\`; keep one of the two.`, 'key');
  }
}

function membersOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

function checkFailure(failure: Json, pointer: string, findings: Findings): void {
  if (CALL_FAILURES.some((one) => one === failure)) return;
  findings.error(pointer, `A call fails as one of ${CALL_FAILURES.map(code).join(', ')}.`);
}

/** Checks how the calls of one name end one by one. */
function checkSequence(results: Json, pointer: string, findings: Findings): void {
  const form = 'one entry for each call, { output: RESULT } or { failure: unavailable }';
  if (!Array.isArray(results)) return findings.error(pointer, `A sequence must be a list with ${form}.`);
  for (const [index, result] of results.entries()) {
    const at = `${pointer}/${index}`;
    const [member, ...more] = isJsonObject(result) ? Object.keys(result) : [];
    if (more.length > 0 || (member !== 'output' && member !== 'failure')) {
      findings.error(at, `A sequence has ${form}.`);
    } else if (isJsonObject(result) && member === 'failure')
      checkFailure(result[member] ?? null, `${at}/failure`, findings);
  }
}

/** Checks a member that has something for each of several calls. */
function checkCalls(
  example: JsonObject,
  member: 'calls' | 'failures' | 'sequences',
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
  for (const [index, example] of examplesOf(document).entries()) {
    for (const [what, schema, value] of [
      ['input', input, example.input],
      ['output', output, example.output],
    ] as const) {
      if (value === undefined || !isJsonObject(schema)) continue;
      const issue = (await fitSchema(schema, [value]))[0]?.[0];
      if (issue === undefined) continue;
      const detail = `The ${what} of this example does not match the ${what} schema: ${issue.detail}`;
      findings.error(`${EXAMPLES}/${index}/${what}`, detail);
    }
  }
}

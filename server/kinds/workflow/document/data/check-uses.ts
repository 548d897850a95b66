// Checks how a workflow uses other definitions: the inputs and outputs of calls, and the types of events.
import type { Json } from '../../../../../shared/json.ts';
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { Declarations, DeclaredSchemas } from '../../../checked.ts';
import type { DocumentContext } from '../check-context.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';
import { checkEvents } from './check-events.ts';
import type { Guess } from './known.ts';
import { traceData, type TracedCall } from './trace.ts';

export async function checkUsedDefinitions(
  walked: Walk,
  declarations: Declarations,
  fitsSchema: DocumentContext['fitsSchema'],
  findings: Pick<Findings, 'warn'>,
): Promise<void> {
  const schemas = await schemasOfCalled(walked, declarations);
  const outputs = new Map([...schemas].flatMap(([key, { output }]) => (output === undefined ? [] : [[key, output]])));
  const { calls, missing } = traceData(walked, outputs);
  for (const { pointer, of, field, known } of missing) {
    const [path, name] = [field.split('.').slice(0, -1), field.split('.').at(-1) ?? field];
    const near = nearestName(name, known);
    const instead =
      near === undefined ? `its fields are ${known.map(code).join(', ')}.` : `did you mean ${code(near)}?`;
    const within = path.length === 0 ? of : `${code(path.join('.'))} in ${of}`;
    findings.warn(pointer, `${within.replace(/^t/, 'T')} has no field ${code(name)}; ${instead}`);
  }
  if (fitsSchema !== undefined) {
    for (const call of calls) await checkInput(call, schemas.get(`${call.type}/${call.name}`), fitsSchema, findings);
  }
  await checkEvents(walked, declarations, findings);
}

async function schemasOfCalled({ steps }: Walk, declarations: Declarations): Promise<Map<string, DeclaredSchemas>> {
  const found = new Map<string, DeclaredSchemas>();
  for (const { task, descriptor } of steps) {
    const called = descriptor.reaches?.(task).definition;
    if (called === undefined || found.has(`${called.type}/${called.name}`)) continue;
    const schemas = await declarations.schemasOf(called.type, called.name);
    if (schemas !== undefined) found.set(`${called.type}/${called.name}`, schemas);
  }
  return found;
}

/** Keywords that compare parts of a value: with an unknown part, nothing certain can be said about the others. */
const COMPARING = /"(?:anyOf|oneOf|if|not|dependentSchemas|dependentRequired|\$dynamicRef|contains)":/;

async function checkInput(
  { type, name, input, pointer }: TracedCall,
  schemas: DeclaredSchemas | undefined,
  fitsSchema: NonNullable<DocumentContext['fitsSchema']>,
  findings: Pick<Findings, 'warn'>,
): Promise<void> {
  const unknown: string[] = [];
  const value = partly(input, '', unknown);
  if (schemas?.input === undefined || unknown.includes('')) return;
  if (unknown.length > 0 && COMPARING.test(JSON.stringify(schemas.input))) return;
  const isUnknown = (at: string): boolean => unknown.some((part) => at === part || at.startsWith(`${part}/`));
  const holdsUnknown = (at: string): boolean => unknown.some((part) => part.startsWith(`${at}/`));
  for (const issue of await fitsSchema(schemas.input, value)) {
    // Of a value with unknown parts, only missing fields are certain.
    if (isUnknown(issue.pointer) && !issue.detail.includes('unknown field')) continue;
    if (holdsUnknown(issue.pointer) && !issue.detail.includes('missing the required field')) continue;
    findings.warn(`${pointer}${issue.pointer}`, `${code(`${type}/${name}`)} rejects this input: ${issue.detail}`);
  }
}

/** The value as far as it is known, with null for unknown parts. @param unknown receives their pointers */
function partly(guess: Guess, pointer: string, unknown: string[]): Json {
  const [known, ...more] = guess ?? [];
  if (known?.kind === 'value' && more.length === 0) return known.value;
  if (known?.kind !== 'object' || known.rest !== undefined || more.length > 0) {
    unknown.push(pointer);
    return null;
  }
  const members = [...known.members].map(
    ([name, member]) => [name, partly(member, `${pointer}/${escapeToken(name)}`, unknown)] as const,
  );
  return Object.fromEntries(members);
}

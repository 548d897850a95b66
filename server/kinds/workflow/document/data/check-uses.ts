// Checks how a workflow uses other definitions: the inputs and outputs of calls, and the types of events.
import { nearestName } from '../../../../../shared/nearest-name.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import type { Declarations, DeclaredSchemas } from '../../../checked.ts';
import type { FitSchema } from '../check-context.ts';
import { code } from '../schema/sentences.ts';
import type { Walk } from '../walk.ts';
import { checkEvents } from './check-events.ts';
import { checkInputs } from './check-inputs.ts';
import { checkResults } from './check-results.ts';
import type { MissingField } from './known.ts';
import { traceData } from './trace.ts';

/** Schemas are read of as many definitions; what is known of further ones is not checked. */
const MOST_CALLED = 100;

export async function checkUsedDefinitions(
  walked: Walk,
  declarations: Declarations,
  fitSchema: FitSchema | undefined,
  findings: Pick<Findings, 'warn' | 'warnings'>,
): Promise<void> {
  const declared = await schemasOfCalled(walked, declarations);
  const { calls, missing } = traceData(walked, declared);
  for (const { pointer, ...field } of missing) findings.warn(pointer, () => missingFieldWords(field));
  if (fitSchema !== undefined) {
    await checkInputs(calls, declared, fitSchema, findings);
    await checkResults(walked, declared, fitSchema, findings);
  }
  await checkEvents(walked, declarations, findings);
}

async function schemasOfCalled({ steps }: Walk, declarations: Declarations): Promise<Map<string, DeclaredSchemas>> {
  const found = new Map<string, DeclaredSchemas>();
  const called = new Map(
    steps.flatMap(({ task, descriptor }) => {
      const { definition } = descriptor.reaches?.(task) ?? {};
      return definition === undefined ? [] : [[`${definition.type}/${definition.name}`, definition] as const];
    }),
  );
  for (const [reference, { type, name }] of [...called].slice(0, MOST_CALLED)) {
    const schemas = await declarations.schemasOf(type, name);
    if (schemas !== undefined) found.set(reference, schemas);
  }
  return found;
}

const MOST_LISTED = 10;

function missingFieldWords({ of, field, known, isOpen = false }: MissingField): string {
  const [path, name] = [field.split('.').slice(0, -1), field.split('.').at(-1) ?? field];
  const near = nearestName(name, known);
  const listed = known.slice(0, MOST_LISTED).map(code).join(', ');
  const more = known.length > MOST_LISTED ? ` and ${known.length - MOST_LISTED} others` : '';
  const instead = near === undefined ? `its fields are ${listed}${more}.` : `did you mean ${code(near)}?`;
  const within = path.length === 0 ? of : `${code(path.join('.'))} in ${of}`;
  const lacks = isOpen ? 'declares no field' : 'has no field';
  return `${within.replace(/^t/, 'T')} ${lacks} ${code(name)}; ${instead}`;
}

// The schemas that an author gives, and the shape of the output.
import { nearestName } from '../../../../../shared/nearest-name.ts';
import { isShapeName, SHAPES } from '../../../../../shared/shapes/index.ts';
import type { SchemaRule } from '../dsl.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { code } from '../schema/sentences.ts';
import type { DocumentContext } from '../check-context.ts';
import type { Walk } from '../walk.ts';

const FORMATS = ['json', 'json:2020-12'];

export async function checkSchemas(
  { document, steps }: Walk,
  { checkSchema }: Pick<DocumentContext, 'checkSchema'>,
  findings: Findings,
): Promise<void> {
  const check = (schema: SchemaRule | undefined, pointer: string): Promise<void> =>
    checkOne(schema, pointer, checkSchema, findings);
  await check(document.input?.schema, '/input/schema');
  await check(document.output?.schema, '/output/schema');
  for (const { task, descriptor, pointer } of steps) {
    await check(task.input?.schema, `${pointer}/input/schema`);
    await check(task.output?.schema, `${pointer}/output/schema`);
    await check(task.export?.schema, `${pointer}/export/schema`);
    for (const own of descriptor.schemas?.({ task, pointer }) ?? []) await check(own.schema, own.pointer);
  }
  checkShape(document.output, findings);
}

async function checkOne(
  schema: SchemaRule | undefined,
  pointer: string,
  checkSchema: DocumentContext['checkSchema'],
  findings: Findings,
): Promise<void> {
  if (schema === undefined) return;
  if (schema.format !== undefined && !FORMATS.includes(schema.format)) {
    findings.error(`${pointer}/format`, 'Schemas are JSON Schema 2020-12; write `json`, or leave `format` out.');
    return;
  }
  const { issues, warnings } = await checkSchema(schema.document ?? null, `${pointer}/document`);
  for (const { pointer: at, detail } of issues) findings.error(at, detail);
  for (const { pointer: at, detail } of warnings) findings.warn(at, detail);
}

function checkShape(output: Walk['document']['output'], findings: Findings): void {
  if (output?.shape === undefined) return;
  if (output.schema !== undefined) {
    const detail = '`shape` replaces the schema of the output; keep either `shape` or `schema`.';
    findings.error('/output/shape', detail, 'key');
  }
  if (isShapeName(output.shape)) return;
  const names = Object.keys(SHAPES);
  const near = nearestName(output.shape, names);
  const instead = near === undefined ? `write one of ${names.join(', ')}.` : `did you mean ${code(near)}?`;
  findings.error('/output/shape', `Unknown output shape ${code(output.shape)}; ${instead}`);
}

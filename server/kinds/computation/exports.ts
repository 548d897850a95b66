// What a program's exports say of it.
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isShapeName, SHAPES, type ShapeName } from '../../../shared/shapes/index.ts';
import type { CheckDone, Position, ProgramIssue } from '../../kernel/programs/index.ts';
import { checkSchemaDocument, type SchemaChecker } from '../../kernel/schemas/index.ts';
import type { Example } from '../kind.ts';

export interface ProgramExports {
  description?: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  shape?: ShapeName;
  examples: Example[];
  expose: boolean;
}

export interface ReadExports {
  exports: ProgramExports;
  issues: ProgramIssue[];
  warnings: ProgramIssue[];
}

const MOST_DESCRIPTION = 2000;

/** Reads the exports; each issue stands where its export stands. */
export async function readExports({ values, places }: CheckDone, schemas: SchemaChecker): Promise<ReadExports> {
  const read: ReadExports = { exports: { examples: [], expose: false }, issues: [], warnings: [] };
  const { exports } = read;
  const at = (name: string): Position => places[name] ?? { line: 1, column: 1 };
  const refuse = (name: string, detail: string): void => void read.issues.push({ ...at(name), detail });
  const value = (name: string): Json | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (text !== 'function') return JSON.parse(text) as Json;
    refuse(name, `\`${name}\` is a function; export plain JSON.`);
    return undefined;
  };

  if (values['default'] !== 'function') {
    refuse('default', 'A program needs `export default function (input) { ... }`, which returns the output.');
  }
  const description = value('description');
  if (typeof description === 'string' && description.length <= MOST_DESCRIPTION) exports.description = description;
  else if (description !== undefined)
    refuse('description', `\`description\` must be a text of at most ${MOST_DESCRIPTION} characters.`);
  const expose = value('expose');
  if (typeof expose === 'boolean') exports.expose = expose;
  else if (expose !== undefined) refuse('expose', '`expose` must be true or false.');

  const schemaOf = (name: string): JsonObject | undefined => {
    const schema = value(name);
    if (schema === undefined) return undefined;
    const checked = checkSchemaDocument(schema, '');
    for (const issue of checked.issues) read.issues.push({ ...at(name), detail: inExport(name, issue) });
    for (const warning of checked.warnings) read.warnings.push({ ...at(name), detail: inExport(name, warning) });
    return checked.issues.length === 0 && isJsonObject(schema) ? schema : undefined;
  };
  const inputSchema = schemaOf('input');
  if (inputSchema !== undefined) exports.inputSchema = inputSchema;
  const output =
    values['output'] === undefined || values['output'] === 'function'
      ? undefined
      : (JSON.parse(values['output']) as Json);
  if (isJsonObject(output) && 'shape' in output) {
    const { shape, ...rest } = output;
    if (typeof shape === 'string' && isShapeName(shape) && Object.keys(rest).length === 0) {
      exports.shape = shape;
      exports.outputSchema = SHAPES[shape];
    } else
      refuse(
        'output',
        `\`output\` with a shape is { shape: NAME } alone, with one of ${Object.keys(SHAPES).join(', ')}.`,
      );
  } else {
    const outputSchema = schemaOf('output');
    if (outputSchema !== undefined) exports.outputSchema = outputSchema;
  }
  await readExamples(value('examples'), read, refuse, schemas);
  return read;
}

async function readExamples(
  examples: Json | undefined,
  { exports, issues }: ReadExports,
  refuse: (name: string, detail: string) => void,
  schemas: SchemaChecker,
): Promise<void> {
  if (examples === undefined) return;
  if (!Array.isArray(examples)) return refuse('examples', '`examples` must be a list of { name, input, output? }.');
  for (const [index, example] of examples.entries()) {
    const which = `Example ${index + 1}`;
    if (!isJsonObject(example) || typeof example['name'] !== 'string' || !('input' in example)) {
      refuse('examples', `${which} must be an object with \`name\`, a text, and \`input\`.`);
      continue;
    }
    const unknown = Object.keys(example).find((key) => !['name', 'input', 'output'].includes(key));
    if (unknown !== undefined)
      refuse('examples', `${which} has an unknown field \`${unknown.slice(0, 60)}\`; it takes name, input, output.`);
    const { name, input, output } = example;
    exports.examples.push({ name, input: input ?? null, ...(output === undefined ? {} : { output }) });
  }
  if (issues.length > 0) return;
  for (const { name, input, output } of exports.examples) {
    const fits = async (what: string, value: Json, schema: JsonObject | undefined): Promise<void> => {
      const [issue] = schema === undefined ? [] : await schemas.compileSchema(schema).check(value, '');
      if (issue !== undefined) refuse('examples', `The ${what} of example "${name}" does not fit: ${issue.detail}`);
    };
    await fits('input', input, exports.inputSchema);
    if (output !== undefined) await fits('output', output, exports.outputSchema);
  }
}

function inExport(name: string, { pointer, detail }: Issue): string {
  return pointer === '' ? `\`${name}\`: ${detail}` : `\`${name}\` at ${pointer}: ${detail}`;
}

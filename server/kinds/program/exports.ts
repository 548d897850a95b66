// What a program's exports say of it.
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { SHAPES, type ShapeName } from '../../../shared/shapes/index.ts';
import type { CheckDone, Position, ProgramIssue } from '../../lib/sandbox/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { checkExamples, exposedInputWarning, MOST_DESCRIPTION, readExamples, readShape } from '../document/index.ts';
import type { Example } from '../checked.ts';

/** What the programs of a type export beside what all programs may. */
export interface ProgramRules {
  /** The functions that a program needs, each with what to write where it lacks. */
  functions: Readonly<Record<string, string>>;
  /** The plain values that a program needs, each with what to write where it lacks. */
  values: Readonly<Record<string, string>>;
  /** Whether its examples have events. */
  hasEvents: boolean;
}

export interface ProgramExports {
  description?: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  shape?: ShapeName;
  examples: Example[];
  expose: boolean;
  /** The values that its type asks for. */
  own: Record<string, Json>;
}

export interface ReadExports {
  exports: ProgramExports;
  issues: ProgramIssue[];
  warnings: ProgramIssue[];
}

/** A few characters of a program can make a mebibyte; what it says of itself is kept and read with every list. */
const MOST_EXPORTED_BYTES = LIMITS.sourceBytes;

/** Reads the exports; each issue stands where its export stands. */
export async function readExports(
  { values, places: positions }: CheckDone,
  rules: ProgramRules,
  schemas: SchemaChecker,
): Promise<ReadExports> {
  const read: ReadExports = { exports: { examples: [], expose: false, own: {} }, issues: [], warnings: [] };
  const { exports } = read;
  const at = (name: string): Position => positions[name] ?? { line: 1, column: 1 };
  const refuse = (name: string, detail: string): void => void read.issues.push({ ...at(name), detail });
  const value = (name: string): Json | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (text !== 'function') return JSON.parse(text) as Json;
    refuse(name, `\`${name}\` is a function; export plain JSON.`);
    return undefined;
  };

  const excess = tooLarge(values, ['input', 'output', 'examples', ...Object.keys(rules.values)]);
  if (excess !== undefined) {
    refuse(excess.name, excess.detail);
    return read;
  }
  for (const [name, words] of Object.entries(rules.functions)) if (values[name] !== 'function') refuse(name, words);
  for (const [name, words] of Object.entries(rules.values)) {
    const own = value(name);
    if (own !== undefined) exports.own[name] = own;
    else if (values[name] === undefined) refuse(name, words);
  }
  const description = value('description');
  if (typeof description === 'string' && description.length <= MOST_DESCRIPTION) exports.description = description;
  else if (description !== undefined)
    refuse('description', `\`description\` must be a string of at most ${MOST_DESCRIPTION} characters.`);
  const expose = value('expose');
  if (typeof expose === 'boolean') exports.expose = expose;
  else if (expose !== undefined) refuse('expose', '`expose` must be true or false.');

  const schemaOf = async (name: string): Promise<JsonObject | undefined> => {
    const schema = value(name);
    if (schema === undefined) return undefined;
    const checked = await schemas.checkDocument(schema, '');
    for (const issue of checked.issues) read.issues.push({ ...at(name), detail: inExport(name, issue) });
    for (const warning of checked.warnings) read.warnings.push({ ...at(name), detail: inExport(name, warning) });
    return checked.issues.length === 0 && isJsonObject(schema) ? schema : undefined;
  };
  const inputSchema = await schemaOf('input');
  if (inputSchema !== undefined) exports.inputSchema = inputSchema;
  const exposed = exposedInputWarning(exports.expose, inputSchema);
  if (exposed !== undefined) read.warnings.push({ ...at('input'), detail: exposed });
  const output =
    values['output'] === undefined || values['output'] === 'function'
      ? undefined
      : (JSON.parse(values['output']) as Json);
  const named = readShape(output);
  if (named === undefined) {
    const outputSchema = await schemaOf('output');
    if (outputSchema !== undefined) exports.outputSchema = outputSchema;
  } else if ('shape' in named) {
    exports.shape = named.shape;
    exports.outputSchema = SHAPES[named.shape];
  } else refuse('output', named.wrong);
  const report = (_pointer: string, detail: string): void => refuse('examples', detail);
  exports.examples = readExamples(value('examples'), rules.hasEvents, report);
  if (read.issues.length === 0) {
    await checkExamples(
      exports.examples,
      { input: exports.inputSchema, output: exports.outputSchema },
      schemas,
      report,
    );
  }
  return read;
}

/** What the exported values take as JSON beyond what they may; undefined where it is nothing. */
function tooLarge(values: CheckDone['values'], names: readonly string[]): { name: string; detail: string } | undefined {
  const sizes = names.map((name) => ({ name, bytes: Buffer.byteLength(values[name] ?? '') }));
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  if (largest === undefined || bytes <= MOST_EXPORTED_BYTES) return undefined;
  const listed = `${names
    .slice(0, -1)
    .map((name) => `\`${name}\``)
    .join(', ')} and \`${names.at(-1)}\``;
  const detail = `${listed} have ${bytes} bytes as JSON together; the maximum is ${MOST_EXPORTED_BYTES}; make \`${largest.name}\` smaller.`;
  return { name: largest.name, detail };
}

function inExport(name: string, { pointer, detail }: Issue): string {
  return pointer === '' ? `\`${name}\`: ${detail}` : `\`${name}\` at ${pointer}: ${detail}`;
}

// Checks the document of a reasoning function that is to be saved.
import type { SourceIssue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { SHAPES, type ShapeName } from '../../../shared/shapes/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Templates } from '../../lib/templates/index.ts';
import { createFindings, type Findings, type Sources } from '../../lib/yaml/index.ts';
import { checkExamples, exposedInputWarning, overviewOf, readExamples, readShape } from '../document/index.ts';
import type { Checked, CheckContext } from '../checked.ts';
import type { RunModels } from '../models.ts';
import { type PlaybookTools, splitTool } from '../tools.ts';
import { type FrontMatter, readDocument } from './document.ts';
import { checkFields } from './fields.ts';
import { doesWords } from './overview.ts';
import { TEXT_SCHEMA } from './output.ts';

export interface CheckOptions {
  sources: Pick<Sources, 'read'>;
  schemas: SchemaChecker;
  templates: Templates;
  models: Pick<RunModels, 'warningsFor'>;
  tools: PlaybookTools;
}

export async function checkReasoning(
  source: string,
  context: CheckContext,
  { sources, models, tools, schemas, templates }: CheckOptions,
): Promise<Checked> {
  const read = await readDocument(source, sources, context);
  if (!read.ok) return read;
  const { value, positions, parts } = read;
  const findings = createFindings(positions, read.warnings);
  checkFields(value, findings);
  const inputSchema = await schemaAt('input', value, schemas, findings);
  const { shape, schema: outputSchema } = await outputOf(value, schemas, findings);
  const report: Findings['error'] = (pointer, detail, at) => findings.error(`/examples${pointer}`, detail, at);
  const examples = readExamples(value['examples'], false, report);
  if (findings.issues.length === 0) {
    await checkExamples(examples, { input: inputSchema, output: outputSchema }, schemas, report);
  }
  const texts = await checkTexts(value, parts, { inputSchema, templates, findings, playbookKey: context });
  const issues = [...findings.issues, ...texts.issues];
  if (issues.length > 0) return { ok: false, issues };

  const document = value as unknown as FrontMatter;
  for (const { pointer, detail } of models.warningsFor(document)) findings.warn(pointer, detail);
  for (const [index, tool] of (document.tools ?? []).entries()) {
    const named = splitTool(tool);
    const reason = tools.whyUnavailable(context, named.server, named.tool);
    // Servers come and go: a tool that is unavailable now gets a warning, and is refused when the function runs.
    if (reason !== undefined) findings.warn(`/tools/${index}`, `${reason} Runs are rejected until that changes.`);
  }
  const { description, expose = false } = document;
  const exposed = exposedInputWarning(expose, inputSchema);
  if (exposed !== undefined) findings.warn('/input', exposed);
  return {
    ok: true,
    document: {
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(shape === undefined ? {} : { shape }),
      examples,
      expose,
      overview: overviewOf(
        { description, inputSchema, outputSchema, shape, examples, expose },
        doesWords({ ...document, prompt: parts.body.trim() }),
      ),
      references: [],
      warnings: [...findings.warnings, ...texts.warnings],
    },
  };
}

async function outputOf(
  document: JsonObject,
  schemas: SchemaChecker,
  findings: Findings,
): Promise<{ shape?: ShapeName; schema: JsonObject | undefined }> {
  if (document['output'] === undefined) return { schema: TEXT_SCHEMA };
  const named = readShape(document['output']);
  if (named === undefined) return { schema: await schemaAt('output', document, schemas, findings) };
  if ('shape' in named) return { shape: named.shape, schema: SHAPES[named.shape] };
  findings.error('/output', named.wrong);
  return { schema: undefined };
}

async function schemaAt(
  name: 'input' | 'output',
  document: JsonObject,
  schemas: SchemaChecker,
  findings: Findings,
): Promise<JsonObject | undefined> {
  if (!Object.hasOwn(document, name)) return undefined;
  const { issues, warnings } = await schemas.checkDocument(document[name] ?? null, `/${name}`);
  for (const { pointer, detail } of issues) findings.error(pointer, detail);
  for (const { pointer, detail } of warnings) findings.warn(pointer, detail);
  return issues.length === 0 ? (document[name] as JsonObject) : undefined;
}

interface TextCheckOptions {
  inputSchema: JsonObject | undefined;
  templates: Templates;
  findings: Findings;
  /** The playbook whose turn it takes. */
  playbookKey: PlaybookKey;
}

/** Checks prompt and instructions as templates of the input. */
async function checkTexts(
  { instructions }: JsonObject,
  { body, bodyLine }: { body: string; bodyLine: number },
  { inputSchema, templates, findings, playbookKey }: TextCheckOptions,
): Promise<{ issues: SourceIssue[]; warnings: SourceIssue[] }> {
  if (typeof instructions === 'string') {
    const found = await templates.checkTemplate(instructions, { input: inputSchema }, playbookKey);
    const inText = (line: number, detail: string): string => `Line ${line} of the text: ${detail}`;
    for (const { line, detail } of found.issues) findings.error('/instructions', inText(line, detail));
    for (const { line, detail } of found.warnings) findings.warn('/instructions', inText(line, detail));
  }
  const placed = ({ line, column, detail }: { line: number; column: number; detail: string }): SourceIssue => ({
    pointer: '/source',
    line: line + bodyLine - 1,
    column,
    detail,
  });
  if (body.trim() === '') {
    const detail = 'The prompt is missing; write it after the second `---` line.';
    return { issues: [placed({ line: 1, column: 1, detail })], warnings: [] };
  }
  const found = await templates.checkTemplate(body, { input: inputSchema }, playbookKey);
  return { issues: found.issues.map(placed), warnings: found.warnings.map(placed) };
}

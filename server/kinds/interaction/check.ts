// Checks the document of an interaction that is to be saved. Each step runs only if the previous one passed.
import type { SourceIssue } from '../../../shared/issues.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { SHAPES } from '../../../shared/shapes/index.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { type Expressions, wholeExpression } from '../../lib/jq/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Templates } from '../../lib/templates/index.ts';
import { createFindings, type Findings, type Sources } from '../../lib/yaml/index.ts';
import {
  checkDuration,
  checkExamples,
  EXPIRES,
  exposedInputWarning,
  formIssuesOf,
  MINUTE,
  overviewOf,
  readShape,
} from '../document/index.ts';
import type { Checked } from '../checked.ts';
import { type PlaybookTools, splitTool } from '../tools.ts';
import { doesWords, givesWords } from './overview.ts';
import { type AskSection, checkForm, type InteractionDocument, type ToolCall } from './schema.ts';
import { type DocumentText, type VariableName, textsOf } from './texts.ts';

export interface CheckOptions {
  sources: Pick<Sources, 'read'>;
  tools: PlaybookTools;
  expressions: Expressions;
  templates: Templates;
  schemas: SchemaChecker;
}

const EVERY = { least: 5000, most: 60 * MINUTE, words: 'PT5S to PT1H, for example PT30S' };
const FORMS = ['ask', 'tell', 'call'] as const;
const NO_DOCUMENT = 'An interaction is an object with one of `ask`, `tell` and `call`, and a `description`.';

export async function checkInteraction(
  source: string,
  playbookKey: PlaybookKey,
  options: CheckOptions,
): Promise<Checked> {
  const read = await options.sources.read({ source, otherwise: NO_DOCUMENT }, { playbookKey: playbookKey });
  if (!read.ok) return read;
  const findings = createFindings(read.positions, read.warnings);
  for (const { pointer, detail, at } of formIssuesOf(checkForm(read.value, ''))) findings.error(pointer, detail, at);
  if (findings.issues.length > 0) return refused(findings);
  const document = read.value as unknown as InteractionDocument;
  checkRules(document, findings);
  const output = outputOf(document, findings);
  await checkSchemas(document, output.schemaPointer, options, findings);
  await checkTexts(document, playbookKey, options, findings);
  if (findings.issues.length > 0) return refused(findings);
  const { description, input, call, examples = [], expose = false } = document;
  const { schema: outputSchema, shape } = output;
  await checkExamples(examples, { input, output: outputSchema }, options.schemas, (pointer, detail) =>
    findings.error(`/examples${pointer}`, detail),
  );
  if (findings.issues.length > 0) return refused(findings);
  checkTools(document, playbookKey, options.tools, findings);
  const exposed = exposedInputWarning(expose, input);
  if (exposed !== undefined) findings.warn('/input', exposed);
  return {
    ok: true,
    document: {
      ...(description === undefined ? {} : { description }),
      ...(input === undefined ? {} : { inputSchema: input }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(call?.endings === undefined ? {} : { otherOutputSchema: endingSchema(call.endings) }),
      ...(shape === undefined ? {} : { shape }),
      examples,
      expose,
      overview: overviewOf(
        { description, inputSchema: input, outputSchema, shape, examples, expose },
        doesWords(document),
        { gives: givesWords(document) },
      ),
      references: [],
      warnings: findings.warnings,
    },
  };
}

/** Servers come and go: a tool that is unavailable now gets a warning, and is refused when the function runs. */
function checkTools(
  document: InteractionDocument,
  playbookKey: PlaybookKey,
  tools: PlaybookTools,
  findings: Findings,
): void {
  for (const [pointer, { tool: written }] of toolCallsOf(document)) {
    const { server, tool } = splitTool(written);
    const reason = tools.whyUnavailable(playbookKey, server, tool);
    if (reason !== undefined) findings.warn(`${pointer}/tool`, `${reason} Runs are rejected until that changes.`);
  }
}

function toolCallsOf({ ask, tell, call }: InteractionDocument): [string, ToolCall][] {
  const deliver = ask?.deliver;
  const calls: [string, ToolCall | undefined][] = [
    ['/ask/deliver', deliver],
    ['/ask/deliver/replies', deliver?.replies],
    ['/ask/deliver/telling', deliver?.telling],
    ['/tell/deliver', tell?.deliver],
    ['/call', call],
  ];
  return calls.flatMap(([pointer, one]) => (one === undefined ? [] : [[pointer, one]]));
}

function refused({ issues }: { issues: readonly SourceIssue[] }): Checked {
  return { ok: false, issues };
}

function checkRules(document: InteractionDocument, findings: Findings): void {
  const forms = FORMS.filter((form) => document[form] !== undefined);
  if (forms.length === 0) findings.error('', 'The document needs one of `ask`, `tell` and `call`; write one of them.');
  for (const form of forms.slice(1)) {
    findings.error(
      `/${form}`,
      `An interaction has one of \`ask\`, \`tell\` and \`call\`; keep \`${forms[0]}\` or this.`,
      'key',
    );
  }
  if (document.output !== undefined && document.call === undefined) {
    const detail =
      document.ask === undefined
        ? 'The output of a `tell` is { delivered: true }'
        : 'The output of an `ask` is the answer';
    findings.error('/output', `${detail}; leave \`output\` out.`, 'key');
  }
  if (document.ask !== undefined) checkAsk(document.ask, findings);
}

function checkAsk({ expires, answer, deliver }: AskSection, findings: Findings): void {
  checkDuration('/ask/expires', expires, EXPIRES, findings);
  const bytes = jsonBytes(answer);
  if (bytes > LIMITS.answerSchemaBytes) {
    const detail = `\`answer\` has ${bytes} bytes as JSON, and the maximum is ${LIMITS.answerSchemaBytes}; make it smaller.`;
    findings.error('/ask/answer', detail);
  }
  if (deliver === undefined) return;
  const { replies, conversation, answerer, telling } = deliver;
  const at = '/ask/deliver';
  for (const [pointer, text] of [
    [`${at}/conversation`, conversation],
    [`${at}/replies/messages`, replies?.messages],
  ] as const) {
    if (text === undefined || wholeExpression(text) !== undefined) continue;
    findings.error(pointer, "This is computed from the result of the tool: write a jq expression, '${ ... }'.");
  }
  checkDuration(`${at}/replies/every`, replies?.every, EVERY, findings);
  if (replies !== undefined) {
    if (conversation === undefined) {
      findings.error(`${at}/replies`, '`replies` requires `conversation`, which says where replies are read.', 'key');
    }
    if (answerer === undefined) {
      findings.error(`${at}/replies`, '`replies` requires `answerer`, which says whose replies count.', 'key');
    }
    return;
  }
  for (const [name, value] of Object.entries({ conversation, answerer, telling })) {
    if (value !== undefined) findings.warn(`${at}/${name}`, `\`${name}\` has no effect without \`replies\`.`, 'key');
  }
}

interface Output {
  schema: JsonObject | undefined;
  shape: string | undefined;
  /** Where the schema stands that the author gives. */
  schemaPointer: string | undefined;
}

function outputOf({ ask, tell, output }: InteractionDocument, findings: Findings): Output {
  if (ask !== undefined) return { schema: ask.answer, shape: undefined, schemaPointer: '/ask/answer' };
  if (tell !== undefined) return { schema: DELIVERED, shape: undefined, schemaPointer: undefined };
  if (!isJsonObject(output)) return { schema: undefined, shape: undefined, schemaPointer: undefined };
  const named = readShape(output);
  if (named === undefined) return { schema: output, shape: undefined, schemaPointer: '/output' };
  if ('shape' in named) return { schema: SHAPES[named.shape], shape: named.shape, schemaPointer: undefined };
  findings.error('/output', named.wrong);
  return { schema: undefined, shape: undefined, schemaPointer: undefined };
}

const DELIVERED: JsonObject = {
  type: 'object',
  required: ['delivered'],
  properties: { delivered: { const: true } },
  additionalProperties: false,
};

/** What a run returns for an outcome that the document lists. */
function endingSchema(endings: readonly string[]): JsonObject {
  return {
    type: 'object',
    required: ['ending', 'text'],
    properties: { ending: { enum: [...endings] }, text: { type: 'string' } },
    additionalProperties: false,
  };
}

async function checkSchemas(
  { input, ask, output }: InteractionDocument,
  outputPointer: string | undefined,
  { schemas }: CheckOptions,
  findings: Findings,
): Promise<void> {
  for (const [pointer, schema] of [
    ['/input', input],
    [outputPointer, ask?.answer ?? output],
  ] as const) {
    if (schema === undefined || pointer === undefined) continue;
    const { issues, warnings } = await schemas.checkDocument(schema, pointer);
    for (const { pointer: at, detail } of issues) findings.error(at, detail);
    for (const { pointer: at, detail } of warnings) findings.warn(at, detail);
  }
}

const MESSAGE: JsonObject = { type: 'string' };
const REQUEST: JsonObject = {
  type: 'object',
  required: ['run_id', 'to', 'expires_at', 'url'],
  properties: { run_id: MESSAGE, to: MESSAGE, expires_at: MESSAGE, url: MESSAGE },
  additionalProperties: false,
};
const SCHEMAS: Readonly<Record<VariableName, JsonObject | undefined>> = {
  message: MESSAGE,
  request: REQUEST,
  conversation: undefined,
  telling: MESSAGE,
};

async function checkTexts(
  document: InteractionDocument,
  playbookKey: PlaybookKey,
  options: CheckOptions,
  findings: Findings,
): Promise<void> {
  for (const text of textsOf(document)) {
    if (text.form === 'template') await checkTemplate(document, text, { ...options, playbookKey }, findings);
    else {
      const expression = wholeExpression(text.text) ?? '';
      const wrong = await options.expressions.check(expression, text.names, playbookKey);
      if (wrong !== undefined) findings.error(text.pointer, wrong);
    }
  }
}

async function checkTemplate(
  { input }: InteractionDocument,
  { pointer, text, names }: DocumentText,
  { templates, playbookKey }: CheckOptions & { playbookKey: PlaybookKey },
  findings: Findings,
): Promise<void> {
  const variables = { input, ...Object.fromEntries(names.map((name) => [name, SCHEMAS[name]])) };
  const { issues, warnings } = await templates.checkTemplate(text, variables, playbookKey);
  const placed = (line: number, detail: string): string =>
    text.includes('\n') ? `Line ${line} of the text: ${detail}` : detail;
  for (const { line, detail } of issues) findings.error(pointer, placed(line, detail));
  for (const { line, detail } of warnings) findings.warn(pointer, placed(line, detail));
}

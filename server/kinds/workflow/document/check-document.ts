// Checks a workflow document that is to be saved. Each step runs only if the previous one passed.
import type { SourceIssue } from '../../../../shared/issues.ts';
import { isJsonObject, type JsonObject } from '../../../../shared/json.ts';
import { isShapeName, SHAPES } from '../../../../shared/shapes/index.ts';
import { textJob } from '../../../lib/text-work/index.ts';
import {
  createFindings,
  type Findings,
  type Places,
  READ_DEADLINE_MS,
  type SourceReader,
} from '../../../lib/yaml/index.ts';
import type { Declarations, DocumentEvents, Example, Reference, Trigger } from '../../checked.ts';
import { overviewOf } from '../../document/index.ts';
import { eventsOf } from './data/check-events.ts';
import { checkUsedDefinitions } from './data/check-uses.ts';
import { examplesOf, type WorkflowDocument } from './dsl.ts';
import { checkExpressions } from './expressions/check-expressions.ts';
import { graphOf, type WorkflowGraph } from './graph.ts';
import { doesWords, unnamedWords } from './overview.ts';
import type { readWorkflow } from './read-workflow.job.ts';
import { checkBackoffs } from './rules/backoffs.ts';
import { checkCalls } from './rules/calls.ts';
import { checkDurations } from './rules/durations.ts';
import { warnOfErrorConditions } from './rules/error-conditions.ts';
import { checkEventFilters } from './rules/event-filters.ts';
import { warnOfEventInput } from './rules/event-input.ts';
import { checkFlow } from './rules/flow.ts';
import { warnOfExampleCalls } from './rules/example-calls.ts';
import { checkExampleValues } from './rules/examples.ts';
import { warnOfLostEvents } from './rules/lost-events.ts';
import { checkMetadata, warnOfExposedInput } from './rules/metadata.ts';
import { checkNames } from './rules/names.ts';
import { checkOpenMembers } from './rules/open-members.ts';
import { checkSchedule, checkScheduledInput } from './rules/schedule.ts';
import { checkSchemas } from './rules/schemas.ts';
import { checkSecrets } from './rules/secrets.ts';
import { checkFunctionNames, checkUses } from './rules/uses.ts';
import type { DocumentContext } from './check-context.ts';
import { triggersOf } from './triggers.ts';
import { type Walk, walk } from './walk.ts';

export interface CheckedWorkflow {
  ok: true;
  document: WorkflowDocument;
  description?: string;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  shape?: string;
  examples: readonly Example[];
  expose: boolean;
  overview: string;
  references: readonly Reference[];
  /** Tools that the document names, SERVER/TOOL. */
  tools: readonly string[];
  triggers: readonly Trigger[];
  graph: WorkflowGraph;
  events: DocumentEvents;
  warnings: readonly SourceIssue[];
  checkUses: (declarations: Declarations) => Promise<readonly SourceIssue[]>;
}

export type WorkflowCheck = CheckedWorkflow | { ok: false; issues: readonly SourceIssue[] };

const NO_WORKFLOW =
  'A workflow is an object with `document`, which names it, and `do`, its steps; see the Serverless Workflow DSL.';

const READ_WORKFLOW: SourceReader = textJob<typeof readWorkflow>({
  module: new URL('./read-workflow.job.ts', import.meta.url),
  name: 'readWorkflow',
  deadlineMs: READ_DEADLINE_MS,
});

/** Checks a source of at most 65,536 bytes; at most 20 issues and 20 warnings are returned, in the order of the lines. */
export async function checkWorkflowDocument(source: string, context: DocumentContext): Promise<WorkflowCheck> {
  const read = await context.sources.read(
    { source, otherwise: NO_WORKFLOW },
    {
      reader: READ_WORKFLOW,
      ...(context.playbookKey === undefined ? {} : { playbookKey: context.playbookKey }),
    },
  );
  if (!read.ok) return read;
  const findings = createFindings(read.positions, read.warnings);
  const document = read.value as unknown as WorkflowDocument;
  const walked = walk(document);
  await checkRules(walked, context, findings);
  if (findings.issues.length > 0) return { ok: false, issues: findings.issues };
  return {
    ...checkedOf(walked, read.positions, findings.warnings),
    async checkUses(declarations) {
      const found = createFindings(read.positions);
      await checkUsedDefinitions(walked, declarations, context.fitSchema, found);
      return found.warnings;
    },
  };
}

async function checkRules(walked: Walk, context: DocumentContext, findings: Findings): Promise<void> {
  const { document } = walked;
  checkNames(walked, findings);
  checkUses(walked, findings);
  checkFunctionNames(walked, findings);
  checkDurations(walked, findings);
  checkBackoffs(walked, findings);
  checkSchedule(document, findings);
  await checkSchemas(walked, context, findings);
  checkMetadata(document, findings);
  checkCalls(walked, context, findings);
  checkSecrets(walked, context, findings);
  checkOpenMembers(walked, findings);
  checkEventFilters(walked, findings);
  await checkExpressions(walked, context, findings);
  // What follows takes the names and the schemas to be in order.
  if (findings.issues.length > 0) return;
  checkFlow(walked, findings);
  warnOfLostEvents(walked, findings);
  warnOfEventInput(walked, findings);
  warnOfErrorConditions(walked, findings);
  warnOfExposedInput(document, findings);
  warnOfExampleCalls(walked, findings);
  await checkScheduledInput(document, context.fitSchema, findings);
  if (context.fitSchema !== undefined) await checkExampleValues(document, context.fitSchema, findings);
}

function checkedOf(
  walked: Walk,
  positions: Places,
  warnings: readonly SourceIssue[],
): Omit<CheckedWorkflow, 'checkUses'> {
  const { document } = walked;
  const { summary, metadata } = document.document;
  const { shape } = document.output ?? {};
  const input = document.input?.schema?.document;
  const output = shape !== undefined && isShapeName(shape) ? SHAPES[shape] : document.output?.schema?.document;
  const parts = {
    ...(summary === undefined ? {} : { description: summary }),
    ...(isJsonObject(input) ? { inputSchema: input } : {}),
    ...(isJsonObject(output) ? { outputSchema: output } : {}),
    ...(shape === undefined ? {} : { shape }),
    examples: examplesOf(document),
    expose: metadata?.['expose'] === true,
    tools: toolsOf(walked),
    triggers: triggersOf(document.schedule),
  };
  return {
    ok: true,
    document,
    ...parts,
    overview: overviewOf(parts, doesWords(walked, parts), unnamedWords(parts.triggers, document.schedule?.read)),
    references: referencesOf(walked),
    graph: graphOf(walked, positions),
    events: eventsOf(walked),
    warnings,
  };
}

/** The definitions that a document calls, each once, in its order. */
function referencesOf({ steps }: Walk): Reference[] {
  const found = new Map<string, Reference>();
  for (const { task, descriptor } of steps) {
    const called = descriptor.reaches?.(task).definition;
    if (called !== undefined) found.set(`${called.type}/${called.name}`, { ...called, use: 'calls' });
  }
  return [...found.values()];
}

/** The tools that a document calls by their names, SERVER/TOOL, each once. */
function toolsOf({ steps }: Walk): string[] {
  const tools = steps.map(({ task, descriptor }) => descriptor.reaches?.(task).tool);
  return [...new Set(tools.filter((tool) => tool !== undefined))];
}

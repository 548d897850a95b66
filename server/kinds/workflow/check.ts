// Checks the document of a workflow that is to be saved.
import type { SourceIssue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Expressions } from '../../lib/jq/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { Checked, CheckContext } from '../checked.ts';
import type { WorkflowTools } from '../tools.ts';
import { checkWorkflowDocument } from './document/index.ts';
import type { Grants } from './effects.ts';
import { toolNameParts } from './read-tool-call.ts';

export interface CheckOptions {
  sources: Pick<Sources, 'read'>;
  expressions: Expressions;
  schemas: SchemaChecker;
  grants: Grants;
  tools: WorkflowTools | undefined;
}

export async function checkWorkflow(
  source: string,
  context: CheckContext,
  { sources, expressions, schemas, grants, tools }: CheckOptions,
): Promise<Checked> {
  const checked = await checkWorkflowDocument(source, {
    sources,
    playbook: context.playbook,
    playbookKey: context,
    checkExpression: (expression, variables) => expressions.check(expression, variables, context),
    checkSchema: (schema, pointer) => schemas.checkDocument(schema, pointer),
    secretGiven: (name) => Object.hasOwn(grants.secrets(context), name),
    fitSchema: (schema, values) => schemas.compileSchema(schema, 'The value').checkEach(values, ''),
    definitionExists: (type, name) => context.definitionExists(type, name),
    nearestDefinition: (type, name) => context.nearestDefinition?.(type, name),
    whyToolUnavailable(written) {
      const parts = toolNameParts(written);
      if (tools === undefined || parts === undefined) return 'No tool servers are configured here.';
      return tools.whyUnavailable(context, parts.server, parts.tool);
    },
    mcpServerExists: (at) => tools?.findMcpServer(context, at) !== undefined,
    hostAllowed: grants.hosts(context),
  });
  if (!checked.ok) return { ok: false, issues: checked.issues.map(inSource) };
  const { description, inputSchema, outputSchema, shape, triggers, graph, events, warnings } = checked;
  const { schedule } = checked.document;
  return {
    ok: true,
    document: {
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(shape === undefined ? {} : { shape }),
      examples: checked.examples,
      expose: checked.expose,
      overview: checked.overview,
      references: checked.references,
      ...(triggers.length === 0 ? {} : { triggers }),
      ...(schedule === undefined ? {} : { schedule: schedule as JsonObject }),
      graph,
      events,
      warnings: warnings.map(inSource),
      checkUses: async (declarations) => (await checked.checkUses(declarations)).map(inSource),
    },
  };
}

function inSource(issue: SourceIssue): SourceIssue {
  return issue.pointer.startsWith('/source') ? issue : { ...issue, pointer: `/source${issue.pointer}` };
}

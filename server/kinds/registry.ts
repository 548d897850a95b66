import type { DefinitionType } from '../../shared/definition-types.ts';
import { unavailable } from '../lib/rejection.ts';
import { createSandbox, createTypeChecker } from '../lib/sandbox/index.ts';
import type { SchemaChecker } from '../lib/schemas/index.ts';
import { createComputationKind } from './computation/index.ts';
import { createInteractionKind, type InteractionKindOptions } from './interaction/index.ts';
import type { Kind } from './kind.ts';
import type { RunModels } from './models.ts';
import type { PlaybookTools, WorkflowTools } from './tools.ts';
import { createReasoningKind } from './reasoning/index.ts';
import { createRecallKind, type RecallKind, type Views } from './recall/index.ts';
import { createWorkflowKind, type Grants, type WorkflowKind, type WorkflowKindOptions } from './workflow/index.ts';
import type { Json } from '../../shared/json.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../kernel/contents/index.ts';
import { createExpressions } from '../lib/jq/index.ts';
import type { TextWork } from '../lib/text-work/index.ts';
import { createSources } from '../lib/yaml/index.ts';
import { createTemplates } from '../lib/templates/index.ts';

export interface Kinds {
  byType: Readonly<Record<DefinitionType, Kind>>;
  workflows: WorkflowKind;
  recall: RecallKind;
  /** Digest of a jq expression's value over an event's data; undefined where it cannot be told at once. */
  correlate: (from: string, data: Json) => string | undefined;
  /** Lets workers and child processes go. */
  close(): Promise<void>;
}

export interface KindsOptions {
  /** Cuebook's own, which expressions may ask for. */
  version: string;
  schemas: SchemaChecker;
  textWork: TextWork;
  /** What is wrong with an event that a workflow is about to publish. */
  checkEvent: WorkflowKindOptions['checkEvent'];
  /** What the operator gives to workflows. */
  grants: Grants;
  models: RunModels;
  playbookTools: PlaybookTools;
  /** Absent: there are no tool servers. */
  tools?: WorkflowTools;
  clock: Clock;
  requestUrl: InteractionKindOptions['requestUrl'];
  /** Milliseconds that jq may take for one expression; absent: what expressions allow. */
  expressionDeadlineMs?: number;
  /** The views of recall functions, given late: they are kept with what is made here. Absent where nothing is run. */
  views?: () => Views;
}

export function createKinds(options: KindsOptions): Kinds {
  const { version, schemas, textWork, checkEvent, grants, models, playbookTools, tools, clock, requestUrl, views } =
    options;
  const sandbox = createSandbox();
  const types = createTypeChecker();
  const { expressionDeadlineMs } = options;
  const expressions = createExpressions(expressionDeadlineMs === undefined ? {} : { deadlineMs: expressionDeadlineMs });
  const sources = createSources(textWork);
  const templates = createTemplates(textWork);
  const workflows = createWorkflowKind({
    sources,
    expressions,
    schemas,
    version,
    checkEvent,
    grants,
    tools,
    textWork,
    clock,
  });
  const recall = createRecallKind({ sandbox, types, schemas, views });
  return {
    workflows,
    recall,
    correlate(from, data) {
      const value = expressions.evaluate(from, data, {}, clock.now());
      return !(value instanceof Promise) && value.ok ? sha256(canonicalJson(value.value)) : undefined;
    },
    byType: {
      reasoning: createReasoningKind({ sources, models, tools: playbookTools, schemas, templates, clock }),
      interaction: createInteractionKind({
        sources,
        expressions,
        templates,
        schemas,
        tools: playbookTools,
        requestUrl,
      }),
      prediction: notServed('prediction'),
      recall,
      computation: createComputationKind({ sandbox, types, schemas }),
      workflow: workflows,
    },
    async close() {
      workflows.close();
      await Promise.all([sandbox.close(), types.close(), expressions.close()]);
    },
  };
}

/** A type that this version lists and cannot save. */
function notServed(type: DefinitionType): Kind {
  const refuse = (): never => {
    throw unavailable(
      `This version of Cuebook cannot save or run definitions of type ${type} yet; the other types work.`,
    );
  };
  return { type, check: async () => refuse(), start: async () => refuse() };
}

import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SchemaChecker } from '../lib/schemas/index.ts';
import { type Bursts, createBursts } from './burst/index.ts';
import { createComputationKind } from './computation/index.ts';
import { createInteractionKind, type InteractionKindOptions } from './interaction/index.ts';
import type { Kind } from './kind.ts';
import type { Languages } from './languages.ts';
import type { RunModels } from './models.ts';
import type { PlaybookTools, WorkflowTools } from './tools.ts';
import { createPredictionKind, type Predictor } from './prediction/index.ts';
import { createReasoningKind } from './reasoning/index.ts';
import { createRecallKind, type Views } from './recall/index.ts';
import { createWorkflowKind, type Grants, type WorkflowKind, type WorkflowKindOptions } from './workflow/index.ts';
import type { Json } from '../../shared/json.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/sha256.ts';
import type { TextWork } from '../lib/text-work/index.ts';

export interface Kinds {
  byType: Readonly<Record<DefinitionType, Kind>>;
  workflows: WorkflowKind;
  bursts: Bursts;
  /** Digest of a jq expression's value over an event's data; undefined where it cannot be told at once. */
  correlate: (from: string, data: Json) => string | undefined;
  /** Ends connections. */
  close(): void;
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
  languages: Languages;
  /** Datasets and models of prediction functions. Absent where nothing is run. */
  predictor?: Predictor;
  /** The views of recall functions. Absent where nothing is run. */
  views?: Views;
}

export function createKinds(options: KindsOptions): Kinds {
  const { languages, schemas, playbookTools, clock } = options;
  const { sandbox, types, expressions, sources, templates } = languages;
  const workflows = createWorkflowKind({ ...options, sources, expressions });
  return {
    workflows,
    bursts: createBursts(sandbox, clock),
    correlate(from, data) {
      const value = expressions.evaluate(from, data, {}, clock.now());
      return !(value instanceof Promise) && value.ok ? sha256(canonicalJson(value.value)) : undefined;
    },
    byType: {
      reasoning: createReasoningKind({ ...options, sources, templates, tools: playbookTools }),
      interaction: createInteractionKind({
        sources,
        expressions,
        templates,
        schemas,
        tools: playbookTools,
        requestUrl: options.requestUrl,
      }),
      prediction: createPredictionKind({ sources, schemas, predictor: options.predictor }),
      recall: createRecallKind({ sandbox, types, schemas, views: options.views }),
      computation: createComputationKind({ sandbox, types, schemas }),
      workflow: workflows,
    },
    close: () => workflows.close(),
  };
}

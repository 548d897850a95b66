// What a workflow decides in a worker of the sandbox.
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../shared/json.ts';
import { createAtOnce } from '../../lib/jq/index.ts';
import { type CreateDecide, NeedsMainThread } from '../burst/index.ts';
import { createDeciding } from './deciding.ts';
import type { WorkflowDocument } from './document/dsl.ts';
import { type Plan, planOf } from './engine/index.ts';

/** What the main thread gives of a version. */
export interface GivenWorkflow extends JsonObject {
  /** The document as JSON. */
  document: string;
  /** The product's version. */
  version: string;
  secrets: Record<string, string>;
}

const MOST_PLANS = 50;
const plans = new LRUCache<string, Plan>({ max: MOST_PLANS });
const { evaluate } = createAtOnce();

function needsMainThread(): never {
  throw new NeedsMainThread();
}

export const createDecide = (({ document, version, secrets }: GivenWorkflow, schemas) => {
  const plan = plans.get(document) ?? planOf(JSON.parse(document) as WorkflowDocument);
  plans.set(document, plan);
  const { decideWith } = createDeciding({
    expressions: {
      evaluate: (expression, input, variables) => evaluate(expression, input, variables) ?? needsMainThread(),
    },
    schemas,
    version,
    checkEvent: needsMainThread,
    secrets: () => secrets,
  });
  return (run, state, input) => decideWith(plan, run, state, input);
}) satisfies CreateDecide;

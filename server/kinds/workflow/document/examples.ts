import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { Example } from '../../checked.ts';
import type { WorkflowDocument } from './dsl.ts';

/** An example of a workflow: also which events reach the run, and what its calls give. */
export interface WorkflowExample extends Example {
  events?: readonly JsonObject[];
  /** What each call gives, by TYPE/NAME, SERVER/TOOL or the pointer of a step. */
  calls?: Readonly<Record<string, Json>>;
}

/** The examples of a document that was checked. */
export function examplesOf({ document }: WorkflowDocument): readonly WorkflowExample[] {
  const examples: unknown = document.metadata?.['examples'];
  return Array.isArray(examples) ? (examples as WorkflowExample[]) : [];
}

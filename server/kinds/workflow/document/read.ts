import type { WorkflowDocument } from './dsl.ts';
import { parseSource, valueOf } from '../../../kernel/yaml/index.ts';

/** The document of a version that was checked when it was saved: no checks. */
export function readWorkflowDocument(source: string): WorkflowDocument {
  return valueOf(parseSource(source)) as WorkflowDocument;
}

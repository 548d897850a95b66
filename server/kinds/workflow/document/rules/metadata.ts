// `document.metadata` is the author's, but for `examples` and `expose`.
import type { Findings } from '../../../../lib/yaml/index.ts';
import { isJsonObject } from '../../../../../shared/json.ts';
import { exposedInputWarning } from '../../../document/index.ts';
import type { WorkflowDocument } from '../dsl.ts';
import { checkExample, EXAMPLES } from './examples.ts';

export function checkMetadata({ document: { metadata } }: WorkflowDocument, findings: Findings): void {
  const expose = metadata?.['expose'];
  if (expose !== undefined && typeof expose !== 'boolean') {
    findings.error('/document/metadata/expose', '`expose` must be true or false.');
  }
  const examples = metadata?.['examples'];
  if (examples === undefined) return;
  if (!Array.isArray(examples)) {
    findings.error(
      EXAMPLES,
      '`examples` must be a list of { name, input, events, calls, failures, sequences, output }.',
    );
    return;
  }
  for (const [index, example] of examples.entries()) checkExample(example, `${EXAMPLES}/${index}`, findings);
}

/** The MCP tool of an exposed workflow may take its input otherwise than the workflow does. */
export function warnOfExposedInput({ document: { metadata }, input }: WorkflowDocument, findings: Findings): void {
  const schema = input?.schema?.document;
  const warning = exposedInputWarning(metadata?.['expose'] === true, isJsonObject(schema) ? schema : undefined);
  if (warning !== undefined) findings.warn('/input/schema/document', warning);
}

// `document.metadata` is the author's, but for `examples` and `expose`.
import type { Findings } from '../../../../lib/yaml/index.ts';
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
  for (const [place, example] of examples.entries()) checkExample(example, `${EXAMPLES}/${place}`, findings);
}

// The schema of what test_definition returns.
import Type, { type Static } from 'typebox';
import { LIMITS, TESTED_BOUNDS } from '../limits.ts';
import { KIB } from '../product.ts';
import { count, flag, integer, list, object, oneOf, optional, SourceIssueSchema, text } from './fields.ts';

const DifferenceSchema = object({
  pointer: text('JSON Pointer into the output; empty for the whole output.'),
  expected: optional(text('As JSON, shortened; absent if nothing was expected there.')),
  returned: optional(text('As JSON, shortened; absent if nothing was returned there.')),
});

const TestedExampleSchema = object({
  name: text(`The name of the example, at most ${TESTED_BOUNDS.nameCharacters} characters.`),
  status: oneOf('What became of it.', ['passed', 'failed', 'not_run']),
  detail: optional(text('Why it failed or was not run, shortened; absent if `differences` say it.')),
  differences: optional(
    list(`Where the output is not the expected one: the first ${TESTED_BOUNDS.differences} places.`, DifferenceSchema),
  ),
  output: optional(
    Type.Unknown({
      description: `The output, if the example was run and \`differences\` do not show all that differs; at most ${LIMITS.shownValueBytes / KIB} KiB.`,
    }),
  ),
  output_bytes: optional(count('The size of an output that is left out.')),
});

export const TestedDefinitionSchema = object({
  valid: flag('Whether the document can be saved; if not, no example was run.'),
  issues: list('Errors that prevent saving.', SourceIssueSchema),
  version: optional(integer('The version, if a saved one was tested.', { minimum: 1 })),
  passed: count('The number of examples that passed.'),
  failed: count('The number of examples that failed.'),
  not_run: count('The number of examples that were not run.'),
  examples: list(`In the order of the document, at most ${TESTED_BOUNDS.examples}.`, TestedExampleSchema),
  shortened: optional(
    flag(
      `True if details, differences or outputs are left out because the answer would exceed ${TESTED_BOUNDS.bytes / KIB} KiB.`,
    ),
  ),
});
export type TestedDefinition = Static<typeof TestedDefinitionSchema>;

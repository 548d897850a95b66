// The schema of what test_definition returns.
import Type, { type Static } from 'typebox';
import { LIMITS, TESTED_BOUNDS } from '../limits.ts';
import { KIB } from '../product.ts';
import { SourceIssueSchema } from './fields.ts';

const DifferenceSchema = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer into the output; empty for the whole output.' }),
    expected: Type.Optional(Type.String({ description: 'As JSON, shortened; absent if nothing was expected there.' })),
    returned: Type.Optional(Type.String({ description: 'As JSON, shortened; absent if nothing was returned there.' })),
  },
  { additionalProperties: false },
);

const TestedExampleSchema = Type.Object(
  {
    name: Type.String({ description: `The name of the example, at most ${TESTED_BOUNDS.nameCharacters} characters.` }),
    status: Type.Enum(['passed', 'failed', 'not_run'], { description: 'What became of it.' }),
    detail: Type.Optional(
      Type.String({
        description: 'Why it failed or was not run, shortened; absent if `differences` say it.',
      }),
    ),
    differences: Type.Optional(
      Type.Array(DifferenceSchema, {
        description: `Where the output is not the expected one: the first ${TESTED_BOUNDS.differences} places.`,
      }),
    ),
    output: Type.Optional(
      Type.Unknown({
        description: `The output, if the example was run and \`differences\` do not show all that differs; at most ${LIMITS.shownValueBytes / KIB} KiB.`,
      }),
    ),
    output_bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'The size of an output that is left out.' })),
  },
  { additionalProperties: false },
);

export const TestedDefinitionSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the document can be saved; if not, no example was run.' }),
    issues: Type.Array(SourceIssueSchema, { description: 'Errors that prevent saving.' }),
    version: Type.Optional(Type.Integer({ minimum: 1, description: 'The version, if a saved one was tested.' })),
    passed: Type.Integer({ minimum: 0, description: 'The number of examples that passed.' }),
    failed: Type.Integer({ minimum: 0, description: 'The number of examples that failed.' }),
    not_run: Type.Integer({ minimum: 0, description: 'The number of examples that were not run.' }),
    examples: Type.Array(TestedExampleSchema, {
      description: `In the order of the document, at most ${TESTED_BOUNDS.examples}.`,
    }),
    shortened: Type.Optional(
      Type.Boolean({
        description: `True if details, differences or outputs are left out because the answer would exceed ${TESTED_BOUNDS.bytes / KIB} KiB.`,
      }),
    ),
  },
  { additionalProperties: false },
);
export type TestedDefinition = Static<typeof TestedDefinitionSchema>;

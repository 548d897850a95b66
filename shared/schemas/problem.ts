import Type, { type Static } from 'typebox';

/** A problem document (RFC 9457). */
export const ProblemSchema = Type.Object({
  type: Type.String({ format: 'uri', description: 'A URI that identifies the problem; its last segment is the name.' }),
  title: Type.String({ description: 'The problem in a few words.' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
  detail: Type.String({ description: 'What is wrong and what to do.' }),
  reason: Type.String({ description: 'The reason of the refusal or rejection.' }),
  kind: Type.Optional(Type.String({ description: 'The kind of the reason.' })),
  because: Type.Optional(Type.String({ description: 'The cause.' })),
  instance: Type.Optional(
    Type.String({ format: 'uri', description: 'With status 500: identifies the entry in the log.' }),
  ),
  errors: Type.Optional(
    Type.Array(
      Type.Object(
        {
          detail: Type.String({ description: 'What is wrong and what to write instead.' }),
          pointer: Type.String({ description: 'JSON Pointer (RFC 6901) to the value.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'With `invalid_input`: every issue that was found.' },
    ),
  ),
  run_id: Type.Optional(Type.String({ format: 'uuid', description: 'The run that ended with this problem.' })),
});
export type Problem = Static<typeof ProblemSchema>;

import Type, { type Static } from 'typebox';

/** A problem document (RFC 9457). */
export const ProblemSchema = Type.Object({
  type: Type.String({ format: 'uri', description: 'Which problem; its last part is its name.' }),
  title: Type.String({ description: 'The problem in a few words.' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
  detail: Type.String({ description: 'What is wrong and what to do.' }),
  reason: Type.String({ description: 'The reason of the refusal or rejection.' }),
  kind: Type.Optional(Type.String({ description: 'Which case of the reason.' })),
  because: Type.Optional(Type.String({ description: 'What lies behind it.' })),
  instance: Type.Optional(Type.String({ format: 'uri', description: 'With status 500: identifies the log entry.' })),
  errors: Type.Optional(
    Type.Array(
      Type.Object(
        {
          detail: Type.String({ description: 'What is wrong there and what to write instead.' }),
          pointer: Type.String({ description: 'JSON Pointer (RFC 6901) of the place.' }),
        },
        { additionalProperties: false },
      ),
      { description: 'With `invalid_input`: everything that is wrong.' },
    ),
  ),
  run_id: Type.Optional(Type.String({ format: 'uuid', description: 'The run whose ending this is.' })),
});
export type Problem = Static<typeof ProblemSchema>;

import Type from 'typebox';
import { object, optional } from '../../../shared/schemas/fields.ts';
import type { Issue } from '../../../shared/issues.ts';

/** An example, as the forms of YAML documents take it. */
export const EXAMPLE_FORM = object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  input: Type.Unknown(),
  output: optional(Type.Unknown()),
});

interface FormIssue extends Issue {
  /** Whether the name of a member is what is wrong, or its value. */
  at: 'key' | 'value';
}

/** The issues that the schema of a form finds in a document, with the location of each. */
export function formIssuesOf(misfits: readonly Issue[]): FormIssue[] {
  const mistyped = new Set(misfits.map(({ detail }) => /did you mean (`\w+`)\?/.exec(detail)?.[1]));
  return misfits.flatMap(({ pointer, detail }) => {
    const missing = /is missing the required field (`\w+`)/.exec(detail)?.[1];
    // A mistyped name is reported once.
    if (missing !== undefined && mistyped.has(missing)) return [];
    return [{ pointer, detail, at: detail.includes('has an unknown field') ? 'key' : 'value' }];
  });
}

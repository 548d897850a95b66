// The examples of a document.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { escapeToken } from '../../lib/json-pointer.ts';
import { Refused } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Example } from '../checked.ts';

export { checkDuration, EXPIRES, EXPIRES_DEFAULT, MINUTE } from './durations.ts';
export { exposedInputWarning } from './exposed-input.ts';
export { EXAMPLE_FORM, formIssuesOf } from './form.ts';
export { MOST_DESCRIPTION, overviewOf, readShape } from './overview.ts';

/** Receives an issue with its pointer in the examples; `at`: the name of the member is meant, not its value. */
type ReportIssue = (pointer: string, detail: string, at?: 'key') => void;

const SHOWN_NAME = 60;

/** Reads what `examples` holds; anything that is not an example is reported. */
export function readExamples(examples: Json | undefined, hasEvents: boolean, report: ReportIssue): Example[] {
  if (examples === undefined) return [];
  const fields = ['name', ...(hasEvents ? ['events'] : []), 'input', 'output'];
  if (!Array.isArray(examples)) {
    report('', `\`examples\` must be a list of { ${fields.join(', ')}? }.`);
    return [];
  }
  return examples.flatMap((example, index) => {
    const which = `Example ${index + 1}`;
    const at = `/${index}`;
    if (!isJsonObject(example) || typeof example['name'] !== 'string' || !Object.hasOwn(example, 'input')) {
      report(at, `${which} must be an object with \`name\`, a string, and \`input\`.`);
      return [];
    }
    const unknown = Object.keys(example).find((key) => !fields.includes(key));
    if (unknown !== undefined) {
      const detail = `${which} has an unknown field \`${unknown.slice(0, SHOWN_NAME)}\`; known fields: ${fields.join(', ')}.`;
      report(`${at}/${escapeToken(unknown)}`, detail, 'key');
    }
    const { name, events, input, output } = example;
    const isList = Array.isArray(events) && events.every(isJsonObject);
    if (hasEvents && !isList) {
      report(at, `${which} must have \`events\`, a list of events; [] for none.`);
      return [];
    }
    return [{ name, input: input ?? null, ...(isList ? { events } : {}), ...(output === undefined ? {} : { output }) }];
  });
}

/** Tells which examples do not fit their schemas. All of them together have the time of one input. */
export async function checkExamples(
  examples: readonly Example[],
  given: { input: JsonObject | undefined; output: JsonObject | undefined },
  schemas: SchemaChecker,
  report: ReportIssue,
): Promise<void> {
  for (const part of ['input', 'output'] as const) {
    const schema = given[part];
    const values = examples.flatMap(({ name, [part]: value }, index) =>
      value === undefined ? [] : [{ name, index, value }],
    );
    if (schema === undefined || values.length === 0) continue;
    try {
      const checked = schemas.compileSchema(schema, `The ${part}`);
      // oxlint-disable-next-line no-await-in-loop -- the one after the other, as one input has its time
      const found = await checked.checkEach(
        values.map(({ value }) => value),
        '',
      );
      values.forEach(({ name, index }, place) => {
        const issue = found[place]?.[0];
        if (issue === undefined) return;
        const detail = `The ${part} of example "${name.slice(0, SHOWN_NAME)}" does not match the schema: ${issue.detail}`;
        report(`/${index}/${part}${issue.pointer}`, detail);
      });
    } catch (error) {
      if (!(error instanceof Refused) || error.rejection.reason !== 'conflict') throw error;
      const detail = `Checking the ${part}s of the examples takes more than a second; use fewer examples, or simplify the schema.`;
      report('', detail);
    }
  }
}

// The examples that a program exports.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { Refused } from '../../kernel/rejection.ts';
import type { SchemaChecker } from '../../kernel/schemas/index.ts';
import type { Example } from '../kind.ts';

type Tell = (detail: string) => void;

const SHOWN_NAME = 60;

/** Reads what `examples` holds; what is no example is told. */
export function readExamples(examples: Json | undefined, hasEvents: boolean, tell: Tell): Example[] {
  if (examples === undefined) return [];
  const fields = ['name', ...(hasEvents ? ['events'] : []), 'input', 'output'];
  if (!Array.isArray(examples)) {
    tell(`\`examples\` must be a list of { ${fields.join(', ')}? }.`);
    return [];
  }
  return examples.flatMap((example, index) => {
    const which = `Example ${index + 1}`;
    if (!isJsonObject(example) || typeof example['name'] !== 'string' || !('input' in example)) {
      tell(`${which} must be an object with \`name\`, a text, and \`input\`.`);
      return [];
    }
    const unknown = Object.keys(example).find((key) => !fields.includes(key));
    if (unknown !== undefined) {
      tell(`${which} has an unknown field \`${unknown.slice(0, SHOWN_NAME)}\`; it takes ${fields.join(', ')}.`);
    }
    const { name, events, input, output } = example;
    const isList = Array.isArray(events) && events.every(isJsonObject);
    if (hasEvents && !isList) {
      tell(`${which} must have \`events\`, a list of events; [] for none.`);
      return [];
    }
    return [{ name, input: input ?? null, ...(isList ? { events } : {}), ...(output === undefined ? {} : { output }) }];
  });
}

/** Tells which examples do not fit their schemas. All of them together have the time of one input. */
export async function checkExamples(
  examples: readonly Example[],
  { input, output }: { input: JsonObject | undefined; output: JsonObject | undefined },
  schemas: SchemaChecker,
  tell: Tell,
): Promise<void> {
  const fit = async (
    what: string,
    schema: JsonObject | undefined,
    given: readonly (readonly [name: string, value: Json])[],
  ): Promise<void> => {
    if (schema === undefined || given.length === 0) return;
    try {
      const values = given.map(([, value]) => value);
      const found = await schemas.compileSchema(schema, `The ${what}`).checkEach(values, '');
      given.forEach(([name], index) => {
        const issue = found[index]?.[0];
        if (issue !== undefined)
          tell(`The ${what} of example "${name.slice(0, SHOWN_NAME)}" does not fit: ${issue.detail}`);
      });
    } catch (error) {
      if (!(error instanceof Refused) || error.rejection.reason !== 'conflict') throw error;
      tell(`Checking the ${what}s of the examples takes more than a second; give fewer, or make the schema simpler.`);
    }
  };
  await fit(
    'input',
    input,
    examples.map((example) => [example.name, example.input]),
  );
  await fit(
    'output',
    output,
    examples.flatMap((example) => (example.output === undefined ? [] : [[example.name, example.output] as const])),
  );
}

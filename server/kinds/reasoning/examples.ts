import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { Refused } from '../../kernel/rejection.ts';
import type { SchemaChecker } from '../../kernel/schemas/index.ts';
import type { Findings } from '../../kernel/yaml/index.ts';
import type { Example } from '../kind.ts';

/** The examples that have the form of one; what else stands there is refused. */
export function readExamples(examples: Json | undefined, findings: Findings): Example[] {
  if (examples === undefined) return [];
  if (!Array.isArray(examples)) {
    findings.refuse('/examples', '`examples` must be a list of { name, input, output? }.');
    return [];
  }
  return examples.flatMap((example, index) => {
    const at = `/examples/${index}`;
    if (!isJsonObject(example) || typeof example['name'] !== 'string' || !Object.hasOwn(example, 'input')) {
      findings.refuse(at, 'An example is an object with `name`, a text, and `input`.');
      return [];
    }
    const unknown = Object.keys(example).find((key) => !['name', 'input', 'output'].includes(key));
    if (unknown !== undefined) {
      findings.refuse(`${at}/${unknown}`, 'An example takes `name`, `input` and `output` alone.', 'key');
    }
    const { name, input = null, output } = example;
    return [{ name, input, ...(output === undefined ? {} : { output }) }];
  });
}

/** Refuses examples that do not fit the schemas; all of them together have the time of one input. */
export async function checkExamples(
  examples: readonly Example[],
  given: { input: JsonObject | undefined; output: JsonObject | undefined },
  schemas: SchemaChecker,
  findings: Findings,
): Promise<void> {
  for (const part of ['input', 'output'] as const) {
    const schema = given[part];
    if (schema === undefined) continue;
    const values = examples.map((example) => example[part]);
    const checked = schemas.compileSchema(schema, `The ${part}`);
    try {
      // oxlint-disable-next-line no-await-in-loop -- the one after the other, as one input has its time
      const found = await checked.checkEach(
        values.filter((value) => value !== undefined),
        '',
      );
      const places = values.flatMap((value, index) => (value === undefined ? [] : [index]));
      places.forEach((index, place) => {
        const issue = found[place]?.[0];
        if (issue === undefined) return;
        findings.refuse(`/examples/${index}/${part}${issue.pointer}`, `The ${part} does not fit: ${issue.detail}`);
      });
    } catch (error) {
      if (!(error instanceof Refused) || error.rejection.reason !== 'conflict') throw error;
      findings.refuse('/examples', `Checking the ${part}s of the examples takes too long; give fewer.`);
    }
  }
}

// What completion offers in interactions and front matter is what the service takes: no field more, and none less.
import { afterAll, describe, expect, test } from 'vitest';
import { createSchemaChecker } from '../../../../server/lib/schemas/index.ts';
import { createTemplates } from '../../../../server/lib/templates/index.ts';
import { createTextWork } from '../../../../server/lib/text-work/index.ts';
import { createTestSources } from '../../../../server/lib/yaml/sources.testing.ts';
import { FORM } from '../../../../server/kinds/interaction/schema.ts';
import { NO_MODELS } from '../../../../server/kinds/models.ts';
import { ANY_TOOLS } from '../../../../server/kinds/tools.ts';
import { checkReasoning } from '../../../../server/kinds/reasoning/check.ts';
import { INTERACTION_SCHEMA } from './interaction.ts';
import type { Schema } from './json-schema.ts';
import { REASONING_SCHEMA } from './reasoning.ts';

/** Places that hold a JSON Schema, of which the service takes more than is offered. */
const SCHEMAS = ['/input', '/output', '/ask/answer'];

interface Place {
  fields: string[];
  required: string[];
}

/** The fields of each object of a document, by its place; and the words that a place takes. */
function placesOf(schema: Schema, at = '', found: Record<string, unknown> = {}): typeof found {
  const { properties, required, items, enum: words } = schema as Record<string, Schema & string[]>;
  if (SCHEMAS.includes(at)) return found;
  if (words !== undefined) found[at] = [...words].toSorted();
  if (items !== undefined) placesOf(items, `${at}/*`, found);
  if (properties === undefined) return found;
  found[at] = { fields: Object.keys(properties).toSorted(), required: [...(required ?? [])].toSorted() };
  for (const [name, one] of Object.entries(properties)) placesOf(one, `${at}/${name}`, found);
  return found;
}

test('interactions are completed by the form that the service checks', () => {
  const offered = placesOf(INTERACTION_SCHEMA);
  expect(offered).toEqual(placesOf(FORM as unknown as Schema));
  expect(Object.keys(offered)).toContain('/ask/deliver/replies');
});

describe('front matter', () => {
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const templates = createTemplates(textWork);
  afterAll(() => Promise.all([schemas.close(), textWork.close()]));
  const place = { org: 'local', playbook: 'desk', definitionExists: () => false };
  const options = { sources: createTestSources(), models: NO_MODELS, tools: ANY_TOOLS, schemas, templates };
  const told = async (front: string): Promise<string[]> => {
    const checked = await checkReasoning(`---\n${front}\n---\nSay it.\n`, place, options);
    return checked.ok ? [] : checked.issues.map(({ detail }) => detail);
  };
  /** The names that a sentence lists behind these words. */
  const listed = async (front: string, behind: RegExp): Promise<string[] | undefined> =>
    behind
      .exec((await told(front)).join('\n'))?.[1]
      ?.split(', ')
      .toSorted();
  const offered = placesOf(REASONING_SCHEMA);

  test('is completed by the fields that the service names where it refuses another one', async () => {
    const known = /no field `qqqqqqqq` here; there are (.*)\.$/m;
    expect(await listed('model: a/b\nqqqqqqqq: 1', known)).toEqual((offered[''] as Place).fields);
    expect(await listed('model: a/b\nconfig: { qqqqqqqq: 1 }', known)).toEqual((offered['/config'] as Place).fields);
    const efforts = await listed('model: a/b\nconfig: { reasoning_effort: huge }', /must be one of (.*)\.$/m);
    expect(efforts).toEqual(offered['/config/reasoning_effort']);
  });

  test('needs what completion says that it needs', async () => {
    expect((offered[''] as Place).required).toEqual(['model']);
    expect(await told('description: x')).toEqual([expect.stringContaining('needs `model`')]);
    expect(await told('model: a/b\nexamples: [{ output: 1 }]')).not.toEqual([]);
    expect(offered['/examples/*']).toEqual({ fields: ['input', 'name', 'output'], required: ['input', 'name'] });
  });
});

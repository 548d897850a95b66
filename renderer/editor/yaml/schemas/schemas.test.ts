// Completion in interactions and front matter suggests exactly the fields that the service accepts.
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

/** Locations of JSON Schemas, where the service accepts more than is suggested. */
const SCHEMAS = ['/input', '/output', '/ask/answer'];

interface FieldSet {
  fields: string[];
  required: string[];
}

/** The fields of each object in a document, and the values of each enum, by location. */
function locationsIn(schema: Schema, at = '', found: Record<string, unknown> = {}): typeof found {
  const { properties, required, items, enum: words } = schema as Record<string, Schema & string[]>;
  if (SCHEMAS.includes(at)) return found;
  if (words !== undefined) found[at] = [...words].toSorted();
  if (items !== undefined) locationsIn(items, `${at}/*`, found);
  if (properties === undefined) return found;
  found[at] = { fields: Object.keys(properties).toSorted(), required: [...(required ?? [])].toSorted() };
  for (const [name, one] of Object.entries(properties)) locationsIn(one, `${at}/${name}`, found);
  return found;
}

test('completion of interactions matches the schema that the service checks', () => {
  const offered = locationsIn(INTERACTION_SCHEMA);
  expect(offered).toEqual(locationsIn(FORM as unknown as Schema));
  expect(Object.keys(offered)).toContain('/ask/deliver/replies');
});

describe('front matter', () => {
  const schemas = createSchemaChecker();
  const textWork = createTextWork();
  const templates = createTemplates(textWork);
  afterAll(() => Promise.all([schemas.close(), textWork.close()]));
  const place = { org: 'local', playbook: 'desk', definitionExists: () => false };
  const options = { sources: createTestSources(), models: NO_MODELS, tools: ANY_TOOLS, schemas, templates };
  const issuesOf = async (front: string): Promise<string[]> => {
    const checked = await checkReasoning(`---\n${front}\n---\nSay it.\n`, place, options);
    return checked.ok ? [] : checked.issues.map(({ detail }) => detail);
  };
  /** The names that a message lists after a text. */
  const listed = async (front: string, behind: RegExp): Promise<string[] | undefined> =>
    behind
      .exec((await issuesOf(front)).join('\n'))?.[1]
      ?.split(', ')
      .toSorted();
  const offered = locationsIn(REASONING_SCHEMA);

  test('is completed with the fields that the service lists when it rejects an unknown field', async () => {
    const known = /^Unknown field `qqqqqqqq`; the fields here are (.*)\.$/m;
    expect(await listed('model: a/b\nqqqqqqqq: 1', known)).toEqual((offered[''] as FieldSet).fields);
    expect(await listed('model: a/b\nconfig: { qqqqqqqq: 1 }', known)).toEqual((offered['/config'] as FieldSet).fields);
    const efforts = await listed('model: a/b\nconfig: { reasoning_effort: huge }', /must be one of (.*)\.$/m);
    expect(efforts).toEqual(offered['/config/reasoning_effort']);
  });

  test('requires the fields that completion marks as required', async () => {
    expect((offered[''] as FieldSet).required).toEqual(['model']);
    expect(await issuesOf('description: x')).toEqual([expect.stringContaining('needs `model`')]);
    expect(await issuesOf('model: a/b\nexamples: [{ output: 1 }]')).not.toEqual([]);
    expect(offered['/examples/*']).toEqual({ fields: ['input', 'name', 'output'], required: ['input', 'name'] });
  });
});

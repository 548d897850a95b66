// Runs the examples of definitions.
import Type from 'typebox';
import { integer, object, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import type { Issue } from '../../../shared/issues.ts';
import { TestedDefinitionSchema } from '../../../shared/schemas/index.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Examples } from './examples.ts';

export { createExampleKinds } from './example-kinds.ts';
export { createExamples } from './examples.ts';
export { type ExampleOutcome, tryExample } from './try-example.ts';

export function exampleOperations(examples: Examples, definitions: Definitions, playbooks: Playbooks): Operation[] {
  return [
    defineOperation({
      name: 'test_definition',
      tag: 'Definitions',
      title: 'Run the examples of a definition',
      description:
        'Use before saving a definition: runs the `examples` of `source`, or of the saved `name`. Records nothing, and calls no tool or model. Each is `passed`, `failed` with the differences, or `not_run`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}/test',
      path: Type.Object({
        playbook: text("The playbook's id."),
        type: oneOf('The type of definition.', DEFINITION_TYPES),
      }),
      fields: object({
        source: optional(text('The whole document.')),
        name: optional(text('Instead of `source`.')),
        version: optional(integer('Of `name`.', { minimum: 1, maximum: 999_999_999 })),
      }),
      checksFields: refuseUnclear,
      output: TestedDefinitionSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: true,
      addition: true,
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      async handle({ org, signal }, { playbook, type, source, name = 'example', version }) {
        const playbookKey = { org, playbook };
        await playbooks.refuseInactive(playbookKey);
        if (source !== undefined) return examples.test({ playbookKey, type, name, source, signal });
        const key = { ...playbookKey, type, name };
        const saved = await (version === undefined ? definitions.get(key) : definitions.getVersion(key, version));
        const tested = await examples.test({ playbookKey, type, name, source: saved.source, signal });
        return { ...tested, version: saved.version };
      },
    }),
  ];
}

function refuseUnclear({ source, name, version }: { source?: string; name?: string; version?: number }): Issue[] {
  if (source === undefined && name === undefined) {
    return [{ pointer: '/source', detail: 'Give `source`, or the `name` of a saved definition.' }];
  }
  if (source === undefined) return [];
  return Object.entries({ name, version })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({
      pointer: `/${field}`,
      detail: `\`${field}\` is for saved definitions: leave it out, or leave \`source\` out.`,
    }));
}

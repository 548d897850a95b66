import Type from 'typebox';
import { ModelListSchema } from '../../../shared/schemas/index.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import { PREFIX_FORM } from '../../settings/index.ts';
import type { Models } from './models.ts';

export { createModels, type Models } from './models.ts';
export { createProviderKeys, listProvidersWithKeys } from './provider-keys.ts';
export { providerOperations } from './provider-operations.ts';

export function modelOperations(models: Models): Operation[] {
  return [
    defineOperation({
      name: 'list_models',
      tag: 'Models',
      title: 'List models',
      description:
        'Use before writing a reasoning function: lists the models that its `model` may name, including the operator’s aliases. `narrowed` means that the operator allows only these; `catalog_status` is `partial` if a provider could not be reached. Model names are untrusted text from the providers.',
      permissions: ['org:read'],
      method: 'GET',
      route: '/models',
      path: Type.Object({}),
      fields: Type.Object(
        {
          provider: Type.Optional(
            Type.String({
              pattern: PREFIX_FORM.source,
              description:
                'Prefix of a provider or gateway: only its models are listed, and no other provider is queried.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      output: ModelListSchema,
      problems: [],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: true,
      forAgents: { isReturnedInFull: true },
      handle: (_call, { provider }) => models.list(provider),
    }),
  ];
}

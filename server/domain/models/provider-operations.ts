import Type from 'typebox';
import { list, object, text } from '../../../shared/schemas/fields.ts';
import type { Issue } from '../../../shared/issues.ts';
import { ModelProviderEntrySchema } from '../../../shared/schemas/index.ts';
import { forbidden } from '../../lib/rejection.ts';
import { SHORTEST_SECRET } from '../../lib/scrub/index.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import { configuringVariables, isBuiltIn, type Mode } from '../../settings/index.ts';
import type { Models } from './models.ts';
import { HOSTED, type ProviderKeys } from './provider-keys.ts';

const MOST_KEY = 4096;

/** The operations of the Models page beside list_models. On a published server only the operator sets keys. */
export function providerOperations(keys: ProviderKeys, models: Pick<Models, 'failureOf'>, mode: Mode): Operation[] {
  const refusePublished = (): void => {
    if (mode === 'local') return;
    throw forbidden('On a published server the operator configures model providers in its environment.');
  };
  const common = { tag: 'Models', path: Type.Object({}), mcp: false, addition: true } as const;
  return [
    defineOperation({
      ...common,
      name: 'list_model_providers',
      title: 'List model providers',
      description:
        'In local mode: lists the built-in providers and the gateways, with which of them are configured and where. Of a key only its presence and last characters are returned.',
      permissions: ['org:read'],
      method: 'GET',
      route: '/model-providers',
      output: object({
        providers: list('Built-in providers, then gateways.', ModelProviderEntrySchema),
      }),
      problems: [],
      hints: { readOnly: true, destructive: false, idempotent: true },
      async precheck() {
        refusePublished();
      },
      async handle() {
        refusePublished();
        const providers = await keys.list();
        return {
          providers: providers.map((entry) => {
            const failure = models.failureOf(entry.provider);
            return failure === undefined ? entry : { ...entry, list_failure: failure };
          }),
        };
      },
    }),
    defineOperation({
      ...common,
      name: 'set_provider_key',
      title: "Set a model provider's key",
      description:
        'In local mode: encrypts the key of a hosted provider in the secret store, replacing a stored one, and uses it immediately; null deletes it. Returns the provider, never the key. If the environment sets the key, that one takes precedence and this request is `conflict`.',
      permissions: ['org:write'],
      method: 'PUT',
      route: '/model-providers/key',
      fields: object({
        provider: text(`The provider: ${HOSTED.join(', ')}.`, { examples: ['openai'] }),
        key: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: `The key exactly as the provider shows it, ${SHORTEST_SECRET} to ${MOST_KEY} characters; null deletes the stored key.`,
        }),
      }),
      checksFields: ({ provider, key }) => [...providerIssues(provider), ...keyIssues(key)],
      output: ModelProviderEntrySchema,
      problems: ['conflict', 'unavailable'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      async precheck() {
        refusePublished();
      },
      async handle(_call, { provider, key }) {
        refusePublished();
        return keys.set(provider, key);
      },
    }),
  ];
}

function providerIssues(provider: string): Issue[] {
  if (HOSTED.some((prefix) => prefix === provider)) return [];
  const detail = isBuiltIn(provider)
    ? `${provider} needs more than a key: set ${configuringVariables(provider).join(' or ')} and what belongs to it in the environment or in the file env; docs/models.md says what.`
    : `A key can be set here for ${HOSTED.join(', ')}. For a gateway, name the variable of its key under model_gateways in cuebook.yaml.`;
  return [{ pointer: '/provider', detail }];
}

/** Messages never contain the input. */
function keyIssues(key: string | null): Issue[] {
  if (key === null) return [];
  if (key === '')
    return [{ pointer: '/key', detail: 'The key is empty; send a key, or null to delete the stored one.' }];
  if (key.length > MOST_KEY) {
    return [{ pointer: '/key', detail: `The key has more than ${MOST_KEY} characters; copy only the key.` }];
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const detail =
      'The key contains a character that keys do not have, such as a space or a line break; copy it again without it.';
    return [{ pointer: '/key', detail }];
  }
  if (key.length >= SHORTEST_SECRET) return [];
  const detail = `The key has fewer than ${SHORTEST_SECRET} characters; copy the whole key. A shorter key could not be redacted from answers and logs.`;
  return [{ pointer: '/key', detail }];
}

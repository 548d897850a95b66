import Type, { type Static } from 'typebox';

const CLOSED = { additionalProperties: false } as const;

/** An entry of list_models. */
export const ModelEntrySchema = Type.Object(
  {
    id: Type.String({
      description:
        'The reference, as a definition names it. A reference that ends in * matches all models with that prefix.',
    }),
    provider: Type.String({ description: 'The provider: the part of the reference before the slash.' }),
    model: Type.String({ description: 'The model: the part of the reference after the slash.' }),
    name: Type.Optional(Type.String({ description: "The provider's display name for the model." })),
    context_window: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The maximum number of tokens in a request.' }),
    ),
    max_output_tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The maximum number of tokens in a response.' }),
    ),
    alias: Type.Optional(Type.Literal(true, { description: 'The entry is an alias that the operator defined.' })),
    resolved_to: Type.Optional(Type.String({ description: 'For an alias: the reference that it resolves to.' })),
  },
  CLOSED,
);
export type ModelEntry = Static<typeof ModelEntrySchema>;

/** The response of list_models. */
export const ModelListSchema = Type.Object(
  {
    models: Type.Array(ModelEntrySchema, { description: 'The models that definitions may use, sorted by reference.' }),
    narrowed: Type.Boolean({ description: 'Whether the operator allows only some models.' }),
    catalog_status: Type.Enum(['complete', 'partial'], {
      description: "`partial`: a provider's list could not be read; models from an earlier list may be included.",
    }),
  },
  CLOSED,
);
export type ModelList = Static<typeof ModelListSchema>;

/** A provider of models as list_model_providers and set_provider_key show it. */
export const ModelProviderEntrySchema = Type.Object(
  {
    provider: Type.String({ description: 'The provider: the part of a reference before the slash.' }),
    kind: Type.Enum(['hosted', 'cloud', 'gateway'], {
      description:
        '`hosted`: built in, needs only a key. `cloud`: built in, needs a cloud account. `gateway`: a server that the operator configured.',
    }),
    configured_by: Type.Union([Type.Enum(['environment', 'studio', 'configuration']), Type.Null()], {
      description:
        'Where its credentials come from: environment variables or the env file, a key entered in the studio, or the settings of a gateway; null if it is not configured.',
    }),
    variables: Type.Array(Type.String(), {
      description: 'The environment variables that configure it; any one of them is enough. Empty for a gateway.',
    }),
    key_ends_with: Type.Union([Type.String(), Type.Null()], {
      description: 'For a hosted provider: the last four characters of the key in use, if it has at least twelve.',
    }),
    takes_key: Type.Boolean({ description: 'Whether set_provider_key accepts a key for it.' }),
    key_is_kept: Type.Boolean({
      description:
        'Whether a key that was entered in the studio is stored. An environment variable takes precedence over it.',
    }),
    list_failure: Type.Optional(
      Type.String({
        description: 'Why its list of models could not be read the last time: its response, or that there was none.',
      }),
    ),
    key_unusable: Type.Optional(Type.String({ description: 'Why the stored key cannot be decrypted now.' })),
  },
  CLOSED,
);
export type ModelProviderEntry = Static<typeof ModelProviderEntrySchema>;

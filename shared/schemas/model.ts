import Type, { type Static } from 'typebox';

const CLOSED = { additionalProperties: false } as const;

/** An entry of list_models. */
export const ModelEntrySchema = Type.Object(
  {
    id: Type.String({
      description: 'The reference, as a definition names it; one that ends in * stands for all that begin so.',
    }),
    provider: Type.String({ description: 'What stands before the slash.' }),
    model: Type.String({ description: 'What stands behind it.' }),
    name: Type.Optional(Type.String({ description: "The provider's own name for people." })),
    context_window: Type.Optional(Type.Integer({ minimum: 1, description: 'Tokens that a request may hold.' })),
    max_output_tokens: Type.Optional(Type.Integer({ minimum: 1, description: 'Tokens that an answer may hold.' })),
    alias: Type.Optional(Type.Literal(true, { description: "The operator's name for another reference." })),
    resolved_to: Type.Optional(Type.String({ description: 'The reference behind an alias.' })),
  },
  CLOSED,
);
export type ModelEntry = Static<typeof ModelEntrySchema>;

/** What list_models answers. */
export const ModelListSchema = Type.Object(
  {
    models: Type.Array(ModelEntrySchema, { description: 'The models that may be named, by their reference.' }),
    narrowed: Type.Boolean({ description: 'Whether the operator allows some models alone.' }),
    catalog_status: Type.Enum(['complete', 'partial'], {
      description: 'partial: a list could not be read; the models of an earlier one may be shown.',
    }),
  },
  CLOSED,
);
export type ModelList = Static<typeof ModelListSchema>;

/** A provider of models as list_model_providers and set_provider_key show it. */
export const ModelProviderEntrySchema = Type.Object(
  {
    provider: Type.String({ description: 'What stands before the slash of a reference.' }),
    kind: Type.Enum(['hosted', 'cloud', 'gateway'], {
      description: 'Built in, with a key alone; built in, of a cloud account; or a server that the operator set up.',
    }),
    configured_by: Type.Union([Type.Enum(['environment', 'studio', 'configuration']), Type.Null()], {
      description:
        'Who gives what it is asked with: variables of the environment or of the file env, a key given in the studio, the settings of gateways; null: nobody, and it is not asked.',
    }),
    variables: Type.Array(Type.String(), {
      description: 'The variables of which any one configures it; none for a gateway.',
    }),
    key_ends_with: Type.Union([Type.String(), Type.Null()], {
      description: 'Of a hosted provider: the last four characters of the key in use, where it has at least twelve.',
    }),
    takes_key: Type.Boolean({ description: 'Whether set_provider_key takes a key of it.' }),
    key_is_kept: Type.Boolean({
      description: 'Whether a key given in the studio is kept; a variable of the environment wins over it.',
    }),
    list_failure: Type.Optional(
      Type.String({
        description:
          'Why its list of models could not be read when it was last asked: its answer, or that there was none.',
      }),
    ),
    key_unusable: Type.Optional(Type.String({ description: 'Why the kept key cannot be opened now.' })),
  },
  CLOSED,
);
export type ModelProviderEntry = Static<typeof ModelProviderEntrySchema>;

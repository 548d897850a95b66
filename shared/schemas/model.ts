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

/** The response of list_model_prices. */
export const ModelPricesSchema = Type.Object(
  {
    prices: Type.Record(
      Type.String(),
      Type.Object(
        {
          input: Type.Number({ minimum: 0, description: 'For a million input tokens.' }),
          output: Type.Number({ minimum: 0, description: 'For a million output tokens.' }),
          cached: Type.Optional(
            Type.Number({ minimum: 0, description: 'For a million cached input tokens; absent: as `input`.' }),
          ),
        },
        CLOSED,
      ),
      { description: 'By reference, in the currency that the operator uses.' },
    ),
  },
  CLOSED,
);

export const TokensSchema = Type.Object(
  {
    input: Type.Integer({ minimum: 0, description: 'Input tokens.' }),
    output: Type.Integer({ minimum: 0, description: 'Output tokens.' }),
    cached: Type.Integer({ minimum: 0, description: 'Input tokens that the provider had cached.' }),
  },
  { ...CLOSED, description: 'How many tokens were used.' },
);

export const UsageSchema = Type.Object(
  {
    runs: Type.Integer({ minimum: 0, description: 'The ended runs that used a model.' }),
    tokens: TokensSchema,
    cost: Type.Optional(
      Type.Number({ minimum: 0, description: 'At the prices of today; absent if no run has a price.' }),
    ),
    unpriced_runs: Type.Integer({ minimum: 0, description: 'The runs whose model has no price.' }),
  },
  { ...CLOSED, description: 'What the runs used.' },
);

/** The response of get_model_usage. */
export const ModelUsageSchema = Type.Object(
  {
    days: Type.Integer({ minimum: 1, description: 'The number of UTC days, today included.' }),
    complete: Type.Boolean({ description: 'False if there are more endings in these days than are counted.' }),
    total: UsageSchema,
    by_day: Type.Array(Type.Object({ day: Type.String({ description: 'A UTC day.' }), usage: UsageSchema }, CLOSED), {
      description: 'By the day on which the runs ended, oldest first.',
    }),
    by_definition: Type.Array(
      Type.Object({ definition: Type.String({ description: 'TYPE/NAME.' }), usage: UsageSchema }, CLOSED),
      { description: 'Most tokens first.' },
    ),
    by_model: Type.Array(
      Type.Object(
        { model: Type.String({ description: 'The reference, aliases resolved.' }), usage: UsageSchema },
        CLOSED,
      ),
      { description: 'Most tokens first.' },
    ),
  },
  CLOSED,
);
export type ModelUsage = Static<typeof ModelUsageSchema>;

/** A server that find_local_models found. */
export const LocalModelServerSchema = Type.Object(
  {
    base_url: Type.String({ description: 'Its address, as a gateway names it.' }),
    product: Type.Enum(['Ollama', 'LM Studio', 'other'], { description: 'What it is, as far as it says.' }),
    models: Type.Array(Type.String(), { description: 'The ids of its models, at most 100.' }),
    gateway: Type.Optional(Type.String({ description: 'The gateway that is configured for it.' })),
  },
  CLOSED,
);
export type LocalModelServer = Static<typeof LocalModelServerSchema>;

/** What get_model_setup and change_model_setup return. */
export const ModelSetUpSchema = Type.Object(
  {
    file: Type.String({ description: 'The configuration file.' }),
    gateways: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'The part of references before the slash.' }),
          base_url: Type.String({ description: 'Its address.' }),
          has_key: Type.Boolean({ description: 'Whether a key is sent to it.' }),
        },
        CLOSED,
      ),
      { description: 'The configured gateways.' },
    ),
    aliases: Type.Record(Type.String(), Type.String(), { description: 'References by alias.' }),
    allowed: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The only references that definitions may name; null: every model.',
    }),
    in_variables: Type.Array(Type.String(), {
      description: 'Keys that environment variables set instead of the file.',
    }),
  },
  CLOSED,
);

/** The response of test_model. */
export const ModelTestSchema = Type.Object(
  {
    model: Type.String({ description: 'The reference that was tested.' }),
    resolved_to: Type.Optional(Type.String({ description: 'The reference that an alias resolves to.' })),
    ok: Type.Boolean({ description: 'Whether the model answered.' }),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long the call took.' }),
    text: Type.Optional(Type.String({ description: 'The answer, at most 500 characters.' })),
    tokens: Type.Optional(TokensSchema),
    kind: Type.Optional(Type.String({ description: 'The kind of failure, as in `because` of a run.' })),
    detail: Type.Optional(Type.String({ description: 'Why there is no answer.' })),
  },
  CLOSED,
);

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

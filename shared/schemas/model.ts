import Type, { type Static } from 'typebox';
import { count, flag, integer, list, object, objects, oneOf, optional, orNull, text } from './fields.ts';

/** An entry of list_models. */
export const ModelEntrySchema = object({
  id: text('The reference, as a definition names it. A reference that ends in * matches all models with that prefix.'),
  provider: text('The provider: the part of the reference before the slash.'),
  model: text('The model: the part of the reference after the slash.'),
  name: optional(text("The provider's display name for the model.")),
  context_window: optional(integer('The maximum number of tokens in a request.', { minimum: 1 })),
  max_output_tokens: optional(integer('The maximum number of tokens in a response.', { minimum: 1 })),
  alias: optional(Type.Literal(true, { description: 'The entry is an alias that the operator defined.' })),
  resolved_to: optional(text('For an alias: the reference that it resolves to.')),
});
export type ModelEntry = Static<typeof ModelEntrySchema>;

/** The response of list_models. */
export const ModelListSchema = object({
  models: list('The models that definitions may use, sorted by reference.', ModelEntrySchema),
  narrowed: flag('Whether the operator allows only some models.'),
  catalog_status: oneOf(
    "`partial`: a provider's list could not be read; models from an earlier list may be included.",
    ['complete', 'partial'],
  ),
});
export type ModelList = Static<typeof ModelListSchema>;

/** The response of list_model_prices. */
export const ModelPricesSchema = object({
  prices: Type.Record(
    Type.String(),
    object({
      input: Type.Number({ minimum: 0, description: 'For a million input tokens.' }),
      output: Type.Number({ minimum: 0, description: 'For a million output tokens.' }),
      cached: optional(
        Type.Number({ minimum: 0, description: 'For a million cached input tokens; absent: as `input`.' }),
      ),
    }),
    { description: 'By reference, in the currency that the operator uses.' },
  ),
});

export const TokensSchema = object('How many tokens were used.', {
  input: count('Input tokens.'),
  output: count('Output tokens.'),
  cached: count('Input tokens that the provider had cached.'),
});

export const UsageSchema = object('What the runs used.', {
  runs: count('The ended runs that used a model.'),
  tokens: TokensSchema,
  cost: optional(Type.Number({ minimum: 0, description: 'At the prices of today; absent if no run has a price.' })),
  unpriced_runs: count('The runs whose model has no price.'),
});

/** The response of get_model_usage. */
export const ModelUsageSchema = object({
  days: integer('The number of UTC days, today included.', { minimum: 1 }),
  complete: flag('False if there are more endings in these days than are counted.'),
  total: UsageSchema,
  by_day: objects('By the day on which the runs ended, oldest first.', { day: text('A UTC day.'), usage: UsageSchema }),
  by_definition: objects('Most tokens first.', { definition: text('TYPE/NAME.'), usage: UsageSchema }),
  by_model: objects('Most tokens first.', { model: text('The reference, aliases resolved.'), usage: UsageSchema }),
});
export type ModelUsage = Static<typeof ModelUsageSchema>;

/** A server that find_local_models found. */
export const LocalModelServerSchema = object({
  base_url: text('Its address, as a gateway names it.'),
  product: oneOf('What it is, as far as it says.', ['Ollama', 'LM Studio', 'other']),
  models: list('The ids of its models, at most 100.', Type.String()),
  gateway: optional(text('The gateway that is configured for it.')),
});
export type LocalModelServer = Static<typeof LocalModelServerSchema>;

/** What get_model_setup and change_model_setup return. */
export const ModelSetUpSchema = object({
  file: text('The configuration file.'),
  gateways: objects('The configured gateways.', {
    name: text('The part of references before the slash.'),
    base_url: text('Its address.'),
    has_key: flag('Whether a key is sent to it.'),
  }),
  aliases: Type.Record(Type.String(), Type.String(), { description: 'References by alias.' }),
  allowed: orNull('The only references that definitions may name; null: every model.', Type.Array(Type.String())),
  in_variables: list('Keys that environment variables set instead of the file.', Type.String()),
});

/** The response of test_model. */
export const ModelTestSchema = object({
  model: text('The reference that was tested.'),
  resolved_to: optional(text('The reference that an alias resolves to.')),
  ok: flag('Whether the model answered.'),
  duration_ms: count('How long the call took.'),
  text: optional(text('The answer, at most 500 characters.')),
  tokens: optional(TokensSchema),
  kind: optional(text('The kind of failure, as in `because` of a run.')),
  detail: optional(text('Why there is no answer.')),
});

/** A provider of models as list_model_providers and set_provider_key show it. */
export const ModelProviderEntrySchema = object({
  provider: text('The provider: the part of a reference before the slash.'),
  kind: oneOf(
    '`hosted`: built in, needs only a key. `cloud`: built in, needs a cloud account. `gateway`: a server that the operator configured.',
    ['hosted', 'cloud', 'gateway'],
  ),
  configured_by: orNull(
    'Where its credentials come from: environment variables or the env file, a key entered in the studio, or the settings of a gateway; null if it is not configured.',
    Type.Enum(['environment', 'studio', 'configuration']),
  ),
  variables: list(
    'The environment variables that configure it; any one of them is enough. Empty for a gateway.',
    Type.String(),
  ),
  key_ends_with: orNull(
    'For a hosted provider: the last four characters of the key in use, if it has at least twelve.',
    Type.String(),
  ),
  takes_key: flag('Whether set_provider_key accepts a key for it.'),
  key_is_kept: flag(
    'Whether a key that was entered in the studio is stored. An environment variable takes precedence over it.',
  ),
  list_failure: optional(
    text('Why its list of models could not be read the last time: its response, or that there was none.'),
  ),
  key_unusable: optional(text('Why the stored key cannot be decrypted now.')),
});
export type ModelProviderEntry = Static<typeof ModelProviderEntrySchema>;

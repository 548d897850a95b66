// The keys of the configuration file that configure models. Each can be set in a variable instead, as JSON.
import type { JsonObject } from '../../../shared/json.ts';
import { BOOLEAN, type DescribedKey, listOfObjects, mapOf, objectSchema, STRING, STRINGS } from '../config-part.ts';

const AMOUNT: JsonObject = { type: 'number', minimum: 0 };

export const MODEL_KEYS = {
  model_gateways: {
    variable: 'MODEL_GATEWAYS',
    meaning: 'OpenAI-compatible endpoints for chat completions; each is a provider under its name.',
    default: 'none',
    example:
      'model_gateways:\n  - { name: house, base_url: "https://models.example.com/v1", api_key: "${HOUSE_KEY}" }\n',
    schema: listOfObjects(
      {
        name: STRING,
        base_url: STRING,
        api_key: STRING,
        headers: mapOf(STRING),
        query_params: mapOf(STRING),
        structured_outputs: BOOLEAN,
        include_usage: BOOLEAN,
        expose_provider_messages: BOOLEAN,
        allowed_provider_options: STRINGS,
      },
      ['name', 'base_url'],
    ),
  },
  model_aliases: {
    variable: 'MODEL_ALIASES',
    meaning: 'Alternative names for models.',
    default: 'none',
    example: 'model_aliases:\n  house/default: openai/gpt-5-mini\n',
    schema: mapOf(STRING),
  },
  allowed_models: {
    variable: 'ALLOWED_MODELS',
    meaning: 'The only references that definitions may name.',
    default: 'every model',
    example: 'allowed_models: [openai/gpt-5-mini, "azure/*"]\n',
    schema: STRINGS,
  },
  declared_models: {
    variable: 'DECLARED_MODELS',
    meaning: 'Models of providers and gateways that do not list their own.',
    default: 'none',
    example: 'declared_models:\n  azure: [gpt-5-mini]\n',
    schema: mapOf(STRINGS),
  },
  model_prices: {
    variable: 'MODEL_PRICES',
    meaning: 'Prices of models for a million tokens, in the currency that you choose. Costs are computed with them.',
    default: 'none',
    example: 'model_prices:\n  openai/gpt-5-mini: { input: 0.25, output: 2, cached: 0.025 }\n',
    schema: mapOf(objectSchema({ input: AMOUNT, output: AMOUNT, cached: AMOUNT }, ['input', 'output'])),
  },
  local_model_servers: {
    variable: 'LOCAL_MODEL_SERVERS',
    meaning: 'Addresses at which the studio looks for servers of local models.',
    default: 'those of Ollama and LM Studio on this machine',
    example: 'local_model_servers: ["http://127.0.0.1:8080/v1"]\n',
    schema: STRINGS,
  },
} as const satisfies Record<string, DescribedKey & { variable: string }>;

export type ModelKey = keyof typeof MODEL_KEYS;

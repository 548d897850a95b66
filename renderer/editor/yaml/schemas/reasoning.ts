import {
  CONNECTED_TOOL,
  DESCRIPTION,
  EXAMPLES,
  EXPOSE,
  JSON_SCHEMA,
  OUTPUT,
  type Schema,
  SCHEMA,
} from './json-schema.ts';

/** The front matter of a reasoning function. */
export const REASONING_SCHEMA: Schema = {
  type: 'object',
  description: 'A reasoning function. Its prompt is below the front matter.',
  required: ['model'],
  properties: {
    description: DESCRIPTION,
    model: { type: 'string', description: 'The model, as provider/model, or the name of an alias.' },
    instructions: { type: 'string', description: 'The system message; a template with `input`.' },
    input: { ...SCHEMA, description: "The JSON Schema of a run's input." },
    output: { ...OUTPUT, description: "The JSON Schema of the model's response, or `shape: NAME`. Default: { text }." },
    tools: {
      type: 'array',
      items: { type: 'string', description: `${CONNECTED_TOOL} SERVER/* means all tools that the operator allows.` },
      description: 'The tools that the model may call.',
    },
    config: {
      type: 'object',
      description: 'Parameters of the model call.',
      properties: {
        temperature: { type: 'number', description: 'The randomness of the response, from 0.' },
        top_p: {
          type: 'number',
          description: 'Nucleus sampling: the share of the most likely tokens to choose from, 0 to 1.',
        },
        max_output_tokens: {
          type: 'integer',
          description: 'The maximum number of tokens in the response; default 1024.',
        },
        seed: {
          type: 'integer',
          description: 'With the same seed, responses are similar, if the provider supports it.',
        },
        stop: { type: 'array', items: { type: 'string' }, description: 'Stop sequences, at most 4.' },
        reasoning_effort: {
          enum: ['minimal', 'low', 'medium', 'high'],
          description: 'How much the model reasons before it responds.',
        },
        max_steps: {
          type: 'integer',
          description: 'The maximum number of model turns when tools are used; default 8, at most 32.',
        },
      },
    },
    provider_options: {
      type: 'object',
      description: 'Options to pass to a provider, by provider name, if the provider allows them.',
      additionalProperties: { type: 'object' },
    },
    examples: EXAMPLES,
    expose: EXPOSE,
  },
  $defs: { schema: JSON_SCHEMA },
};

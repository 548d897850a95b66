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
  description: 'A reasoning function; its prompt stands below the front matter.',
  required: ['model'],
  properties: {
    description: DESCRIPTION,
    model: { type: 'string', description: 'The model, written provider/model, or the name of an alias.' },
    instructions: { type: 'string', description: 'The system message; a template over `input`.' },
    input: { ...SCHEMA, description: "The JSON Schema of a run's input." },
    output: { ...OUTPUT, description: 'The JSON Schema of the answer, or `shape: NAME`; without it: { text }.' },
    tools: {
      type: 'array',
      items: { type: 'string', description: `${CONNECTED_TOOL} SERVER/* means all that the operator allows.` },
      description: 'The tools that the model may call on the way.',
    },
    config: {
      type: 'object',
      description: 'How the model is asked.',
      properties: {
        temperature: { type: 'number', description: 'How much the answer varies, from 0.' },
        top_p: { type: 'number', description: 'From how much of the likely words it is taken, 0 to 1.' },
        max_output_tokens: { type: 'integer', description: 'The longest answer; default 1024.' },
        seed: { type: 'integer', description: 'The same seed gives like answers, where the provider can do so.' },
        stop: { type: 'array', items: { type: 'string' }, description: 'Texts at which the answer ends; at most 4.' },
        reasoning_effort: { enum: ['minimal', 'low', 'medium', 'high'], description: 'How long the model thinks.' },
        max_steps: { type: 'integer', description: 'Model turns when tools are used; default 8, at most 32.' },
      },
    },
    provider_options: {
      type: 'object',
      description: 'Passed to the provider, by its name, where it allows them.',
      additionalProperties: { type: 'object' },
    },
    examples: EXAMPLES,
    expose: EXPOSE,
  },
  $defs: { schema: JSON_SCHEMA },
};

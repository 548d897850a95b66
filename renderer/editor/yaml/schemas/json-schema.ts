// Completion for JSON Schemas and examples in documents. The service supports more keywords than are suggested here.
import { SHAPES } from '../../../../shared/shapes/index.ts';

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Included as `$defs/schema` in the schema of each document type. */
export const JSON_SCHEMA: Schema = {
  type: 'object',
  description: 'A JSON Schema (2020-12).',
  properties: {
    type: {
      description: 'The type of the value.',
      anyOf: [
        { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] },
        { type: 'array', items: { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] } },
      ],
    },
    title: { type: 'string', description: 'A short name, shown in forms.' },
    description: { type: 'string', description: 'What the value means; shown in forms and to agents.' },
    properties: {
      type: 'object',
      description: 'The properties of an object, by name.',
      additionalProperties: { $ref: '#/$defs/schema' },
    },
    required: { type: 'array', items: { type: 'string' }, description: 'The properties that must be present.' },
    additionalProperties: { description: '`false` rejects properties that are not listed.' },
    items: { $ref: '#/$defs/schema' },
    enum: { type: 'array', description: 'The allowed values.' },
    const: { description: 'The only allowed value.' },
    default: { description: 'The initial value in a form.' },
    format: { enum: ['date-time', 'date', 'time', 'email', 'uri', 'uuid'], description: 'The format of a string.' },
    pattern: { type: 'string', description: 'A regular expression that a string must match.' },
    minLength: { type: 'integer', description: 'The minimum number of characters.' },
    maxLength: { type: 'integer', description: 'The maximum number of characters.' },
    minimum: { type: 'number', description: 'The minimum value.' },
    maximum: { type: 'number', description: 'The maximum value.' },
    minItems: { type: 'integer', description: 'The minimum number of items.' },
    maxItems: { type: 'integer', description: 'The maximum number of items.' },
    anyOf: {
      type: 'array',
      items: { $ref: '#/$defs/schema' },
      description: 'The value must match at least one of these schemas.',
    },
    oneOf: {
      type: 'array',
      items: { $ref: '#/$defs/schema' },
      description: 'The value must match exactly one of these schemas.',
    },
  },
};

export const SCHEMA: Schema = { $ref: '#/$defs/schema' };

export const SHAPE: Schema = {
  enum: Object.keys(SHAPES),
  description: 'A named output schema that the studio can draw; replaces a schema.',
};

/** An output's schema, or the name of a shape. */
export const OUTPUT: Schema = {
  type: 'object',
  description: "The JSON Schema of a run's output, or `shape: NAME`.",
  properties: { ...(JSON_SCHEMA['properties'] as Schema), shape: SHAPE },
};

export const DESCRIPTION: Schema = { type: 'string', description: 'One or two sentences, for people and agents.' };

export const EXPOSE: Schema = {
  type: 'boolean',
  description: "`true` exposes it as a tool on the playbook's MCP endpoint.",
};

export const EXAMPLES: Schema = {
  type: 'array',
  description: 'Inputs to test it with. The studio suggests them, and `cuebook test` runs them.',
  items: {
    type: 'object',
    required: ['name', 'input'],
    properties: {
      name: { type: 'string', description: 'The name of the example.' },
      input: { description: 'The input of the run.' },
      output: { description: 'The expected output.' },
    },
  },
};

export const CONNECTED_TOOL = 'A tool, as SERVER/TOOL.';

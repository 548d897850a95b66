// What completion offers where a document holds a JSON Schema, and where it holds an example. The service takes more.
import { SHAPES } from '../../../../shared/shapes/index.ts';

export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Stands under `$defs/schema` of each document's schema. */
export const JSON_SCHEMA: Schema = {
  type: 'object',
  description: 'A JSON Schema (2020-12).',
  properties: {
    type: {
      description: 'What kind of value it is.',
      anyOf: [
        { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] },
        { type: 'array', items: { enum: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] } },
      ],
    },
    title: { type: 'string', description: 'A short name; forms show it.' },
    description: { type: 'string', description: 'What it means; forms and agents read it.' },
    properties: {
      type: 'object',
      description: 'The members of an object, by their names.',
      additionalProperties: { $ref: '#/$defs/schema' },
    },
    required: { type: 'array', items: { type: 'string' }, description: 'The members that must be there.' },
    additionalProperties: { description: '`false` refuses members that are not named.' },
    items: { $ref: '#/$defs/schema' },
    enum: { type: 'array', description: 'The values that it takes, and no others.' },
    const: { description: 'The one value that it takes.' },
    default: { description: 'What a form begins with.' },
    format: { enum: ['date-time', 'date', 'time', 'email', 'uri', 'uuid'], description: 'What a text looks like.' },
    pattern: { type: 'string', description: 'A regular expression that a text matches.' },
    minLength: { type: 'integer', description: 'The fewest characters of a text.' },
    maxLength: { type: 'integer', description: 'The most characters of a text.' },
    minimum: { type: 'number', description: 'The least number.' },
    maximum: { type: 'number', description: 'The greatest number.' },
    minItems: { type: 'integer', description: 'The fewest entries of a list.' },
    maxItems: { type: 'integer', description: 'The most entries of a list.' },
    anyOf: { type: 'array', items: { $ref: '#/$defs/schema' }, description: 'It fits at least one of these.' },
    oneOf: { type: 'array', items: { $ref: '#/$defs/schema' }, description: 'It fits exactly one of these.' },
  },
};

export const SCHEMA: Schema = { $ref: '#/$defs/schema' };

export const SHAPE: Schema = {
  enum: Object.keys(SHAPES),
  description: 'A named output that the studio draws; it stands in place of a schema.',
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
  description: "`true` makes it a tool of its own on the playbook's MCP endpoint.",
};

export const EXAMPLES: Schema = {
  type: 'array',
  description: 'Inputs to try it with; the studio offers them, `cuebook test` checks them.',
  items: {
    type: 'object',
    required: ['name', 'input'],
    properties: {
      name: { type: 'string', description: 'What the example is called.' },
      input: { description: 'What it is run with.' },
      output: { description: 'What it gives.' },
    },
  },
};

export const CONNECTED_TOOL = 'A tool, written SERVER/TOOL.';

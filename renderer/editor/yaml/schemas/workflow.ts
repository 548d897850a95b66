// The standard's schema, for completion and hover, without what the service refuses and with its extensions. That is
// all it decides: what is right, the service says.
import standard from '../../../../resources/schemas/workflow.yaml';
import { EXAMPLES, EXPOSE, JSON_SCHEMA, type Schema, SHAPE, CONNECTED_TOOL } from './json-schema.ts';

type Part = Record<string, unknown>;
const part = (of: unknown, ...path: readonly (string | number)[]): Part =>
  path.reduce<unknown>((one, key) => (one as Part)[key], of) as Part;

/** The forms of a choice that are served, by their titles. */
function keep(choice: Part, unserved: RegExp): void {
  choice['oneOf'] = (choice['oneOf'] as Part[]).filter(({ title }) => !unserved.test(String(title)));
}

const CALL_TOOL: Schema = {
  title: 'CallTool',
  description: 'Calls a tool of a connected server.',
  type: 'object',
  required: ['call', 'with'],
  allOf: [
    { $ref: '#/$defs/taskBase' },
    {
      properties: {
        call: { const: 'tool' },
        with: {
          type: 'object',
          required: ['tool'],
          properties: {
            tool: { type: 'string', description: CONNECTED_TOOL },
            arguments: { type: 'object', description: "The tool's arguments, or an expression in ${ }." },
          },
        },
      },
    },
  ],
};

function made(): Schema {
  const { $id: _id, $schema: _dialect, ...copy } = structuredClone(standard) as Part;
  const definitions = part(copy, '$defs');
  const call = part(definitions, 'callTask');
  keep(call, /^Call(AsyncAPI|GRPC|A2A)$/);
  (call['oneOf'] as unknown[]).push(CALL_TOOL);
  const run = part(definitions, 'runTask', 'allOf', 1, 'properties', 'run');
  keep(run, /^Run(Container|Script|Shell)$/);
  delete part(run, 'properties')['return'];
  delete part(copy, 'properties', 'use', 'properties')['catalogs'];

  // The standard's own `schema` is what holds a schema; ours, by which the schemas refer to themselves, is the inner one.
  const holder = part(definitions, 'schema');
  part(holder, 'oneOf', 0, 'properties')['document'] = { $ref: '#/$defs/schema' };
  definitions['schemaHolder'] = holder;
  definitions['schema'] = JSON_SCHEMA;
  for (const name of ['input', 'output', 'export']) {
    part(definitions, name, 'properties', 'schema')['$ref'] = '#/$defs/schemaHolder';
  }
  const output = structuredClone(definitions['output']) as Part;
  part(output, 'properties')['shape'] = SHAPE;
  part(copy, 'properties')['output'] = output;
  part(copy, 'properties', 'schedule', 'properties')['timezone'] = {
    type: 'string',
    description: 'The IANA time zone of `cron`, such as Europe/Berlin; default UTC.',
  };
  part(copy, 'properties', 'document', 'properties')['metadata'] = {
    type: 'object',
    description: 'What the standard has no place for.',
    properties: { examples: EXAMPLES, expose: EXPOSE },
  };
  return copy;
}

export const WORKFLOW_SCHEMA: Schema = made();

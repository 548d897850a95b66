// The schema of the Serverless Workflow standard with Cuebook's extensions, and without the parts that the service does not
// support. It is used for completion and hover only: the service checks documents.
import standard from '../../../../resources/schemas/workflow.yaml';
import { EXAMPLES, EXPOSE, JSON_SCHEMA, type Schema, SHAPE, CONNECTED_TOOL } from './json-schema.ts';

type SchemaNode = Record<string, unknown>;
const nodeAt = (of: unknown, ...path: readonly (string | number)[]): SchemaNode =>
  path.reduce<unknown>((one, key) => (one as SchemaNode)[key], of) as SchemaNode;

/** Removes the alternatives of a schema that the service does not support, by title. */
function removeUnsupported(choice: SchemaNode, unsupported: RegExp): void {
  choice['oneOf'] = (choice['oneOf'] as SchemaNode[]).filter(({ title }) => !unsupported.test(String(title)));
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

function workflowSchema(): Schema {
  const { $id: _id, $schema: _dialect, ...copy } = structuredClone(standard) as SchemaNode;
  const definitions = nodeAt(copy, '$defs');
  const call = nodeAt(definitions, 'callTask');
  removeUnsupported(call, /^Call(AsyncAPI|GRPC|A2A)$/);
  (call['oneOf'] as unknown[]).push(CALL_TOOL);
  const run = nodeAt(definitions, 'runTask', 'allOf', 1, 'properties', 'run');
  removeUnsupported(run, /^Run(Container|Script|Shell)$/);
  delete nodeAt(run, 'properties')['return'];
  delete nodeAt(copy, 'properties', 'use', 'properties')['catalogs'];

  // The `schema` definition of the standard is an object that contains a schema. Ours is the JSON Schema itself.
  const holder = nodeAt(definitions, 'schema');
  nodeAt(holder, 'oneOf', 0, 'properties')['document'] = { $ref: '#/$defs/schema' };
  definitions['schemaHolder'] = holder;
  definitions['schema'] = JSON_SCHEMA;
  for (const name of ['input', 'output', 'export']) {
    nodeAt(definitions, name, 'properties', 'schema')['$ref'] = '#/$defs/schemaHolder';
  }
  const output = structuredClone(definitions['output']) as SchemaNode;
  nodeAt(output, 'properties')['shape'] = SHAPE;
  nodeAt(copy, 'properties')['output'] = output;
  nodeAt(copy, 'properties', 'schedule', 'properties')['timezone'] = {
    type: 'string',
    description: 'The IANA time zone for `cron`, such as Europe/Berlin; default UTC.',
  };
  nodeAt(copy, 'properties', 'document', 'properties')['metadata'] = {
    type: 'object',
    description: 'Settings that the standard does not define.',
    properties: { examples: EXAMPLES, expose: EXPOSE },
  };
  return copy;
}

export const WORKFLOW_SCHEMA: Schema = workflowSchema();

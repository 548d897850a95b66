// The schema of the Serverless Workflow standard with Cuebook's extensions, and without the parts that the service does not
// support. It is used for completion and hover only: the service checks documents.
import { WORKFLOW_TASKS } from '../../../../shared/api/descriptions.generated.ts';
import standard from '../../../../resources/schemas/workflow.yaml';
import { applyChange, nodeAt, type SchemaNode } from './apply-change.ts';
import { EXAMPLES, EXPOSE, JSON_SCHEMA, type Schema, SHAPE } from './json-schema.ts';

function workflowSchema(): Schema {
  const { $id: _id, $schema: _dialect, ...copy } = structuredClone(standard) as SchemaNode;
  const definitions = nodeAt(copy, '$defs');
  for (const { schema } of Object.values(WORKFLOW_TASKS)) if (schema !== undefined) applyChange(copy, schema);
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

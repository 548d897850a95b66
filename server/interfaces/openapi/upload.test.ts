import { Validator } from '@seriousme/openapi-schema-validator';
import Type from 'typebox';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { defineUpload } from '../../operations/index.ts';
import { openapiDocument } from './index.ts';

const operation = defineUpload({
  name: 'store',
  tag: 'Tests',
  title: 'Store',
  description: 'For tests.',
  permissions: ['playbook:write'],
  method: 'PUT',
  route: '/playbooks/{playbook}/stored',
  path: Type.Object({ playbook: Type.String() }),
  upload: { mediaType: 'application/octet-stream', bytes: 64 * 1024 * 1024, description: 'A model.' },
  output: Type.Object({ bytes: Type.Integer() }),
  problems: [],
  hints: { readOnly: false, destructive: false, idempotent: true },
  handle: async (_call, _path, { bytes }) => ({ isNew: true, answer: { bytes } }),
});

test('given an upload, then its body is raw bytes with their limit in words, and agents get no tool', async () => {
  const document = openapiDocument([operation], '0');
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  const paths = document['paths'] as Record<string, { put: JsonObject }>;
  const described = paths['/orgs/{org}/playbooks/{playbook}/stored']?.put;
  expect(described?.['requestBody']).toEqual({
    required: true,
    description: expect.stringMatching(/^A model\. At most 64 MiB \(67108864 bytes\)\. `Content-Length` is required/),
    content: { 'application/octet-stream': {} },
  });
  expect(Object.keys(described?.['responses'] ?? {})).toEqual(
    expect.arrayContaining(['200', '201', '403', '404', '411', '413', '415']),
  );
  expect(operation.mcp).toBe(false);
});

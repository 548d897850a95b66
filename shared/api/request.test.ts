import { describe, expect, test } from 'vitest';
import { requestOf, uploadRequestOf } from './client.ts';

describe('the HTTP request of an operation', () => {
  test('given an operation that reads, then fields that are not in the path are in the query string', () => {
    expect(requestOf('list_runs', { playbook: 'desk', status: 'failed', limit: 1 })).toEqual({
      method: 'GET',
      path: '/v1/orgs/local/playbooks/desk/runs?status=failed&limit=1',
    });
  });

  test('given a command, then fields that are not in the path are in the body', () => {
    const input = { playbook: 'desk', type: 'computation', name: 'sum', source: 'x' } as const;
    expect(requestOf('update_definition', input)).toEqual({
      method: 'PUT',
      path: '/v1/orgs/local/playbooks/desk/definitions/computation/sum',
      body: { source: 'x' },
    });
  });

  test('given a command without fields, then its body is an empty object', () => {
    expect(requestOf('cancel_run', { playbook: 'desk', run_id: 'one' }).body).toEqual({});
  });

  test('given an org, then it replaces the local org', () => {
    expect(requestOf('list_connections', { org: 'acme' }).path).toBe('/v1/orgs/acme/connections');
    expect(requestOf('list_connections', { org: undefined }).path).toBe('/v1/orgs/local/connections');
  });

  test('given undefined members, then they are not sent; null, false and empty text are', () => {
    expect(requestOf('list_runs', { playbook: 'desk', cursor: undefined, name: '' }).path).toMatch(/runs\?name=$/);
    expect(requestOf('list_playbooks', { include_retired: false }).path).toMatch(/playbooks\?include_retired=false$/);
    expect(requestOf('set_provider_key', { provider: 'openai', key: null }).body).toEqual({
      provider: 'openai',
      key: null,
    });
  });

  test('given characters with a meaning in URLs, then they are escaped', () => {
    expect(requestOf('introspect', { playbook: 'desk', server: 'a/b', tool: 'c?d#e' }).path).toMatch(
      /tool-servers\/a%2Fb\/tools\/c%3Fd%23e$/,
    );
    expect(requestOf('search', { playbook: 'desk', terms: 'a & b=c' }).path).toMatch(/search\?terms=a%20%26%20b%3Dc$/);
  });
});

test('given an upload, then its request has the media type, and the file is sent as the body', () => {
  expect(uploadRequestOf('upload_dataset', { playbook: 'desk', sha256: 'ab' })).toEqual({
    method: 'PUT',
    path: '/v1/orgs/local/playbooks/desk/datasets/ab',
    headers: { 'content-type': 'text/csv' },
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

let server: TestServer;
const ORG = '/v1/orgs/local';
const create = (playbook: string, more: object = {}) =>
  server.post(`${ORG}/playbooks`, { playbook, name: playbook, ...more });

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe('a playbook', () => {
  test('is created with its texts trimmed', async () => {
    const created = await create('trimmed', { name: '  Desk ', description: '\n For tickets. ' });
    expect(created).toMatchObject({
      status: 201,
      body: { id: 'trimmed', name: 'Desk', description: 'For tickets.', status: 'active', created_by: 'developer' },
    });
    expect(created.body).not.toHaveProperty('retired_at');
  });

  test('keeps its id, even after it is retired', async () => {
    await create('taken');
    expect((await create('taken')).status).toBe(409);
    await server.post(`${ORG}/playbooks/taken/retire`, {});
    expect((await create('taken')).status).toBe(409);
  });

  test('is one of its org alone', async () => {
    await create('here');
    expect((await server.get('/v1/orgs/other/playbooks/here')).status).toBe(404);
    expect((await server.get('/v1/orgs/other/playbooks')).body).toEqual({ playbooks: [] });
  });

  test('is updated whole, and an update that changes nothing records nothing', async () => {
    const { body: created } = await create('updated', { description: 'Old' });
    const route = `${ORG}/playbooks/updated`;
    expect((await server.put(route, { name: 'New' })).body.errors).toMatchObject([{ pointer: '/description' }]);
    expect((await server.put(route, { name: 'updated', description: ' Old' })).body).toEqual(created);
    expect((await server.put(route, { name: 'New', description: '' })).body).toMatchObject({
      name: 'New',
      description: '',
    });
    expect((await server.put(`${ORG}/playbooks/none`, { name: 'New', description: '' })).status).toBe(404);
  });

  test('is retired permanently: it accepts no command and can be read', async () => {
    await create('ended');
    const route = `${ORG}/playbooks/ended`;
    const retired = await server.post(`${route}/retire`, {});
    expect(retired.body).toMatchObject({ status: 'retired', retired_at: expect.any(String) });
    expect((await server.post(`${route}/retire`, {})).body).toEqual(retired.body);
    const source = 'export default () => 1;';
    for (const refused of [
      await server.put(route, { name: 'New', description: '' }),
      await server.post(`${route}/definitions/computation`, { name: 'one', source }),
      await server.post(`${route}/definitions/computation/check`, { source }),
      await server.post(`${route}/definitions/computation/one/run`, {}),
      await server.post(`${route}/events`, { event: { source: '/a', type: 'b' } }),
      await server.post(`${route}/apply`, { name: 'New', definitions: [] }),
    ]) {
      expect(refused).toMatchObject({ status: 409, body: { reason: 'conflict', kind: 'retired' } });
    }
    for (const path of ['', '/definitions/computation', '/runs', '/events', '/analytics', '/export']) {
      expect((await server.get(route + path)).status, path).toBe(200);
    }
    const listed = async (query: string) =>
      (await server.get(`${ORG}/playbooks${query}`)).body.playbooks.map(({ id }: { id: string }) => id);
    expect(await listed('')).not.toContain('ended');
    expect(await listed('?include_retired=true')).toContain('ended');
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../server/testing/index.ts';
import { BEGINNINGS } from './beginnings.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
});
afterAll(() => server.close());

test.each(Object.entries(BEGINNINGS))(
  'what a new %s begins with is valid and gives no warning',
  async (type, source) => {
    const { body } = await server.post(`/v1/orgs/local/playbooks/desk/definitions/${type}/check`, { source });
    expect(body).toMatchObject({ valid: true, issues: [], warnings: [] });
  },
);

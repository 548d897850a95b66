import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../../server/test/index.ts';
import { callOf, NEW_STEPS } from './new-steps.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk', description: '' });
  const charge = { name: 'charge', source: 'export default (input) => input;\n' };
  await server.post('/v1/orgs/local/playbooks/desk/definitions/computation', charge);
});
afterAll(() => server.close());

test.each([...NEW_STEPS, callOf({ reference: 'computation/charge' })].map((step) => [step.title, step] as const))(
  'a new %s is valid and gives no warning',
  async (_title, { name, task }) => {
    const source = JSON.stringify({
      document: { dsl: '1.0.3', namespace: 'desk', name: 'order', version: '1.0.0' },
      do: [{ [name]: task }],
    });
    const { body } = await server.post('/v1/orgs/local/playbooks/desk/definitions/workflow/check', { source });
    expect(body).toMatchObject({ valid: true, issues: [], warnings: [] });
  },
);

test('the name of a called definition becomes the name of the step, and its description says what the step does', () => {
  const description = 'Charges a card.';
  expect(callOf({ reference: 'computation/charge', description })).toMatchObject({
    about: description,
    name: 'charge',
    task: { call: 'computation/charge' },
  });
});

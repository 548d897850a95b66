// Recall functions over HTTP, with the real store, sandbox and type checker.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHAPES } from '../shared/shapes/index.ts';
import { type Answer, startServer, type TestServer } from './testing/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let playbooks = 0;
/** A playbook of its own, and what a test asks of it. */
async function givenPlaybook() {
  playbooks += 1;
  const playbook = `desk-${playbooks}`;
  const at = `/v1/orgs/local/playbooks/${playbook}`;
  await server.post('/v1/orgs/local/playbooks', { playbook, name: 'Desk' });
  const path = (name: string, type = 'recall') => `${at}/definitions/${type}/${name}`;
  return {
    at,
    save: (name: string, source: string, type = 'recall') => server.post(`${at}/definitions/${type}`, { name, source }),
    update: (name: string, source: string) => server.put(path(name), { source }),
    get: (name: string, type = 'recall') => server.get(path(name, type)),
    retire: (name: string) => server.post(`${path(name)}/retire`),
    run: (name: string, input: unknown = {}, type = 'recall') => server.post(`${path(name, type)}/run`, { input }),
    publish: (event: object) => server.post(`${at}/events`, { event: { source: '/desk', type: 'told', ...event } }),
    record: async (answer: Answer): Promise<unknown> => (await server.get(`${at}/runs/${answer.body.run_id}`)).body.record,
  };
}

/** A recall function that keeps what it sees. */
const seeing = (reads: string, see = 'event'): string => `export const reads = ${reads};
export const initial = { seen: [] };
export function evolve(state, event) { state.seen.push(${see}); return state; }
export const answer = (state) => state.seen;
`;

const told = ({ body }: Answer): string[] => (body.errors ?? []).map(({ detail }: { detail: string }) => detail);
const warned = ({ body }: Answer): string[] => body.warnings.map(({ detail }: { detail: string }) => detail);

describe('a view', () => {
  test('has every published event that was there before the run, whole and in order', async () => {
    const desk = await givenPlaybook();
    await desk.publish({ id: 'a', data: { text: 'x'.repeat(5000) }, subject: 'T1', priority: 3 });
    expect(await desk.save('all-told', seeing('[{ events: {} }]'))).toMatchObject({ status: 201, body: { warnings: [] } });
    await desk.publish({ id: 'b', time: '2026-01-01T00:00:00+01:00' });
    const run = await desk.run('all-told');
    expect(run).toMatchObject({
      status: 200,
      body: {
        output: [
          {
            kind: 'event',
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            at: expect.stringMatching(/Z$/),
            by: 'developer',
            event: {
              specversion: '1.0',
              source: '/desk',
              type: 'told',
              id: 'a',
              time: expect.any(String),
              subject: 'T1',
              priority: 3,
              data: { text: 'x'.repeat(5000) },
            },
          },
          { kind: 'event', event: { id: 'b', time: '2026-01-01T00:00:00+01:00' } },
        ],
      },
    });
    expect(await desk.record(run)).toEqual({ checkpoint: expect.any(Number) });
  });
});

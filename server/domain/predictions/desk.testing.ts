// A playbook with a prediction function, as its people and trainers use it over HTTP.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type Answer, type TestClient } from '../../test/index.ts';

const ORG = '/v1/orgs/local/playbooks';

export const digestOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The label of a month; 0 is January 2019. */
export function month(at: number): string {
  return `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}

export interface Desk {
  /** The path of the playbook, and of its prediction function. */
  at: string;
  function: string;
  save: (type: string, name: string, source: string) => Promise<void>;
  dataset: (csv: string) => Promise<Answer>;
  /** Starts a build, uploads a model to it and answers with that; returns the id of the build's run. */
  answered: (model: Uint8Array, build?: { dataset?: string }) => Promise<string>;
  /** The same, and waits for the end; returns the run. */
  built: (model: Uint8Array, build?: { dataset?: string }) => Promise<Answer['body']>;
  activate: (version: number) => Promise<Answer>;
  ended: (runId: string) => Promise<Answer['body']>;
  /** The open requests of the inbox. */
  requests: () => Promise<Answer['body'][]>;
  answer: (runId: string, answer: object) => Promise<Answer>;
  standing: () => Promise<Answer['body']>;
  /** The latest events of the playbook that are of these types, oldest first. */
  events: (...types: string[]) => Promise<Answer['body'][]>;
}

/** @param client asked at each request, since a server that is started again has another */
export async function createDesk(client: () => TestClient, playbook: string, source: string): Promise<Desk> {
  const at = `${ORG}/${playbook}`;
  const named = `${at}/definitions/prediction/tickets`;
  const run = async (runId: string) => (await client().get(`${at}/runs/${runId}`)).body;
  const desk: Desk = {
    at,
    function: named,
    async save(type, name, document) {
      expect((await client().post(`${at}/definitions/${type}`, { name, source: document })).status).toBe(201);
    },
    dataset: (csv) =>
      client().send('PUT', `${at}/datasets/${digestOf(csv)}`, { headers: { 'content-type': 'text/csv' }, body: csv }),
    async answered(model, build = {}) {
      const { run_id: id } = (await client().post(`${named}/run`, { input: { build } })).body;
      const uploaded = await client().send('POST', `${at}/runs/${id}/build/candidates`, {
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(model),
      });
      expect((await desk.answer(id, { candidates: [uploaded.body.candidate] })).status).toBe(200);
      return id;
    },
    built: async (model, build) => desk.ended(await desk.answered(model, build)),
    activate: (version) => client().post(`${named}/activate`, { version }),
    async ended(runId) {
      await expect.poll(async () => (await run(runId)).status, { timeout: 60_000 }).not.toBe('started');
      return run(runId);
    },
    requests: async () => (await client().get(`${at}/interactions`)).body.interactions,
    answer: (runId, answer) => client().post(`${at}/runs/${runId}/answer`, { answer }),
    standing: async () => (await client().get(named)).body.standing,
    async events(...types) {
      const { events } = (await client().get(`${at}/events?limit=100&order=desc`)).body;
      return events.filter(({ type }: Answer['body']) => types.includes(type)).toReversed();
    },
  };
  await client().post(ORG, { playbook, name: 'Desk' });
  await desk.save('prediction', 'tickets', source);
  return desk;
}

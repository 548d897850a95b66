// The Node trainer against a real server.
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../../server/test/index.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { createModelRunner } from '../../../server/lib/onnx/index.ts';
import { answerOpenBuilds } from './train.ts';

const { availability } = createModelRunner({ clock: systemClock });
if (!availability.isAvailable) console.log(`Skipped: ${availability.reason}`);

const SOURCE = `dataset: { value: tickets }
period: month
season: 5
context: 15
horizon: 4
trainer: { inbox: forecasters }
activate: { coverage_within: 1 }
`;

/** Values that repeat every five months, with a little noise. */
function csv(): string {
  const rows = Array.from({ length: 60 }, (_, at) => {
    const label = `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    return `north,${label},${([10, 30, 50, 20, 40][at % 5] ?? 0) + ((at * 7919) % 101) / 100}`;
  });
  return `series,period,tickets\n${rows.join('\n')}\n`;
}

test.skipIf(!availability.isAvailable)(
  'given an open build of a server, then the build scores what was trained',
  async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const server = await startServer();
    onTestFinished(() => server.close());
    const at = '/v1/orgs/local/playbooks/desk';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    const body = csv();
    const digest = createHash('sha256').update(body).digest('hex');
    await server.send('PUT', `${at}/datasets/${digest}`, { headers: { 'content-type': 'text/csv' }, body });
    await server.post(`${at}/definitions/prediction`, { name: 'tickets', source: SOURCE });
    const { run_id } = (await server.post(`${at}/definitions/prediction/tickets/run`, { input: { build: {} } })).body;

    expect(await answerOpenBuilds(`${server.address}${at}`, { party: 'forecasters' })).toEqual({
      answered: 1,
      failures: [],
    });

    const run = async () => (await server.get(`${at}/runs/${run_id}`)).body;
    await expect.poll(async () => (await run()).status, { timeout: 60_000 }).not.toBe('started');
    expect(await run()).toMatchObject({
      status: 'succeeded',
      output: { candidate: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const { events } = (await server.get(`${at}/runs/${run_id}/history?limit=100`)).body;
    const types = (events as { type: string }[]).map(({ type }) => type);
    expect(types.filter((type) => type === 'candidate_scored')).toHaveLength(3);
  },
  90_000,
);

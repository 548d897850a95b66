import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_PROGRAM, startServer, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const SOURCE = `document: { dsl: '1.0.3', namespace: desk, name: tick, version: '1.0.0' }
schedule: { every: PT1S }
do: [ { a: { set: { n: 1 } } } ]
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/workflow`, { name: 'tick', source: SOURCE });
});
afterAll(() => server.close());

async function cuebook(...args: string[]): Promise<string> {
  const all = [SERVER_PROGRAM, ...args, '--server', server.address];
  return (await promisify(execFile)(process.execPath, all)).stdout;
}

test('given a schedule, then the command line pauses it, shows it, runs what it missed, and resumes it', async () => {
  expect(await cuebook('schedule', 'pause', 'desk', 'tick')).toBe('The schedule of tick is paused.\n');
  expect(await cuebook('schedules', 'desk')).toMatch(/^tick {2}every 1 second {2}paused at .* by developer\n$/);
  const { paused_at: from } = (await server.get(`${AT}/schedules`)).body.schedules[0];
  const missed = ['schedule', 'backfill', 'desk', 'tick', '--from', from];
  await expect.poll(async () => cuebook(...missed).catch(() => ''), { timeout: 20_000 }).toMatch(/Z {2}missed\n/);
  const [time = ''] = (await cuebook(...missed)).split(' ');
  const run = await cuebook(...missed, '--until', time, '--run');
  expect(run).toMatch(new RegExp(`^${time} {2}(started|succeeded) {2}[-0-9a-f]{36}\n$`));
  expect(await cuebook('schedule', 'resume', 'desk', 'tick')).toMatch(
    /^The schedule of tick is running; its next time is .*Z\.\n$/,
  );
}, 90_000);

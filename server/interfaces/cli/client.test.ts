import { expect, onTestFinished, test } from 'vitest';
import { type LoopbackServer, serveLoopback } from '../../test/index.ts';
import { createClient } from './client.ts';

test.each([301, 302, 303, 307, 308])('a server cannot redirect a command to another with HTTP %i', async (status) => {
  const arrived: string[] = [];
  const other = await serveLoopback((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  const server: LoopbackServer = await serveLoopback((_request, response) =>
    response.writeHead(status, { location: `${other.address}/v1/orgs/local/playbooks/desk/retire?key=secret` }).end(),
  );
  onTestFinished(async () => {
    await Promise.all([other.close(), server.close()]);
  });
  const client = createClient(server.address, async () => 'key');
  await expect(client.call('create_playbook', { org: 'local', playbook: 'desk', name: 'Desk' })).rejects.toThrow(
    `${server.address} redirects to ${other.address}`,
  );
  expect(arrived).toEqual([]);
});

import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_PROGRAM, serveLoopback, startServer, type TestServer } from '../../test/index.ts';

const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = `${HEAD}do: [ { nap: { wait: { milliseconds: 300 } } }, { done: { set: { awake: true } } } ]`;
  await server.post('/v1/orgs/local/playbooks/desk/definitions/workflow', { name: 'nap-one', source });
  const listening = `${HEAD}do: [ { call: { listen: { to: { one: { with: { type: bell } } } } } }, { done: { set: { awake: true } } } ]`;
  await server.post('/v1/orgs/local/playbooks/desk/definitions/workflow', { name: 'bell-one', source: listening });
});
afterAll(() => server.close());

async function run(workflow: string, address: string, ...more: string[]): Promise<unknown> {
  const args = [SERVER_PROGRAM, 'run', 'desk', `workflow/${workflow}`, '--server', address, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

test('given a workflow that waits, then its run id is printed, and with --wait its output', async () => {
  expect(await run('nap-one', server.address)).toMatchObject({ run_id: expect.any(String), status: 'started' });
  expect(await run('nap-one', server.address, '--wait')).toEqual({ awake: true });
}, 60_000);

/** Relays requests to the server, and ends the first stream regularly and the second by breaking its connection. */
function unsteadyProxy(onStream: (number: number) => void) {
  let streams = 0;
  return serveLoopback((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const relayed = request(`${server.address}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      if (response.headers['content-type']?.startsWith('text/event-stream') !== true) {
        response.pipe(outgoing);
        return;
      }
      streams += 1;
      outgoing.flushHeaders();
      onStream(streams);
      if (streams > 2) response.pipe(outgoing);
      else if (streams === 2) outgoing.destroy();
      else outgoing.end();
      outgoing.on('close', () => response.destroy());
    });
    incoming.pipe(relayed);
  });
}

test('given a proxy that ends streams, when --wait follows a run, then it reconnects and prints the output', async () => {
  const streams: number[] = [];
  const proxy = await unsteadyProxy((number) => {
    streams.push(number);
    if (number === 3)
      void server.post('/v1/orgs/local/playbooks/desk/events', { event: { type: 'bell', source: '/tests', id: '1' } });
  });
  try {
    expect(await run('bell-one', proxy.address, '--wait')).toEqual({ awake: true });
    expect(streams).toEqual([1, 2, 3]);
  } finally {
    await proxy.close();
  }
}, 60_000);

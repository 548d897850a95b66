// What tests of the rules of HTTP share: a server with a playbook, a run and an event, and requests byte by byte.
import net from 'node:net';
import { startServer, type TestServer } from '../../test/index.ts';

export const PLAYBOOKS = '/v1/orgs/local/playbooks';
export const DESK = `${PLAYBOOKS}/desk`;
export const ECHO = `${DESK}/definitions/computation/echo`;
export const EVENTS = `${DESK}/events`;
export const ALLOWED = 'https://desk.example.com';
export const STUDIO = 'https://studio.example.com';

interface Desk {
  server: TestServer;
  port: number;
  runId: string;
  eventId: string;
}

/** A server with the playbook `desk`, which has one run of `echo`, and with a retired playbook. */
export async function startDesk(): Promise<Desk> {
  const server = await startServer({
    environment: { ALLOWED_ORIGINS: `${ALLOWED}, https://b.example`, STUDIO_ORIGIN: STUDIO },
  });
  await server.post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' });
  await server.post(`${DESK}/definitions/computation`, { name: 'echo', source: 'export default (input) => input;\n' });
  const runId = (await server.post(`${ECHO}/run`, { input: 1 })).body.run_id as string;
  const eventId = (await server.get(`${EVENTS}?limit=1`)).body.events[0].id as string;
  await server.post(PLAYBOOKS, { playbook: 'retired', name: 'Retired' });
  await server.post(`${PLAYBOOKS}/retired/retire`);
  return { server, port: Number(new URL(server.address).port), runId, eventId };
}

/** Sends a request as it is written, and returns the raw answer; the connection is closed after it. */
export function sendRawTo(
  port: number,
  lines: readonly string[],
  body: string,
): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`),
    );
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: rest.join('\r\n\r\n') });
    });
  });
}

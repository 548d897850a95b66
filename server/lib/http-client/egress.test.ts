import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { createEgress } from './index.ts';
import { serveHttp } from './testing.ts';

async function given() {
  const asked: string[] = [];
  const url = await serveHttp((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/inwards') response.writeHead(302, { location: '/asked-again' });
    response.end('here');
  });
  const egress = createEgress(systemClock);
  onTestFinished(() => egress.close());
  return { url, asked, egress };
}

test.each(['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '2130706433'])(
  'a host that nobody named is not connected to at a private address: %s',
  async (host) => {
    const { url, asked, egress } = await given();
    const { send } = egress.senderFor(() => false);
    // URLs write an address in one way, whatever it was written like.
    const there = new URL(`http://${host}:${url.port}/`);
    expect(await send({ method: 'GET', url: there, headers: {} })).toMatchObject({ because: 'unreachable' });
    expect(asked).toEqual([]);
  },
);

test('a connection that was made to a named host serves no other sender', async () => {
  const { url, asked, egress } = await given();
  const get = { method: 'GET', url, headers: {} };
  expect(await egress.senderFor(({ port }) => port === url.port).send(get)).toMatchObject({ status: 200 });
  expect(await egress.senderFor(() => false).send(get)).toMatchObject({ because: 'unreachable' });
  expect(asked).toHaveLength(1);
});

test('a redirect is answered as it is', async () => {
  const { url, asked, egress } = await given();
  const answer = await egress.senderFor(() => true).send({ method: 'GET', url: new URL('inwards', url), headers: {} });
  expect(answer).toMatchObject({ status: 302 });
  expect(asked).toEqual(['/inwards']);
});

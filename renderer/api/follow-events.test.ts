import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followEvents } from './follow-events.ts';

const NOT_FOUND = { type: '/problems/not_found', title: 'Not found', status: 404, detail: 'There is none.' };

/** A service that answers as it is told to, one answer after the other; the last one stays. */
async function givenService(...answers: readonly (404 | 'event' | 'open')[]) {
  const asked: string[] = [];
  const service = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(new URL(request.url ?? '', 'http://service').searchParams.get('after') ?? '');
    if (answer === 404) {
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(NOT_FOUND));
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (answer === 'event') response.end('data: {"id":"one"}\n\n');
    }
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  const { port } = service.address() as AddressInfo;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${address}`, init));
  onTestFinished(() => void vi.unstubAllGlobals());
  return asked;
}

async function toldUntilOpen(times: number): Promise<string[]> {
  const ending = new AbortController();
  const told: string[] = [];
  const following = followEvents(
    'desk',
    {
      onOpen(missed) {
        told.push(missed ? 'open, missed some' : 'open');
        if (told.filter((one) => one.startsWith('open')).length === times) ending.abort();
      },
      onEvent: ({ id }) => void told.push(id),
      onLost: () => void told.push('lost'),
      onUnknown: () => void told.push('unknown'),
    },
    ending.signal,
    { first: 1, longest: 2 },
  );
  await following;
  return told;
}

test('given a break, then the stream continues behind the last event, and what was read before the first one counts as old', async () => {
  const asked = await givenService('event', 'open');
  expect(await toldUntilOpen(2)).toEqual(['open, missed some', 'one', 'lost', 'open']);
  expect(asked).toEqual(['', 'one']);
});

test('given a playbook that is made later, then it is followed from then on, and all that was read counts as old', async () => {
  const asked = await givenService(404, 404, 'open');
  expect(await toldUntilOpen(1)).toEqual(['unknown', 'unknown', 'open, missed some']);
  expect(asked).toHaveLength(3);
});

test('given another store answers after a break, then it is reached, and followed once it has the playbook', async () => {
  const asked = await givenService('event', 404, 404, 'open');
  expect(await toldUntilOpen(2)).toEqual(['open, missed some', 'one', 'lost', 'unknown', 'open, missed some']);
  expect(asked).toEqual(['', 'one', '', '']);
});

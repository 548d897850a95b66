import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followEvents } from './follow-events.ts';

const NOT_FOUND = { type: '/problems/not_found', title: 'Not found', status: 404, detail: 'There is none.' };

/** A service with the given responses, in order; the last one repeats. */
async function givenService(...answers: readonly (404 | 'event' | 'open')[]) {
  const requested: string[] = [];
  const service = createServer((request, response) => {
    const answer = answers[Math.min(requested.length, answers.length - 1)];
    requested.push(new URL(request.url ?? '', 'http://service').searchParams.get('after') ?? '');
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
  return requested;
}

async function reportsUntilOpen(times: number, steady = Number.POSITIVE_INFINITY): Promise<string[]> {
  const ending = new AbortController();
  const reports: string[] = [];
  const following = followEvents(
    'desk',
    {
      onOpen(missed) {
        reports.push(missed ? 'open, missed some' : 'open');
        if (reports.filter((report) => report.startsWith('open')).length === times) ending.abort();
      },
      onEvent: ({ id }) => void reports.push(id),
      onLost: () => void reports.push('lost'),
      onUnknown: () => void reports.push('unknown'),
    },
    ending.signal,
    { first: 1, longest: 2, steady },
  );
  await following;
  return reports;
}

test('given a lost connection, then the stream continues after the last event, and data from before the first event is stale', async () => {
  const requested = await givenService('event', 'open');
  expect(await reportsUntilOpen(2)).toEqual(['open, missed some', 'one', 'lost', 'open']);
  expect(requested).toEqual(['', 'one']);
});

test('given a playbook that is created later, then it is followed from then on, and all data is stale', async () => {
  const requested = await givenService(404, 404, 'open');
  expect(await reportsUntilOpen(1)).toEqual(['unknown', 'unknown', 'open, missed some']);
  expect(requested).toHaveLength(3);
});

test('given another store after a lost connection, then it is followed as soon as it has the playbook', async () => {
  const requested = await givenService('event', 404, 404, 'open');
  expect(await reportsUntilOpen(2)).toEqual(['open, missed some', 'one', 'lost', 'unknown', 'open, missed some']);
  expect(requested).toEqual(['', 'one', '', '']);
});

test('given a stream that the service ends after a while, then it continues, and the connection is not lost', async () => {
  const requested = await givenService('event', 'open');
  expect(await reportsUntilOpen(2, 0)).toEqual(['open, missed some', 'one', 'open']);
  expect(requested).toEqual(['', 'one']);
});

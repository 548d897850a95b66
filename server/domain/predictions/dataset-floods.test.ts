// More uploads of datasets at once than are read.
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clock, createFakeClock } from '../../lib/clock.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { digestOf } from './desk.testing.ts';

const fake = createFakeClock();
/** How many have begun to wait for room. */
let waits = 0;
const clock: Clock = {
  ...fake,
  wakeAfter(milliseconds, wake) {
    if (milliseconds === 10_000) waits += 1;
    return fake.wakeAfter(milliseconds, wake);
  },
};
const DATASETS = '/v1/orgs/local/playbooks/flood/datasets';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'flood', name: 'Flood' });
});
afterAll(() => server.close());

/** Sends the head of an upload; resolves when the server asks for the body, or with its answer. */
function begin(csv: string): Promise<{ request: http.ClientRequest; status: number | undefined }> {
  const headers = { 'content-type': 'text/csv', 'content-length': csv.length, expect: '100-continue' };
  const request = http.request(`${server.address}${DATASETS}/${digestOf(csv)}`, {
    method: 'PUT',
    headers,
    agent: false,
  });
  // The server may close the connection of an upload that it refused.
  request.on('error', () => {});
  return new Promise((resolve) => {
    request.once('continue', () => resolve({ request, status: undefined }));
    request.once('response', (response) => {
      response.resume();
      resolve({ request, status: response.statusCode });
    });
    request.flushHeaders();
  });
}

test('given eight datasets that are being uploaded, then the next waits, and is refused after ten seconds', async () => {
  const csvOf = (number: number): string => `series,period,v\na,2024-01,${number}\n`;
  const begun = await Promise.all(Array.from({ length: 8 }, (_, number) => begin(csvOf(number))));
  expect(begun.map(({ status }) => status)).toEqual(begun.map(() => undefined));

  const late = begin(csvOf(8));
  const later = begin(csvOf(9));
  await expect.poll(() => waits).toBe(2);
  begun[0]?.request.destroy();
  // The upload that waited longest takes the free place.
  expect((await Promise.race([late, later])).status).toBeUndefined();
  fake.advance(10_000);
  const statuses = (await Promise.all([late, later])).map(({ status }) => status ?? 0);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([0, 503]);
  for (const { request } of [...begun, await late, await later]) request.destroy();
});

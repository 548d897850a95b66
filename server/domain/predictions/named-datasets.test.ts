// Builds that name their dataset, and what a question without an active version says of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { createDesk, type Desk, digestOf, month } from './desk.testing.ts';

const sourceOf = (period: string): string => `description: Tickets.
dataset: { value: tickets, known: [promo] }
period: ${period}
context: 12
horizon: 2
trainer: { inbox: forecasters }
`;

/** One series with a row for each label. */
const csvOf = (header: string, labels: readonly string[]): string =>
  [header, ...labels.map((label, at) => `a,${label},${at % 7},1`)].join('\n');
const MONTHS = Array.from({ length: 40 }, (_, at) => month(at));
const FIRST_DAYS = MONTHS.map((label) => `${label}-01`);

const { availability } = createModelRunner({ clock: systemClock });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let desks = 0;
const givenDesk = (period: string): Promise<Desk> => {
  desks += 1;
  return createDesk(() => server, `named-${desks}`, sourceOf(period));
};
const build = async (desk: Desk, csv: string) => {
  expect((await desk.dataset(csv)).status).toBe(201);
  return server.post(`${desk.function}/run`, { input: { build: { dataset: digestOf(csv) } } });
};

describe.skipIf(!availability.isAvailable)('a dataset that a build names', () => {
  test.each<[string, string, string]>([
    ['has its columns in capitals', 'month', csvOf('Series,Period,Tickets,PROMO', MONTHS)],
    ['has dates for its months', 'month', csvOf('series,period,tickets,promo', FIRST_DAYS)],
    ['has dates that may stand for months', 'day', csvOf('series,period,tickets,promo', FIRST_DAYS)],
    [
      'has dates with dots between semicolons',
      'month',
      csvOf(
        ' series ; period ; tickets ; promo ',
        FIRST_DAYS.map((day) => day.split('-').toReversed().join('.')),
      ).replaceAll(',', ';'),
    ],
  ])('%s', async (_what, period, csv) => {
    expect((await build(await givenDesk(period), csv)).body).toMatchObject({ status: 'started' });
  });

  test.each<[string, string, string, string]>([
    [
      'another period',
      'week',
      csvOf('series,period,tickets,promo', MONTHS),
      'The period of the dataset is month, and that of the function week.',
    ],
    [
      'no such column',
      'month',
      csvOf('series,period,Tickets,price', MONTHS),
      'The dataset has no column `promo`; it has Tickets, price.',
    ],
  ])('with %s is refused', async (_what, period, csv, detail) => {
    expect(await build(await givenDesk(period), csv)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/input/build/dataset', detail }] },
    });
  });

  test('a question names the last build while it waits, and after it was cancelled', async () => {
    const desk = await givenDesk('month');
    const { run_id: id } = (await build(desk, csvOf('series,period,tickets,promo', MONTHS))).body;
    const ask = async () => (await server.post(`${desk.function}/run`, { input: { series: 'a' } })).body.detail;
    expect(await ask()).toContain(`The last build, the run ${id}, is waiting for its trainer or being scored.`);
    expect((await server.post(`${desk.at}/runs/${id}/cancel`, {})).status).toBe(200);
    await desk.ended(id);
    expect(await ask()).toMatch(new RegExp(`The last build, the run ${id}, ended without a version: .*cancelled`));
  });
});

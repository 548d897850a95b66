// What a build's version is compared with, over HTTP, with a real store and processes of models.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { CONTEXT, HORIZON, seasonalNaive } from '../../lib/onnx/models.testing.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { createDesk, month } from './desk.testing.ts';

const FUNCTION = `dataset: { value: tickets }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
activate: { coverage_within: 1 }
`;

/** onnxruntime-node is an optional package. */
const { availability } = createModelRunner({ clock: systemClock });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Values that repeat every five months, with a little noise. */
function csv(): string {
  const rows = Array.from({ length: 60 }, (_, at) => {
    const value = ([10, 30, 50, 20, 40][at % 5] ?? 0) + ((at * 7919) % 101) / 100;
    return `north,${month(at)},${value},${at % 3}\n`;
  });
  return `series,period,tickets,promo\n${rows.join('')}`;
}

describe.skipIf(!availability.isAvailable)('a version', () => {
  test('of a build is compared with the one that another build activates at the same time', async () => {
    const desk = await createDesk(() => server, 'at-once', FUNCTION);
    await desk.dataset(csv());
    const builds = await Promise.all([desk.answered(seasonalNaive(5)), desk.answered(seasonalNaive(5))]);
    const outputs = (await Promise.all(builds.map(desk.ended))).map(({ output }) => output);
    expect(outputs.filter(({ activated }) => activated)).toHaveLength(1);
    const { version } = outputs.find(({ activated }) => activated);
    expect((await desk.events('activation_refused')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ because: 'active', active_version: version, active_score: expect.any(Number) }),
    ]);
    expect((await desk.standing()).active).toMatchObject({ version });
  }, 120_000);

  test('says why the active version could not be scored on the same windows', async () => {
    const desk = await createDesk(() => server, 'fed-otherwise', FUNCTION);
    await desk.dataset(csv());
    expect((await desk.built(seasonalNaive(5))).output).toMatchObject({ version: 1, activated: true });
    await server.put(desk.function, { source: FUNCTION.replace('tickets', 'tickets, known: [promo]') });
    const compared = { active_version: 1, active_unscored: { because: 'fed_otherwise', detail: expect.any(String) } };
    expect(await desk.built(seasonalNaive(5))).toMatchObject({
      output: { version: 2, activated: true },
      record: { ...compared, active_score: null },
    });
    expect((await desk.events('version_activated')).map(({ data }) => data)).toEqual([
      { function: 'tickets', version: 1, rule: 'gate' },
      { function: 'tickets', version: 2, rule: 'gate', ...compared },
    ]);
  }, 120_000);
});

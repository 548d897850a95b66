// Prediction functions over HTTP, with a real store.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHAPES } from '../../../shared/shapes/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { startServer, type TestServer } from '../../test/index.ts';

const ORG = '/v1/orgs/local/playbooks';
const SOURCE = `description: Tickets by month.
dataset: { value: tickets, static: [region] }
period: month
context: 36
horizon: 12
trainer: { inbox: forecasters }
`;

/** Where models cannot run, a build says so first. */
const { availability } = createModelRunner({ clock: systemClock });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function givenPlaybook(playbook: string): Promise<string> {
  await server.post(ORG, { playbook, name: playbook });
  return `${ORG}/${playbook}`;
}

describe('a prediction function', () => {
  test('is saved with the shape series, and a run without models or data says what is missing', async () => {
    const at = `${await givenPlaybook('desk')}/definitions/prediction`;
    const saved = await server.post(at, { name: 'tickets', source: SOURCE });
    expect(saved).toMatchObject({
      status: 201,
      body: { version: 1, media_type: 'application/yaml', details: { shape: 'series' }, output_schema: SHAPES.series },
    });
    expect((await server.get(`${at}/tickets`)).body.overview).toContain('**Trainer** Asks `forecasters`');
    const question = await server.post(`${at}/tickets/run`, { input: { series: 'north', horizon: 3 } });
    expect(question).toMatchObject({ status: 503, body: { reason: 'unavailable', because: 'no_active_version' } });
    expect(question.headers.get('retry-after')).toBeNull();
    expect(await server.post(`${at}/tickets/run`, { input: { build: {} } })).toMatchObject(
      availability.isAvailable
        ? { status: 409, body: { kind: 'no_dataset' } }
        : { status: 503, body: { because: 'no_model_runtime', detail: availability.reason } },
    );
  });

  test.each([
    [{}, '/input'],
    [{ horizon: 3 }, '/input'],
    [{ series: 'north', build: {} }, '/input'],
    [{ series: 'north', horizon: 13 }, '/input/horizon'],
    [{ series: 'north', until: 'May' }, '/input/until'],
    [{ build: { dataset: 'abc' } }, '/input/build/dataset'],
  ])('refuses the input %j at %s', async (input, pointer) => {
    const at = `${await givenPlaybook('inputs')}/definitions/prediction`;
    await server.post(at, { name: 'tickets', source: SOURCE });
    expect(await server.post(`${at}/tickets/run`, { input })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer }] },
    });
  });

  test('names the interactions that it asks, which say so', async () => {
    const at = `${await givenPlaybook('asking')}/definitions`;
    const trainer = 'ask: { to: ada, message: Train., answer: { type: object } }';
    await server.post(`${at}/interaction`, { name: 'train', source: trainer });
    const source = SOURCE.replace('{ inbox: forecasters }', '{ interaction: train }');
    expect((await server.post(`${at}/prediction`, { name: 'tickets', source })).body.warnings).toEqual([]);
    expect((await server.get(`${at}/interaction/train`)).body.overview).toContain(
      '**Used by** prediction/tickets, which sends builds to it.',
    );
  });

  test('is one of 32 of its playbook, until one of them is retired', async () => {
    const at = `${await givenPlaybook('many')}/definitions/prediction`;
    const save = (number: number) => server.post(at, { name: `tickets-${number}`, source: SOURCE });
    for (let number = 1; number <= 32; number += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await save(number)).status).toBe(201);
    }
    expect(await save(33)).toMatchObject({ status: 409, body: { reason: 'conflict' } });
    expect((await server.put(`${at}/tickets-1`, { source: `${SOURCE}windows: 5\n` })).status).toBe(200);
    await server.post(`${at}/tickets-2/retire`, {});
    expect((await save(33)).status).toBe(201);
  });

  test('is saved from a folder and exported to one', async () => {
    const definitions = [{ type: 'prediction', name: 'tickets', sha256: digestOf(SOURCE), source: SOURCE }];
    const applied = await server.post(`${ORG}/from-files/apply`, {
      name: 'Files',
      definitions,
    });
    expect(applied.body.definitions).toMatchObject([{ name: 'tickets', change: 'create' }]);
    const exported = await server.get(`${ORG}/from-files/export`);
    expect(exported.body.definitions).toMatchObject([{ type: 'prediction', name: 'tickets', source: SOURCE }]);
  });
});

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

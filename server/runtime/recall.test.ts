// Recall functions over HTTP, with the real store, sandbox and type checker.
import { describe, expect, onTestFinished, test } from 'vitest';
import { SHAPES } from '../../shared/shapes/index.ts';
import { createFakeClock, type FakeClock } from '../lib/clock.ts';
import { startServer, type TestServer } from '../test/index.ts';
import {
  shared,
  givenPlaybook,
  type Desk,
  givenRunWithoutCaller,
  asTimePasses,
  seeing,
  ALL,
  COUNTING,
  SLOW,
  PICKY,
  warned,
} from './recall.testing.ts';

describe('a view', () => {
  test('has every published event that was there before the run, whole and in order', async () => {
    const desk = await givenPlaybook();
    await desk.publish({ id: 'a', data: { text: 'x'.repeat(5000) }, subject: 'T1', priority: 3 });
    const saved = await desk.save('all-told', seeing(ALL));
    expect([saved.status, warned(saved).filter((words) => !words.includes('The types were not checked'))]).toEqual([
      201,
      [],
    ]);
    await desk.publish({ id: 'b', time: '2026-01-01T00:00:00+01:00' });
    const run = await desk.run('all-told');
    const event = {
      specversion: '1.0',
      source: '/desk',
      type: 'told',
      id: 'a',
      time: expect.any(String),
      subject: 'T1',
      priority: 3,
      data: { text: 'x'.repeat(5000) },
    };
    const [first, second, ...more] = run.body.output;
    expect(first).toEqual({
      kind: 'event',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.stringMatching(/Z$/),
      by: 'developer',
      event,
    });
    expect(second.event).toMatchObject({ id: 'b', time: '2026-01-01T00:00:00+01:00' });
    expect(more).toEqual([]);
    expect(await desk.record(run.body.run_id)).toEqual({ checkpoint: expect.any(Number) });
  });

  test.each([
    ["[{ events: { type: 'told' } }]", ['1', '2', '3']],
    ["[{ events: { type: 'told', source: '/desk' } }]", ['1', '3']],
    ["[{ events: { subject: 'T1' } }]", ['2', '4']],
    ["[{ events: { source: '/desk' } }, { events: { type: 'told' } }]", ['1', '2', '3', '4']],
    ["[{ events: { type: 'tol' } }]", []],
  ])('with reads %s keeps %j', async (reads, ids) => {
    const desk = await givenPlaybook();
    await desk.publish({ id: '1' });
    await desk.publish({ id: '2', source: '/other', subject: 'T1' });
    await desk.publish({ id: '3' });
    await desk.publish({ id: '4', type: 'asked', subject: 'T1' });
    await desk.save('some-told', seeing(reads, 'event.event.id'));
    expect((await desk.run('some-told')).body.output).toEqual(ids);
  });

  test('of runs has starts and ends with input, output and rejection, of that definition alone', async () => {
    const desk = await givenPlaybook();
    const program = "export default (input) => { if (input.fails) throw new Error('no'); return input; };";
    await desk.save('echo', program, 'computation');
    await desk.save('other', program, 'computation');
    await desk.save('runs-of-echo', seeing("[{ runs: { subject: 'computation/echo' } }]"));
    const long = 'x'.repeat(5000);
    const { body: done } = await desk.run('echo', { long }, 'computation');
    await desk.run('other', {}, 'computation');
    await desk.run('echo', { fails: true }, 'computation');
    const { output } = (await desk.run('runs-of-echo')).body;
    const named = { kind: 'run', type: 'computation', name: 'echo', version: 1, attempt: 1, by: 'developer' };
    expect(output).toMatchObject([
      { ...named, change: 'started', run_id: done.run_id, input: { long } },
      { ...named, change: 'succeeded', run_id: done.run_id, input: { long }, output: { long } },
      { ...named, change: 'started', input: { fails: true } },
      {
        ...named,
        change: 'rejected',
        input: { fails: true },
        rejection: { reason: 'conflict', kind: 'unworkable', detail: expect.stringContaining('Error: no') },
      },
    ]);
    expect(output[0]).not.toHaveProperty('output');
    expect(output[1]).not.toHaveProperty('rejection');
  });

  test('of changes has the versions of that definition alone', async () => {
    const desk = await givenPlaybook();
    await desk.save('echo', 'export default () => 1;', 'computation');
    await desk.save('other', 'export default () => 1;', 'computation');
    await desk.save('changes-of-echo', seeing("[{ changes: { source: 'computation/echo' } }]"));
    const at = `${desk.at}/definitions/computation/echo`;
    await shared.put(at, { source: 'export default () => 2;' });
    await shared.post(`${at}/retire`);
    const named = { kind: 'change', type: 'computation', name: 'echo' };
    expect((await desk.run('changes-of-echo')).body.output).toMatchObject([
      { ...named, change: 'created', version: 1 },
      { ...named, change: 'updated', version: 2 },
      { ...named, change: 'retired', version: 2 },
    ]);
  });

  test('of its own runs has at least those before the one that asks', async () => {
    const desk = await givenPlaybook();
    await desk.save('own-runs', seeing("[{ runs: { subject: 'recall/own-runs' } }]", 'event.change'));
    await desk.run('own-runs');
    expect((await desk.run('own-runs')).body.output.slice(0, 2)).toEqual(['started', 'succeeded']);
  });

  test('is used by no other definition: its sources are shown with it', async () => {
    const desk = await givenPlaybook();
    await desk.save('echo', 'export default () => 1;', 'computation');
    const reads = "[{ runs: { subject: 'computation/echo' } }, { changes: { source: 'computation/echo' } }]";
    await desk.save('of-echo', seeing(reads));
    const { overview } = (await desk.get('echo', 'computation')).body;
    expect(overview.split('**Used by** ').slice(1)).toEqual([
      'recall/of-echo, which keeps a view of the runs of it and keeps a view of the versions of it.',
    ]);
    await desk.retire('of-echo');
    expect((await desk.get('echo', 'computation')).body.overview).not.toContain('Used by');
  });
});

describe('an answer', () => {
  test('is computed at the time of the run, and its output is in the record with the checkpoint', async () => {
    const desk = await givenPlaybook();
    const source = COUNTING.replace(
      '(state) => state;',
      '(state, input) => { console.log(input); return Date.now(); };',
    );
    await desk.save('clock', `export const input = { type: 'object', required: ['n'] };\n${source}`);
    const run = await desk.run('clock', { n: 1 });
    const { started_at, record } = (await shared.get(`${desk.at}/runs/${run.body.run_id}`)).body;
    expect(run.body.output).toBe(Date.parse(started_at));
    expect(record).toEqual({ checkpoint: expect.any(Number), console: ['{"n":1}'] });
    expect(await desk.run('clock', {})).toMatchObject({ status: 422, body: { errors: [{ pointer: '/input' }] } });
  });

  test.each([
    ['that throws', "{ throw new Error('no'); };", /Error: no/],
    ['that JSON cannot hold', 'NaN;', /contains NaN/],
    ['that never comes', 'new Promise(() => {});', /never settles/],
    ['that its own output refuses', "'text';", /does not match its own schema/],
    ['larger than 1,046,528 bytes', "'x'.repeat(1046527);", /1046528/],
  ])('%s is unworkable', async (_name, answer, words) => {
    const desk = await givenPlaybook();
    const output = answer.startsWith("'text'") ? "export const output = { type: 'number' };\n" : '';
    await desk.save('bad-answer', output + COUNTING.replace('(state) => state;', `() => ${answer}`));
    const run = await desk.run('bad-answer');
    expect(run).toMatchObject({ status: 409, body: { kind: 'unworkable', detail: expect.stringMatching(words) } });
    expect(await desk.record(run.body.run_id)).toMatchObject({ checkpoint: expect.any(Number) });
  });

  test('of a shape has that schema and names it, while `details` does not', async () => {
    const desk = await givenPlaybook();
    const source = `export const output = { shape: 'metric' };\n${COUNTING.replace('=> state;', "=> ({ label: 'All', value: state });")}`;
    const saved = await desk.save('how-many', source);
    expect(saved.body.output_schema).toEqual(JSON.parse(JSON.stringify(SHAPES.metric)));
    expect(saved.body.details).toEqual({});
    const run = await desk.run('how-many');
    expect(run.body).toMatchObject({ output: { label: 'All', value: 0 }, output_shape: 'metric' });
  });

  test('reaches a workflow that calls the function', async () => {
    const desk = await givenPlaybook();
    await desk.save('counting', COUNTING);
    await desk.publish();
    const head = "document: { dsl: '1.0.3', namespace: test, name: test, version: '1.0.0' }";
    const source = `${head}\ndo:\n  - ask: { call: recall/counting }\n`;
    expect(await desk.save('asks', source, 'workflow')).toMatchObject({ status: 201, body: { warnings: [] } });
    const { run_id } = (await desk.run('asks', {}, 'workflow')).body;
    await expect
      .poll(async () => (await shared.get(`${desk.at}/runs/${run_id}`)).body, { timeout: 10_000 })
      .toMatchObject({ status: 'succeeded', output: 1 });
    expect((await desk.get('counting')).body.overview).toContain('**Used by** workflow/asks');
  });
});

describe('a new version', () => {
  test('builds its view from the first event', async () => {
    const desk = await givenPlaybook();
    await desk.publish();
    await desk.save('counting', COUNTING);
    expect((await desk.run('counting')).body.output).toBe(1);
    await desk.publish();
    await desk.update('counting', COUNTING.replace('state + 1', 'state + 10'));
    expect((await desk.run('counting')).body).toMatchObject({ output: 20, definition_version: 2 });
  });

  test('is unavailable until its view is built, with when to ask again, and then answers', async () => {
    const clock = createFakeClock();
    const server = await startServer({ clock });
    onTestFinished(() => server.close());
    const desk = await givenPlaybook(server);
    await Promise.all(Array.from({ length: 25 }, () => desk.publish()));
    await desk.save('slow', SLOW);
    const path = `${desk.at}/definitions/recall/slow/run`;
    const left = await givenRunWithoutCaller(server, path, clock);
    const early = await asTimePasses(clock, desk.run('slow'));
    expect(early).toMatchObject({ status: 503, body: { reason: 'unavailable', kind: 'rebuilding' } });
    await expect
      .poll(async () => (await server.get(`${desk.at}/runs/${left}`)).body)
      .toMatchObject({ status: 'rejected', kind: 'rebuilding' });
    expect(early.body.type).toMatch(/\/rebuilding$/);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await desk.record(early.body.run_id)).toEqual({ checkpoint: expect.any(Number) });
    const { standing } = (await desk.get('slow')).body;
    expect(standing).toMatchObject({ state: 'building', version: 1 });
    expect(standing.behind).toBeGreaterThan(0);
    await expect
      .poll(async () => (await desk.get('slow')).body.standing, { timeout: 60_000, interval: 200 })
      .toMatchObject({ state: 'current', behind: 0 });
    // The run that found no view is attempted again under its own id.
    const again = await server.post(path, { input: {}, run_id: early.body.run_id });
    expect(again).toMatchObject({ status: 200, body: { output: 25, attempt: 2 } });
  }, 90_000);
});

describe('a view that was built and is far behind', () => {
  async function givenBehind(): Promise<{ clock: FakeClock; desk: Desk; server: TestServer }> {
    const clock = createFakeClock();
    const server = await startServer({ clock });
    onTestFinished(() => server.close());
    const desk = await givenPlaybook(server);
    await desk.save('slow', SLOW);
    expect((await desk.run('slow')).body.output).toBe(0);
    await Promise.all(Array.from({ length: 25 }, () => desk.publish()));
    return { clock, desk, server };
  }

  test('makes a run wait nearly ten seconds', async () => {
    const { clock, desk, server } = await givenBehind();
    const running = desk.run('slow');
    let passed = 0;
    const started = async () => {
      // A start is recorded by itself once it has taken 50 ms.
      clock.advance(50);
      passed += 50;
      return (await server.get(`${desk.at}/runs?status=started`)).body.runs.length;
    };
    await expect.poll(started, { interval: 5 }).toBe(1);
    clock.advance(9900 - passed);
    expect(await running).toMatchObject({ status: 200, body: { output: 25 } });
  }, 90_000);

  test('makes a run wait no longer than that', async () => {
    const { clock, desk } = await givenBehind();
    const early = await asTimePasses(clock, desk.run('slow'));
    expect(early).toMatchObject({
      status: 503,
      body: { kind: 'rebuilding', detail: expect.stringContaining('is behind') },
    });
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect
      .poll(async () => (await desk.get('slow')).body.standing, { timeout: 60_000, interval: 200 })
      .toMatchObject({ state: 'current', behind: 0 });
    expect((await desk.run('slow')).body.output).toBe(25);
  }, 90_000);
});

describe('the standing', () => {
  test('follows what is recorded, and is shown by get alone', async () => {
    const desk = await givenPlaybook();
    const saved = await desk.save('counting', COUNTING);
    expect(saved.body).not.toHaveProperty('standing');
    await desk.publish();
    await desk.publish();
    await expect
      .poll(async () => (await desk.get('counting')).body.standing)
      .toEqual({
        state: 'current',
        version: 1,
        checkpoint: expect.any(Number),
        behind: 0,
        at: expect.stringMatching(/Z$/),
      });
    const [listed] = (await shared.get(`${desk.at}/definitions/recall`)).body.definitions;
    expect(listed).not.toHaveProperty('standing');
    expect(await shared.get(`${desk.at}/definitions/recall/counting/versions/1`)).not.toHaveProperty('body.standing');
    await desk.retire('counting');
    expect((await desk.get('counting')).body).not.toHaveProperty('standing');
  });
});

describe('an event that `evolve` cannot take', () => {
  async function givenPoison(): Promise<Desk> {
    const desk = await givenPlaybook();
    await desk.save('picky', PICKY);
    await desk.save('counting', COUNTING);
    for (const data of ['good', 'poison', 'good'])
      await desk.publish({ id: data === 'poison' ? 'p' : undefined, data });
    return desk;
  }

  test('stalls its view, says where and why, and no other view', async () => {
    const desk = await givenPoison();
    const run = await desk.run('picky');
    expect(run).toMatchObject({
      status: 409,
      body: { reason: 'conflict', kind: 'stalled', detail: expect.stringContaining('Line 4, column') },
    });
    const { standing } = (await desk.get('picky')).body;
    const { events } = (await shared.get(`${desk.at}/events?type=event_published`)).body;
    const poison = events[1];
    expect(standing).toEqual({
      state: 'stalled',
      version: 1,
      checkpoint: expect.any(Number),
      behind: 2,
      at: expect.any(String),
      stalled_by: {
        event_id: poison.id,
        type: 'event_published',
        at: poison.metadata.at,
        detail: expect.stringMatching(/^Line 4, column \d+: The program threw Error: bad data\.$/),
      },
    });
    expect(await desk.record(run.body.run_id)).toEqual({ checkpoint: standing.checkpoint });
    expect((await desk.run('counting')).body.output).toBe(3);
  });

  test('also where it is stuck inside a built-in', async () => {
    const desk = await givenPlaybook();
    const stuck = "'a'.repeat(9e6).indexOf('a'.repeat(4e6) + 'b')";
    await desk.save('stuck', PICKY.replace("throw new Error('bad data')", stuck));
    await desk.save('counting', COUNTING);
    for (const data of ['good', 'poison', 'good']) await desk.publish({ data });
    await expect
      .poll(async () => (await desk.get('stuck')).body.standing, { timeout: 90_000 })
      .toMatchObject({ state: 'stalled', stalled_by: { detail: expect.stringContaining('inside one built-in') } });
    expect(await desk.run('stuck')).toMatchObject({ status: 409, body: { kind: 'stalled' } });
    expect((await desk.run('counting')).body.output).toBe(3);
  }, 120_000);

  test('is forgotten by a version that can take it', async () => {
    const desk = await givenPoison();
    expect((await desk.run('picky')).status).toBe(409);
    await desk.update('picky', COUNTING);
    expect((await desk.run('picky')).body.output).toBe(3);
  });

  test('is a warning where it is among the newest when the function is saved', async () => {
    const desk = await givenPlaybook();
    await desk.publish({ data: 'poison' });
    await Promise.all(Array.from({ length: 19 }, () => desk.publish()));
    const saved = await desk.save('picky', PICKY);
    expect(saved.status).toBe(201);
    expect(warned(saved)).toEqual([
      expect.stringMatching(
        /^Line 4, column \d+: `evolve` fails for the event .* newest 20 .*: The program threw Error/,
      ),
    ]);
    await desk.publish();
    expect(warned(await desk.update('picky', `${PICKY}\n`))).toEqual([]);
  });
});

test('a playbook has at most 32 active recall functions', async () => {
  const desk = await givenPlaybook();
  for (let n = 1; n <= 32; n += 1) expect((await desk.save(`counting-${n}`, COUNTING)).status).toBe(201);
  const more = await Promise.all(['one-more', 'two-more'].map((name) => desk.save(name, COUNTING)));
  for (const { status, body } of more) {
    expect([status, body.detail]).toEqual([409, expect.stringContaining('has 32 active recall functions')]);
  }
  expect((await desk.update('counting-1', `${COUNTING}\n`)).status).toBe(200);
  await desk.retire('counting-2');
  await desk.retire('counting-2');
  const [first, second] = [await desk.save('one-more', COUNTING), await desk.save('two-more', COUNTING)];
  expect([first.status, second.status]).toEqual([201, 409]);
}, 60_000);

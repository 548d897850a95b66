import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { answerOverHttp, createHostile } from './hostile.testing.ts';
import { givenTools, type ToolsTestServer } from './tools.testing.ts';

const KEY = 'key/of+the "hostile" one';
const ACT = { server: 'hostile', tool: 'act' };
const PROGRAM = fileURLToPath(new URL('hostile.testing.ts', import.meta.url));
type Over = 'stdio' | 'http';

async function given(behaviour: string, over: Over, clock?: FakeClock): Promise<ToolsTestServer> {
  const options = { environment: { KEY }, ...(clock === undefined ? {} : { clock }) };
  if (over === 'stdio') {
    const hostile = { type: 'stdio', command: process.execPath, args: [PROGRAM, behaviour], env: { KEY: '${KEY}' } };
    return givenTools({ hostile }, options);
  }
  const handle = createHostile(behaviour, KEY);
  const url = await serveHttp(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (request.method === 'POST') answerOverHttp(handle, text, response);
    else response.writeHead(405).end();
  });
  const hostile = { type: 'mcp', url: url.href, query_params: { key: '${KEY}' }, request_id: 'x-request-id' };
  return givenTools({ hostile }, options);
}

/** Whether a process runs; one that ended and that nobody collected does not. */
function isRunning(pid: number): boolean {
  const state = execFileSync('ps', ['-e', '-o', 'pid=,stat=']).toString().split('\n');
  return state.some((line) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(line));
}

/** How many programs with this behavior run. */
function programs(behaviour: string): number {
  const lines = execFileSync('ps', ['-e', '-ww', '-o', 'stat=,args=']).toString().split('\n');
  return lines.filter((line) => !line.startsWith('Z') && line.endsWith(`${PROGRAM} ${behaviour}`)).length;
}

/** Lets time pass, once the calls have started, until the work is done. */
async function inTime<T>({ events }: ToolsTestServer, clock: FakeClock, work: Promise<T>, calls = 1): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  await vi.waitFor(async () => expect(await events()).toHaveLength(calls), { timeout: 15_000 });
  while (!isDone) {
    clock.advance(1000);
    await yieldToEventLoop();
  }
  return done;
}

describe.each<Over>(['stdio', 'http'])('over %s, given a server that', (over) => {
  test.each([
    ['answers 6 MiB', 'too_large', /larger than 4 MiB/],
    ['answers without content', 'server_failure', /read/],
    ['answers 5000 levels deep', 'server_failure', /deep|read/],
    ['answers 100000 levels deep', 'server_failure', /deep|read/],
    ['breaks off in its answer', 'server_failure', /ended|broke|read/],
    ['leaks its key in an error', 'server_failure', /The server said: x+\*\*\*$/],
  ])('%s: the call ends as %s, and is recorded so', async (behaviour, outcome, words) => {
    const world = await given(behaviour, over);
    const executed = await world.ask('execute', ACT);
    expect(executed).toMatchObject({ outcome, text: expect.stringMatching(words), result_bytes: null });
    const events = await world.events();
    expect(events.map(({ type }) => type)).toEqual(['tool_call_started', 'tool_call_failed']);
    expect(events[1]?.data).toMatchObject({ because: outcome });
    expect(JSON.stringify([executed, events, world.logged])).not.toMatch(/key\/of|key%2Fof/);
  });

  test.each([
    'floods with list changes',
    'floods with log messages',
    'floods with progress',
    'floods with requests',
    'floods with answers',
    'floods with what is no JSON',
    'asks again at each answer',
    ...(over === 'stdio' ? ['floods with empty lines', 'floods with one large message', 'floods stderr'] : []),
  ])('%s: it is disconnected with a sentence, in the call, in search and in the log', async (behaviour) => {
    const clock = createFakeClock();
    const world = await given(behaviour, over, clock);
    const flooded = /more than (500 messages|5000 lines)/;
    const { outcome, text } = await world.ask('execute', ACT);
    expect([outcome, text]).toEqual(['server_failure', expect.stringMatching(flooded)]);
    expect(world.logged.join('')).toMatch(flooded);
    const failing = { because: 'failing', unavailable: expect.stringMatching(flooded) };
    expect((await world.ask('search', {}))['servers']).toMatchObject([failing]);
    clock.advance(1000);
    expect((await world.ask('search', {}))['servers']).toMatchObject([{ tool_count: 1 }]);
  });

  test.each(['never answers', ...(over === 'stdio' ? ['answers no JSON'] : [])])(
    '%s: the call is timed out after 30 seconds',
    async (behaviour) => {
      const clock = createFakeClock();
      const world = await given(behaviour, over, clock);
      const before = clock.now();
      expect(await inTime(world, clock, world.ask('execute', ACT))).toMatchObject({
        outcome: 'timed_out',
        duration_ms: expect.toSatisfy((ms: number) => ms >= 30_000 && ms <= clock.now() - before),
      });
    },
  );

  test.each([
    ['its clock is set back', -3_600_000],
    ['its machine sleeps', 30 * 3_600_000],
  ])('never answers while %s: the call is timed out after 30 seconds', async (_how, jump) => {
    const clock = createFakeClock();
    const world = await given('never answers', over, clock);
    const asked = world.ask('execute', ACT);
    await vi.waitFor(async () => expect(await world.events()).toHaveLength(1), { timeout: 15_000 });
    clock.jump(jump);
    expect(await inTime(world, clock, asked)).toMatchObject({
      outcome: 'timed_out',
      duration_ms: expect.toSatisfy((ms: number) => ms >= 30_000 && ms < 3_600_000),
    });
  });

  test('answers 20,000 keys: a worker reads them, and takes the key out', async () => {
    const world = await given('answers 20000 keys', over);
    const executed = await world.ask('execute', ACT);
    expect(executed).toMatchObject({
      outcome: 'result',
      text: expect.stringMatching(/^\{"\*\*\*":"\*\*\*","k0":0,.*\[Truncated: /s),
    });
    expect(executed['result_bytes']).toBeGreaterThan(200_000);
    expect(executed).not.toHaveProperty('answer');
    const [, answered] = await world.events();
    expect(answered).toMatchObject({
      type: 'tool_call_answered',
      data: { result_bytes: executed['result_bytes'], result_sha256: answered?.kept['answer']?.sha256 },
      kept: { answer: { bytes: executed['result_bytes'] } },
    });
  });

  test('lists large tools: a worker reads the list, and leaves out what holds too much', async () => {
    const { ask } = await given('lists large tools', over);
    const found = await ask('search', { server: 'hostile', terms: 'tool_99 argument_99' });
    expect(found).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ tool: 'tool_99' })]),
      servers: [{ left_out: 'Left out: widest, whose input schema has more than 10000 values.' }],
    });
    const named = await ask('introspect', { server: 'hostile', tool: 'tool_7' });
    expect(named).toMatchObject({ input_schema: { type: 'object', properties: { argument_99: {} } } });
    expect(await ask('introspect', ACT)).toMatchObject({ description: 'Uses ***.' });
    expect(await ask('execute', ACT)).toMatchObject({ outcome: 'result' });
  });

  test('answers with a key of ours: its result is treated as any result', async () => {
    const world = await given('answers what stands in for another', over);
    expect(await world.ask('execute', ACT)).toMatchObject({ outcome: 'result', text: expect.stringMatching(/^xxx/) });
  });

  test('leaks its key: nothing that is returned, stored or logged holds it', async () => {
    const world = await given('leaks its key', over);
    const said = [
      await world.ask('search', {}),
      await world.ask('introspect', ACT),
      await world.ask('execute', ACT, { arguments: { mine: KEY } }),
      await world.events(),
    ];
    expect(said[2]).toMatchObject({
      text: expect.stringContaining('Bearer ***'),
      answer: { '***': ['***', '{"secret":"***"}'] },
    });
    const all = JSON.stringify([said, world.logged]);
    for (const written of [KEY, encodeURIComponent(KEY), JSON.stringify(KEY).slice(1, -1), 'a2V5L29m', '5L29mK3']) {
      expect(all).not.toContain(written);
    }
  });

  test('requests sampling: the request is refused, and its answer counts', async () => {
    const world = await given('asks for sampling', over);
    const { outcome, text } = await world.ask('execute', ACT);
    expect(outcome).toBe('result');
    expect(JSON.parse(String(text))).toMatchObject({ id: 'sample', error: { code: -32_601 } });
  });

  test.each([
    ['lists for ever', /more than/],
    ['lists no tools', /without a list/],
  ])('%s: it cannot be asked', async (behaviour, words) => {
    const world = await given(behaviour, over);
    const refused = { kind: 'tool_server_failed', because: 'failing', detail: expect.stringMatching(words) };
    expect(await world.refusal('introspect', ACT)).toMatchObject(refused);
    expect(await world.refusal('execute', ACT)).toMatchObject(refused);
    expect(await world.events()).toEqual([]);
  });

  test('lists what is no tool: those entries are left out, search and the log say so, and the others are there', async () => {
    const world = await given('lists what is no tool', over);
    const [found, again] = [await world.ask('search', {}), await world.ask('search', {})];
    const words =
      'Left out: a tool without a name; a tool without a name; bare, which has no input schema; a tool whose name has more than 128 characters; deep-***, whose input schema nests too deeply; and 1 more.';
    expect(found['servers']).toMatchObject([{ tool_count: 1, left_out: words }]);
    expect(again).toEqual(found);
    expect(world.logged.filter((line) => line.includes('are left out'))).toHaveLength(1);
    expect(await world.ask('execute', ACT)).toMatchObject({ outcome: 'result' });
    expect(await world.refusal('execute', { ...ACT, tool: 'bare' })).toMatchObject({ because: 'tool_not_listed' });
  });

  test('changes its list: reads see the newest, and a tool that is new is found by a call', async () => {
    const world = await given('changes its list', over);
    const names = async () => ((await world.ask('search', {}))['tools'] as { tool: string }[]).map(({ tool }) => tool);
    expect(await names()).toEqual(['act', 'new_1']);
    expect(await names()).toEqual(['act', 'new_2']);
    expect(await world.ask('execute', { ...ACT, tool: 'new_3' })).toMatchObject({ outcome: 'result' });
    expect(await world.refusal('execute', { ...ACT, tool: 'new_1' })).toMatchObject({ because: 'tool_not_listed' });
  });
});

describe('a server that is started here', () => {
  test('gets a minimal environment, and ends with us', async () => {
    vi.stubEnv('OURS_ALONE', 'not for servers');
    const { ask, tools } = await given('tells its environment', 'stdio');
    const { pid, names } = JSON.parse(String((await ask('execute', ACT))['text'])) as { pid: number; names: string[] };
    vi.unstubAllEnvs();
    expect(names).toEqual(expect.arrayContaining(['KEY', 'PATH']));
    const safe = ['HOME', 'KEY', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(names.filter((name) => !safe.includes(name))).toEqual([]);
    await tools.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test.each(['starts a program', 'starts a program and exits'])(
    'and %s ends with what it started',
    async (behaviour) => {
      const { ask, tools } = await given(behaviour, 'stdio');
      const { text } = await ask('execute', ACT);
      const started = Number(text);
      expect(started).toBeGreaterThan(1);
      if (behaviour === 'starts a program') await tools.close();
      await expect.poll(() => isRunning(started), { timeout: 10_000 }).toBe(false);
    },
  );

  test('and ends by itself is started again, after waits that grow', async () => {
    const clock = createFakeClock();
    const { ask, refusal } = await given('breaks off in its answer', 'stdio', clock);
    for (const seconds of [1, 2, 4]) {
      expect(await ask('execute', ACT)).toMatchObject({ outcome: 'server_failure' });
      const refused = { because: 'unreachable', retryAfter: seconds };
      expect(await refusal('execute', ACT)).toMatchObject(refused);
      clock.advance(seconds * 1000 - 1);
      expect(await refusal('introspect', ACT)).toMatchObject({ ...refused, retryAfter: 1 });
      clock.advance(1);
    }
  });

  test('and stops reading: calls that fill its pipe are timed out, and it ends with us', async () => {
    const clock = createFakeClock();
    const world = await given('stops reading', 'stdio', clock);
    const large = { arguments: { text: 'x'.repeat(16_000) } };
    const calls = Array.from({ length: 4 }, () => world.ask('execute', ACT, large));
    const timedOut = { outcome: 'timed_out' };
    expect(await inTime(world, clock, Promise.all(calls), calls.length)).toMatchObject([
      timedOut,
      timedOut,
      timedOut,
      timedOut,
    ]);
    expect(programs('stops reading')).toBe(1);
    await world.tools.close();
    expect(programs('stops reading')).toBe(0);
  });

  test('and never begins to speak is unreachable after 30 seconds', async () => {
    const clock = createFakeClock();
    const { refusal } = await given('never begins', 'stdio', clock);
    const before = clock.now();
    let isDone = false;
    const refused = refusal('introspect', ACT).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      clock.advance(1000);
      await yieldToEventLoop();
    }
    expect(await refused).toMatchObject({ kind: 'tool_server_failed', because: 'unreachable' });
    expect(clock.now() - before).toBeGreaterThanOrEqual(30_000);
  });
});

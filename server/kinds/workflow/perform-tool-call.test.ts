import { setImmediate as settle } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { createFakeClock } from '../../lib/clock.ts';
import { countValues } from '../../lib/json-bounds.ts';
import { unavailable } from '../../lib/rejection.ts';
import type { ToolCallDone, ToolCallStart, WorkflowTools } from '../tools.ts';
import { performToolCall } from './perform-tool-call.ts';

const RUN = { org: 'local', playbook: 'desk', runId: 'r', name: 'w', version: 1 };
const START: ToolCallStart = {
  server: 's',
  tool: 't',
  readOnly: false,
  arguments: { a: 'word-of-secret' },
  keepsContent: true,
};
function jsonOf(value: Json): { text: string; bytes: number; values: number } {
  const text = JSON.stringify(value);
  return { text, bytes: Buffer.byteLength(text), values: countValues(value) };
}

const DONE: ToolCallDone = {
  ...START,
  outcome: 'result',
  text: 'word-of-secret',
  output: () => ({ text: 'word-of-secret' }),
  outputJson: jsonOf({ text: 'word-of-secret' }),
  result: { ...jsonOf({ content: [] }), sha256: '' },
  resultBytes: 2,
  durationMs: 1,
};
const TOOL = { call: 'tool', with: { tool: 's/t', arguments: {} } } as const;

function given(call: WorkflowTools['call'], more: Partial<WorkflowTools> = {}) {
  const clock = createFakeClock();
  const gone = new AbortController();
  const started: ToolCallStart[] = [];
  const tools: WorkflowTools = {
    whyUnavailable: () => undefined,
    findMcpServer: (_place, at) => ('address' in at && at.address === 'https://mcp.example.com/' ? 's' : undefined),
    list: () => Promise.reject(unavailable('It is down.', { kind: 'tool_server_failed', because: 'unreachable' })),
    call,
    ...more,
  };
  const perform = (effect: { call: 'tool' | 'mcp'; with: JsonObject }) =>
    performToolCall(
      RUN,
      effect,
      { signal: gone.signal, starts: async (start) => void started.push(start) },
      { tools, clock, secrets: { SECRET: 'word-of-secret' } },
    );
  return { clock, gone, told: started, perform };
}

/** Scrubs what it reports, as requested. */
const answering =
  (done: Partial<ToolCallDone>): WorkflowTools['call'] =>
  async (_place, _server, _tool, _args, { beforeSending, scrubber }) => {
    const scrubbed = <T extends object>(started: T): T => (scrubber?.json(started as Json) ?? started) as T;
    await beforeSending(scrubbed(START));
    const { output, outputJson, result, ...words } = { ...DONE, ...done };
    return {
      ...scrubbed(words),
      output: () => scrubber?.json(output()) ?? output(),
      ...(outputJson === undefined ? {} : { outputJson: scrubbed(outputJson) }),
      ...(result === undefined ? {} : { result }),
    };
  };

/** Sends, and has no answer before nobody waits for it. */
const silent: WorkflowTools['call'] = async (_place, _server, _tool, _args, { onTurn, beforeSending, signal }) => {
  onTurn?.();
  await beforeSending(START);
  if (signal?.aborted === true) return undefined;
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(undefined)));
};

test('secrets of the workflow are removed from what is reported and answered', async () => {
  const { perform, told: started } = given(answering({}));
  const performed = await perform(TOOL);
  expect(performed).toMatchObject({
    ok: true,
    output: { text: '***' },
    call: { arguments: { a: '***' }, text: '***' },
  });
  expect(JSON.stringify([performed, started])).not.toContain('word-of-secret');
});

test.each<[ToolCallDone['outcome'], string, number]>([
  ['tool_error', 'runtime', 500],
  ['server_failure', 'communication', 503],
  ['too_large', 'communication', 503],
  ['timed_out', 'timeout', 408],
])('the outcome %s is an error %s %d that holds it', async (outcome, type, status) => {
  const { perform } = given(answering({ outcome }));
  expect(await perform(TOOL)).toMatchObject({
    ok: false,
    error: { type: expect.stringMatching(new RegExp(`/${type}$`)), status, outcome, detail: '***' },
    call: { outcome },
  });
});

test.each([
  ['tool_not_offered', 'tool_not_allowed', 'configuration', 400],
  ['tool_server_failed', 'unreachable', 'communication', 503],
  ['tool_server_failed', 'rate_limited', 'communication', 503],
])('a refusal %s %s before the call is an error %s %d that holds it', async (kind, because, type, status) => {
  const { perform } = given(() => Promise.reject(unavailable('No.', { kind, because })));
  const performed = await perform(TOOL);
  expect(performed).toMatchObject({
    error: {
      type: expect.stringMatching(new RegExp(`/${type}$`)),
      status,
      rejection: { reason: 'unavailable', kind, because },
    },
  });
  expect(performed).not.toHaveProperty('error.outcome');
});

test('what goes wrong when the start is recorded passes', async () => {
  const { perform } = given(() => Promise.reject(new Error('The lease is lost.')));
  await expect(perform(TOOL)).rejects.toThrow('The lease is lost.');
});

const mcp = (more: JsonObject): { call: 'mcp'; with: JsonObject } => ({
  call: 'mcp',
  with: { method: 'tools/call', transport: { http: { endpoint: { uri: 'https://mcp.example.com/' } } }, ...more },
});

test('a call that is broken off, or takes longer than its document allows, says so', async () => {
  const { perform, gone, clock } = given(silent);
  const slow = perform(mcp({ parameters: { name: 't' }, timeout: { seconds: 5 } }));
  await Promise.resolve();
  clock.advance(5000);
  expect(await slow).toMatchObject({ error: { status: 408, outcome: 'timed_out' } });
  const broken = perform(TOOL);
  gone.abort();
  expect(await broken).toMatchObject({ error: { outcome: 'cancelled' } });
});

test.each(['tools/call', 'tools/list'])('the time-out of %s begins when it is its turn', async (method) => {
  const turn = Promise.withResolvers<void>();
  const { perform, clock } = given(
    async (...args) => {
      await turn.promise;
      return silent(...args);
    },
    {
      list: async (_place, _server, onTurn) => {
        await turn.promise;
        onTurn?.();
        return new Promise(() => {});
      },
    },
  );
  const ended = vi.fn<() => void>();
  const slow = perform(mcp({ method, parameters: { name: 't' }, timeout: { seconds: 5 } })).finally(ended);
  await settle();
  clock.advance(3_600_000);
  await settle();
  expect(ended).not.toHaveBeenCalled();
  turn.resolve();
  await settle();
  clock.advance(4999);
  await settle();
  expect(ended).not.toHaveBeenCalled();
  clock.advance(1);
  expect(await slow).toMatchObject({ error: { status: 408, outcome: 'timed_out' } });
});

test('the standard call gives the whole result', async () => {
  const { perform } = given(answering({}));
  expect(await perform(mcp({ parameters: { name: 't' } }))).toMatchObject({ ok: true, output: { content: [] } });
});

test.each<[string, { call: 'tool' | 'mcp'; with: JsonObject }, number, RegExp]>([
  ['a tool without its server', { call: 'tool', with: { tool: 'alone' } }, 400, /SERVER\/TOOL/],
  ['arguments that are a list', { call: 'tool', with: { tool: 's/t', arguments: [] } }, 400, /`arguments`/],
  [
    'an address that no tool server has',
    mcp({ transport: { http: { endpoint: 'https://x.example' } } }),
    400,
    /address/,
  ],
  ['a command that no tool server has', mcp({ transport: { stdio: { command: 'x' } } }), 400, /command/],
  ['no transport', mcp({ transport: {} }), 400, /transport/],
  ['another method', mcp({ method: 'prompts/list' }), 400, /tools\/list/],
  ['no name of a tool', mcp({ parameters: {} }), 400, /parameters\.name/],
  ['a timeout that is none', mcp({ parameters: { name: 't' }, timeout: 'soon' }), 400, /PT30S/],
  ['a list of a server that is down', mcp({ method: 'tools/list' }), 503, /down/],
])('%s is an error, and nothing is sent', async (_name, effect, status, words) => {
  const { perform, told: started } = given(answering({}));
  expect(await perform(effect)).toMatchObject({ ok: false, error: { status, detail: expect.stringMatching(words) } });
  expect(started).toEqual([]);
});

test.each<['tool' | 'mcp', Partial<ToolCallDone>]>([
  ['tool', { outputJson: jsonOf('x'.repeat(3_000_000)) }],
  ['mcp', { result: { ...jsonOf({ content: ['x'.repeat(3_000_000)] }), sha256: '' } }],
])('the result of a call of %s may have more than 1 MiB', async (kind, done) => {
  const { perform } = given(answering(done));
  const performed = await perform(kind === 'tool' ? TOOL : mcp({ parameters: { name: 't' } }));
  expect(performed).toMatchObject({ ok: true });
  expect(JSON.stringify(performed).length).toBeGreaterThan(3_000_000);
});

test.each([
  ['has more than 4 MiB as JSON', jsonOf('x'.repeat(4_194_303))],
  ['contains more than 140000 values', jsonOf(Array.from({ length: 140_000 }, () => 0))],
])('a result that %s is an error, and the call is recorded', async (words, outputJson) => {
  const { perform } = given(answering({ outputJson }));
  expect(await perform(TOOL)).toMatchObject({
    ok: false,
    error: { status: 500, outcome: 'result', detail: `The result ${words}, which is more than a step can hold.` },
    call: { outcome: 'result' },
  });
});

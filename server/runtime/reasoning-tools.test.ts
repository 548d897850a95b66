// Reasoning functions that call tools of a real stdio MCP server.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createTestClient } from '../test/client.ts';
import { chatAnswer } from '../domain/models/models.testing.ts';
import { startServerProcess } from '../test/index.ts';
import { serveTurns, callsTool, AT, givenFolder, givenServer, settingsFor, fn, TEAM } from './reasoning.testing.ts';

const WORKFLOW = `
document: { dsl: 1.0.3, namespace: test, name: sort, version: 1.0.0 }
do:
  - sort:
      call: reasoning/sort
      with: { who: Ada }
`;

describe('given tools of a real stdio MCP server', () => {
  test('the model calls them within a workflow, each call recorded before it is sent', async () => {
    const folder = givenFolder();
    const [file, out] = [path.join(folder, 'note.txt'), path.join(folder, 'out.txt')];
    writeFileSync(file, 'The team is blue.');
    const { provider, save, history, get, post } = await givenServer(
      [
        callsTool('files__read_text_file', { path: file }),
        callsTool('files__read_text_file', { path: '/etc/hostname' }),
        callsTool('files__no_such_tool', {}),
        callsTool('files__write_file', { path: out, content: 'blue' }),
        chatAnswer({ content: '{"team":"blue"}' }),
      ],
      folder,
    );
    await save('reasoning', 'sort', fn(`tools: [files/read_text_file, files/write_file]\n${TEAM}`));
    await save('workflow', 'sort', WORKFLOW);
    const { body } = await post(`${AT}/definitions/workflow/sort/run`, {});
    await expect
      .poll(async () => (await get(`${AT}/runs/${body.run_id}`)).body.status, { timeout: 20_000 })
      .toBe('succeeded');
    expect((await get(`${AT}/runs/${body.run_id}`)).body.output).toEqual({ team: 'blue' });
    expect(readFileSync(out, 'utf8')).toBe('blue');

    const [run] = (await get(`${AT}/runs?type=reasoning`)).body.runs;
    const call = ['tool_call_started', 'tool_call_answered'];
    expect(await history(run.run_id)).toEqual(['run_started', ...call, ...call, ...call, 'run_succeeded']);
    const tools = ((provider.bodies[0]?.['tools'] ?? []) as JsonObject[]).map(
      ({ function: of }) => (of as JsonObject)['name'],
    );
    expect(tools).toEqual(['files__read_text_file', 'files__write_file']);
    const results = ((provider.bodies[4]?.['messages'] ?? []) as JsonObject[]).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      'The team is blue.',
      expect.stringContaining('Access denied'),
      expect.stringContaining('There is no tool files__no_such_tool'),
      expect.stringContaining('Successfully wrote'),
    ]);
    const record = (await get(`${AT}/runs/${run.run_id}`)).body.record;
    expect(record.tokens).toEqual({ input: 50, output: 25, cached: 20 });
    expect(record.steps.map(({ tool_calls: calls }: { tool_calls?: unknown }) => calls)).toEqual([
      [{ server: 'files', tool: 'read_text_file', outcome: 'result', read_only: true }],
      [{ server: 'files', tool: 'read_text_file', outcome: 'tool_error', read_only: true }],
      undefined,
      [{ server: 'files', tool: 'write_file', outcome: 'result' }],
      undefined,
    ]);
  });

  test.each([
    ['read_text_file', 503, 'tools_unfinished', 'only_read'],
    ['write_file', 409, 'effect_unknown', undefined],
  ])(
    'after a call of %s, a failure of the model ends the run as its effect is known',
    async (tool, status, kind, because) => {
      const folder = givenFolder();
      const file = path.join(folder, 'note.txt');
      writeFileSync(file, 'Read me.');
      const { save, run } = await givenServer(
        [callsTool(`files__${tool}`, { path: file, content: 'x' }), chatAnswer({ content: 'no JSON' })],
        folder,
      );
      await save('reasoning', 'sort', fn(`tools: [files/*]\n${TEAM}`));
      const runId = crypto.randomUUID();
      const ended = await run('sort', {}, runId);
      expect(ended.status).toBe(status);
      expect(ended.body).toMatchObject({ kind, because: 'output_invalid', run_id: runId });
      expect(ended.body.detail).toContain('The model did not answer with JSON');
      expect(ended.headers.get('retry-after')).toBeNull();
      const again = await run('sort', {}, runId);
      expect(again.status).toBe(409);
      expect(again.body).toMatchObject({ kind: 'tools_called' });
      expect(again.body.because).toBe(because);
    },
  );

  test('an answer that leaves no room for the record is unworkable, also after a call of a tool', async () => {
    const folder = givenFolder();
    const file = path.join(folder, 'note.txt');
    writeFileSync(file, 'Read me.');
    const { save, run } = await givenServer(
      [callsTool('files__read_text_file', { path: file }), chatAnswer({ content: 'x'.repeat(1_048_576) })],
      folder,
    );
    await save('reasoning', 'long', fn('tools: [files/*]'));
    const ended = await run('long', {});
    expect(ended).toMatchObject({ status: 409, body: { reason: 'conflict', kind: 'unworkable' } });
    expect(ended.body.detail).toContain('room for');
    expect((await run('long', {}, ended.body.run_id)).body).toMatchObject({
      kind: 'tools_called',
      because: 'only_read',
    });
  });

  test('used up turns end the run: unworkable before a call, and else as the calls were', async () => {
    const folder = givenFolder();
    const file = path.join(folder, 'note.txt');
    writeFileSync(file, 'Read me.');
    const { save, run, provider } = await givenServer([callsTool('files__read_text_file', { path: file })], folder);
    await save('reasoning', 'once', fn('tools: [files/*]\nconfig: { max_steps: 1 }'));
    await save('reasoning', 'thrice', fn('tools: [files/*]\nconfig: { max_steps: 3 }'));
    expect((await run('once', {})).body).toMatchObject({
      kind: 'unworkable',
      detail: expect.stringContaining('max_steps'),
    });
    expect((await run('thrice', {})).body).toMatchObject({ kind: 'tools_unfinished', because: 'max_steps' });
    expect(provider.bodies).toHaveLength(4);
  });

  test('a tool that the playbook may not use is a warning when saved, and refused before the model is asked', async () => {
    const { post, run, provider } = await givenServer([chatAnswer({ content: 'Never.' })]);
    const source = fn('tools: [files/no_such_tool, nobody/tool]');
    const saved = await post(`${AT}/definitions/reasoning`, { name: 'sort', source });
    expect(saved.body.warnings).toMatchObject([{ pointer: '/source/tools/1', line: 3 }]);
    const runId = crypto.randomUUID();
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the second attempt follows the first
      expect((await run('sort', {}, runId)).body).toMatchObject({ reason: 'unavailable', kind: 'tool_not_offered' });
    }
    expect(provider.bodies).toEqual([]);
  });
});

test('given a server that is killed after a call of a tool, then its run and the workflow end without a second call', async () => {
  const folder = givenFolder();
  const out = path.join(folder, 'out.txt');
  const provider = await serveTurns([callsTool('files__write_file', { path: out, content: 'once' }), 'silence']);
  const dataDir = givenFolder();
  const environment = { ...settingsFor(provider, folder), LOG_LEVEL: 'debug' };
  const first = await startServerProcess(dataDir, { environment });
  const client = await createTestClient(first.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await client.post(`${AT}/definitions/reasoning`, { name: 'sort', source: fn('tools: [files/write_file]') });
  await client.post(`${AT}/definitions/workflow`, { name: 'sort', source: WORKFLOW });
  const { body } = await client.post(`${AT}/definitions/workflow/sort/run`, {});
  await provider.asked(2);
  await first.end('SIGKILL');
  expect(readFileSync(out, 'utf8')).toBe('once');
  writeFileSync(out, 'kept');

  const second = await startServerProcess(dataDir, { environment });
  onTestFinished(async () => void (await second.end('SIGTERM')));
  const after = await createTestClient(second.address);
  await expect
    .poll(async () => (await after.get(`${AT}/runs/${body.run_id}`)).body.status, { timeout: 30_000 })
    .toBe('failed');
  const [run] = (await after.get(`${AT}/runs?type=reasoning`)).body.runs;
  expect(run).toMatchObject({ status: 'rejected', reason: 'conflict', kind: 'effect_unknown', attempt: 1 });
  const events = (await after.get(`${AT}/runs/${run.run_id}/history`)).body.events;
  expect(events.filter(({ type }: { type: string }) => type === 'tool_call_started')).toHaveLength(1);
  expect(readFileSync(out, 'utf8')).toBe('kept');
  expect((await after.get(`${AT}/runs/${body.run_id}`)).body.detail).toMatch(/called a tool|called tools/);
}, 60_000);

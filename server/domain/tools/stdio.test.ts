import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/index.ts';
import { givenTools, programOf } from './tools.testing.ts';

test('given the everything server, its tools are found, described and called, and the call is recorded', async () => {
  const { ask, events } = await givenTools({ everything: programOf('server-everything') });

  const found = await ask('search', {}, { terms: 'echo' });
  expect(found).toMatchObject({
    servers: [{ name: 'everything', type: 'stdio', record_content: true, tool_count: expect.any(Number) }],
    scopes: ['everything'],
  });
  expect((found['tools'] as object[])[0]).toMatchObject({ server: 'everything', tool: 'echo' });

  const echo = { server: 'everything', tool: 'echo' };
  expect(await ask('introspect', echo)).toMatchObject({ ...echo, input_schema: { required: ['message'] } });

  expect(await ask('execute', echo, { arguments: { message: 'hello' } })).toMatchObject({
    ...echo,
    outcome: 'result',
    text: 'Echo: hello',
    answer: 'Echo: hello',
    call_id: expect.any(String),
  });
  const [started, answered, ...more] = await events();
  expect(more).toEqual([]);
  expect(started).toMatchObject({ type: 'tool_call_started', data: { ...echo, arguments: { message: 'hello' } } });
  expect(started?.stream).toBe(`call-${String(started?.data['call_id'])}`);
  expect(answered).toMatchObject({
    type: 'tool_call_answered',
    stream: started?.stream,
    data: { call_id: started?.data['call_id'], answer: { content: [{ type: 'text', text: 'Echo: hello' }] } },
    metadata: { causation_id: started?.id, by: 'developer' },
  });
});

test('given the filesystem server, reads are distinguished from writes, and an error of a tool is an error', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder.path, 'note.txt'), 'remember');
  const { ask } = await givenTools({
    files: { ...programOf('server-filesystem', folder.path), allowed: ['read_*', 'write_file'] },
  });
  const names = async (only: string) =>
    ((await ask('search', {}, { only }))['tools'] as { tool: string }[]).map(({ tool }) => tool);
  expect(await names('write')).toEqual(['write_file']);
  expect(await names('read')).toContain('read_text_file');
  const read = { server: 'files', tool: 'read_text_file' };
  expect(await ask('execute', read, { arguments: { path: path.join(folder.path, 'note.txt') } })).toMatchObject({
    outcome: 'result',
    text: 'remember',
    answer: { content: 'remember' },
  });
  expect(await ask('execute', read, { arguments: { path: '/etc/passwd' } })).toMatchObject({ outcome: 'tool_error' });
  folder.remove();
});

test('given the memory server, one process keeps its state', async () => {
  const folder = temporaryFolder();
  const { ask } = await givenTools({
    memory: { ...programOf('server-memory'), env: { MEMORY_FILE_PATH: path.join(folder.path, 'memory.jsonl') } },
  });
  const entities = [{ name: 'desk', entityType: 'place', observations: ['has a lamp'] }];
  await ask('execute', { server: 'memory', tool: 'create_entities' }, { arguments: { entities } });
  expect(await ask('execute', { server: 'memory', tool: 'read_graph' })).toMatchObject({ answer: { entities } });
  folder.remove();
});

test.each([
  ['says nothing', 'started(); process.stdin.resume();'],
  [
    'says nothing to `initialize` and does not end with its input',
    `setTimeout(() => undefined, 30_000);
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'initialize') return started();
      console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
    });`,
  ],
])('given a program that starts and %s, then a stop ends it, and does not start it again', async (_what, does) => {
  const folder = temporaryFolder();
  const starts = path.join(folder.path, 'starts');
  const started = `require('node:fs').appendFileSync(${JSON.stringify(starts)}, process.pid + ';')`;
  const { ask, tools } = await givenTools({
    mute: { type: 'stdio', command: process.execPath, args: ['-e', `const started = () => ${started}; ${does}`] },
  });
  const found = ask('search', {});
  await expect.poll(() => existsSync(starts) && readFileSync(starts, 'utf8')).toMatch(/^\d+;$/);
  await tools.close();
  const [pid, ...more] = readFileSync(starts, 'utf8').split(';');
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  expect(more).toEqual(['']);
  expect((await found)['servers']).toMatchObject([
    {
      because: 'unreachable',
      unavailable: 'The server was ended, as the service is stopping or its configuration has changed; try again.',
    },
  ]);
  folder.remove();
});

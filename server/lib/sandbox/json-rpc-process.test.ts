import { spawnSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { type RpcProcess, startRpcProcess } from './json-rpc-process.ts';

/** Answers each request with its parameters, after it has asked for the name of a file. */
const ECHO = `
  let buffer = Buffer.alloc(0);
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
  };
  let asked;
  const receive = (message) => {
    if (message.method === 'fail') return send({ id: message.id, error: { message: 'No.' } });
    if (message.method) return (asked = message), send({ id: 'a1', method: 'name', params: 'ä' });
    send({ id: asked.id, result: [message.result, asked.params] });
  };
  process.stdin.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (let end; (end = buffer.indexOf('\\r\\n\\r\\n')) !== -1; ) {
      const length = Number(/\\d+/.exec(buffer.toString('latin1', 0, end))[0]);
      if (buffer.length < end + 4 + length) return;
      receive(JSON.parse(buffer.toString('utf8', end + 4, end + 4 + length)));
      buffer = buffer.subarray(end + 4 + length);
    }
  });`;

let started: RpcProcess;
afterEach(() => started.end());

function start(script: string): RpcProcess {
  started = startRpcProcess(process.execPath, ['-e', script], (method, params) => `${method} ${String(params)}`);
  return started;
}

test('given a process that answers, then requests go both ways, however long they are', async () => {
  const rpc = start(ECHO);
  expect(await rpc.request('one', { text: 'ü' })).toEqual(['name ä', { text: 'ü' }]);
  const long = 'ö'.repeat(300_000);
  expect(await rpc.request('two', long)).toEqual(['name ä', long]);
  await expect(rpc.request('fail', null)).rejects.toThrow('No.');
});

test('given a process that exits without reading, then requests before and after it fail, and nothing else does', async () => {
  const rpc = start('process.exit(1)');
  const before = [rpc.request('one', 'a'.repeat(1_000_000)), rpc.request('two', null)];
  for (const { status } of await Promise.allSettled(before)) expect(status).toBe('rejected');
  await expect(rpc.request('three', null)).rejects.toThrow('The process has exited.');
});

test('given a program that does not exist, then requests fail', async () => {
  started = startRpcProcess('/nonexistent/program', [], () => null);
  await expect(started.request('one', null)).rejects.toThrow('The process has exited.');
});

test('given a process that is ended while it works, then its requests fail', async () => {
  const rpc = start('setInterval(() => {}, 1000)');
  const [pending] = await Promise.allSettled([rpc.request('one', null), rpc.end()]);
  expect(pending.status).toBe('rejected');
});

test('given a process that prints a stack trace when its caller exits, then the caller prints nothing', () => {
  const trace = `process.stdin.on('end', () => console.error('goroutine 1 [running]:')).resume();`;
  const caller = `
    import { startRpcProcess } from ${JSON.stringify(new URL('json-rpc-process.ts', import.meta.url).href)};
    startRpcProcess(process.execPath, ['-e', ${JSON.stringify(trace)}], () => null).request('one', null);
    process.exit();`;
  // Ends when every process that holds its output has exited.
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', caller], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

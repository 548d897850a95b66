// A child process that speaks JSON-RPC 2.0 over its standard streams, each message after a `Content-Length` header, as
// language servers do. TypeScript's own client is not used: if its process exits, a pending request never settles,
// and writing the next one is an unhandled rejection, which ends the whole server.
import { spawn } from 'node:child_process';
import type { Json } from '../../../shared/json.ts';

export interface RpcProcess {
  /** @throws Error if the process reports an error, or has exited */
  request(method: string, params: Json): Promise<Json>;
  /** Kills the process. Resolves once it has exited. */
  end(): Promise<void>;
}

interface Message {
  id: number | string;
  method?: string;
  params?: Json;
  result?: Json;
  error?: { message: string };
}

const END_OF_HEADER = '\r\n\r\n';

/**
 * @param answer answers the requests of the process; throws nothing
 */
export function startRpcProcess(
  program: string,
  args: readonly string[],
  answer: (method: string, params: Json) => Json,
): RpcProcess {
  const pending = new Map<number, { resolve: (result: Json) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let hasExited = false;

  // A program that is stopped in the middle of its work, by the same signal as the server, prints stack traces.
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
  const exited = new Promise<void>((resolve) => {
    const onExit = (): void => {
      hasExited = true;
      for (const { reject } of pending.values()) reject(new Error('The process has exited.'));
      pending.clear();
      resolve();
    };
    // A program that cannot start has an error and no exit.
    child.once('error', onExit);
    child.once('exit', onExit);
  });
  // What cannot be written fails with the exit.
  child.stdin.on('error', () => {});
  child.stdout.on('data', createMessageReader(receive));

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}${END_OF_HEADER}${body}`);
  }

  function receive({ id, method, params = null, result = null, error }: Message): void {
    if (method !== undefined) return send({ id, result: answer(method, params) });
    const request = pending.get(Number(id));
    pending.delete(Number(id));
    if (error === undefined) request?.resolve(result);
    else request?.reject(new Error(error.message));
  }

  return {
    request(method, params) {
      if (hasExited) return Promise.reject(new Error('The process has exited.'));
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    end() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

/** Divides a stream into messages. */
function createMessageReader(receive: (message: Message) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  /** A long message is joined once, when all of it has arrived. */
  let needed = 0;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    let rest = Buffer.concat(chunks);
    for (;;) {
      const header = rest.indexOf(END_OF_HEADER);
      if (header === -1) {
        needed = 0;
        break;
      }
      const start = header + END_OF_HEADER.length;
      needed = start + Number(/Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, header))?.[1]);
      if (rest.length < needed) break;
      receive(JSON.parse(rest.toString('utf8', start, needed)) as Message);
      rest = rest.subarray(needed);
    }
    chunks = [rest];
    size = rest.length;
  };
}

// Remote procedure calls between two processes over a message port. Each side has handlers for the calls of the other.

/** One end of a message port. */
export interface Port {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
}

/** The functions that the other side can call, by name. */
export type Handlers = Readonly<Record<string, (argument: never) => unknown>>;

export interface RpcClient<Remote extends Handlers> {
  /** Calls a function of the other side. @throws RpcError with the message of the other side, or if it has exited */
  call<Name extends keyof Remote & string>(
    name: Name,
    argument: Parameters<Remote[Name]>[0],
  ): Promise<Awaited<ReturnType<Remote[Name]>>>;
  /** Calls a function without waiting for a result. */
  notify<Name extends keyof Remote & string>(name: Name, argument: Parameters<Remote[Name]>[0]): void;
  /** Call it when the other side has exited: rejects all pending calls. */
  close(): void;
}

export class RpcError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'RpcError';
  }
}

type Message =
  | { kind: 'request'; id: number; name: string; argument: unknown }
  | { kind: 'response'; id: number; value: unknown }
  | { kind: 'error'; id: number; detail: string };

export function createRpc<Remote extends Handlers>(port: Port, handlers: Handlers): RpcClient<Remote> {
  const pending = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let isClosed = false;

  async function respond({ id, name, argument }: Message & { kind: 'request' }): Promise<void> {
    try {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (handler === undefined) throw new RpcError(`Unknown function ${JSON.stringify(name)}.`);
      const value = await handler(argument as never);
      post({ kind: 'response', id, value });
    } catch (error) {
      post({ kind: 'error', id, detail: error instanceof Error ? error.message : 'The call failed.' });
    }
  }

  function post(message: Message): void {
    if (!isClosed) port.post(message);
  }

  port.listen((received) => {
    if (!isMessage(received)) return;
    if (received.kind === 'request') return void respond(received);
    const call = pending.get(received.id);
    pending.delete(received.id);
    if (received.kind === 'response') call?.resolve(received.value as never);
    else call?.reject(new RpcError(received.detail));
  });

  return {
    call: (name, argument) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new RpcError(EXITED));
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        post({ kind: 'request', id: lastId, name, argument });
      }),
    notify(name, argument) {
      lastId += 1;
      post({ kind: 'request', id: lastId, name, argument });
    },
    close() {
      isClosed = true;
      for (const { reject } of pending.values()) reject(new RpcError(EXITED));
      pending.clear();
    },
  };
}

const EXITED = 'The other process has exited.';

function isMessage(received: unknown): received is Message {
  if (typeof received !== 'object' || received === null || !('kind' in received) || !('id' in received)) return false;
  const { kind, id } = received;
  return typeof id === 'number' && (kind === 'request' || kind === 'response' || kind === 'error');
}

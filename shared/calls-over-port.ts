// Questions and answers between two processes that share a message port. Each side answers what it named handlers for.

/** Either end of a port, however its library spells it. */
export interface Port {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
}

/** What one side may be asked, by name. */
export type Handlers = Readonly<Record<string, (given: never) => unknown>>;

export interface Calls<Theirs extends Handlers> {
  /** @throws CallRefused with the other side's sentence, or when the other side has gone */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    given: Parameters<Theirs[Name]>[0],
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Asks what needs no answer. */
  tell<Name extends keyof Theirs & string>(name: Name, given: Parameters<Theirs[Name]>[0]): void;
  /** The other side has gone: whatever waits for it hears of it. */
  end(): void;
}

export class CallRefused extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'CallRefused';
  }
}

type Message =
  | { kind: 'question'; id: number; name: string; given: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; detail: string };

export function createCalls<Theirs extends Handlers>(port: Port, mine: Handlers): Calls<Theirs> {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let hasEnded = false;

  async function answer({ id, name, given }: Message & { kind: 'question' }): Promise<void> {
    try {
      const handler = Object.hasOwn(mine, name) ? mine[name] : undefined;
      if (handler === undefined) throw new CallRefused(`Nobody here answers ${JSON.stringify(name)}.`);
      const value = await handler(given as never);
      post({ kind: 'answer', id, value });
    } catch (error) {
      post({ kind: 'refusal', id, detail: error instanceof Error ? error.message : 'It failed.' });
    }
  }

  function post(message: Message): void {
    if (!hasEnded) port.post(message);
  }

  port.listen((received) => {
    if (!isMessage(received)) return;
    if (received.kind === 'question') return void answer(received);
    const asked = waiting.get(received.id);
    waiting.delete(received.id);
    if (received.kind === 'answer') asked?.resolve(received.value as never);
    else asked?.reject(new CallRefused(received.detail));
  });

  return {
    ask: (name, given) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(new CallRefused(GONE));
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        post({ kind: 'question', id: lastId, name, given });
      }),
    tell(name, given) {
      lastId += 1;
      post({ kind: 'question', id: lastId, name, given });
    },
    end() {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(new CallRefused(GONE));
      waiting.clear();
    },
  };
}

const GONE = 'The other process has ended.';

function isMessage(received: unknown): received is Message {
  if (typeof received !== 'object' || received === null || !('kind' in received) || !('id' in received)) return false;
  const { kind, id } = received;
  return typeof id === 'number' && (kind === 'question' || kind === 'answer' || kind === 'refusal');
}

// Tells a client that asked for it how a call goes on.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../kernel/clock.ts';

const EVERY_MS = 5000;
/** Characters of a growing text that are shown. */
const SHOWN = 240;

export interface Progress {
  /** Tells at once what happens now. */
  tell(message: string): Promise<void>;
  /** Reports the end of a text while a model writes it; absent if the client did not ask for progress. */
  follow?: (pieces: AsyncIterable<{ from: number; text: string }>) => void;
  /** Ends the telling. */
  end(): void;
}

/** From the first five seconds on it says every five that the call goes on, so that no client gives it up as dead. */
export function createProgress({ mcpReq }: ServerContext, clock: Clock, tool: string): Progress {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { tell: async () => {}, end() {} };
  const begun = clock.now();
  let told = 0;
  let isOver = false;
  const tell = async (message: string): Promise<void> => {
    // The protocol allows no progress after the result.
    if (isOver) return;
    told += 1;
    const params = { progressToken: token, progress: told, message };
    // A client that has gone away is told nothing.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  let callOff = (): void => {};
  const beat = (): void => {
    callOff = clock.wakeAt(clock.now() + EVERY_MS, () => {
      void tell(`${tool} has been running for ${Math.round((clock.now() - begun) / 1000)} s.`);
      beat();
    });
  };
  const follow = async (pieces: AsyncIterable<{ from: number; text: string }>): Promise<void> => {
    let written = '';
    for await (const { from, text } of pieces) {
      written = `${from === 0 ? '' : written}${text}`.slice(-SHOWN);
      const line = written.replaceAll(/\s+/g, ' ').trim();
      if (line !== '') await tell(`The model writes: ${from + text.length > SHOWN ? '…' : ''}${line}`);
    }
  };
  beat();
  return {
    follow: (pieces) => void follow(pieces),
    tell,
    end() {
      isOver = true;
      callOff();
    },
  };
}

// Reports the progress of a call to a client that asked for it.
import type { ServerContext } from '@modelcontextprotocol/server';
import { type Clock, stopwatch } from '../../lib/clock.ts';

const EVERY_MS = 5000;
const REPORTS_APART_MS = 250;
/** Characters of a growing text that are shown. */
const SHOWN = 240;

export interface Progress {
  /** Reports what happened, at most four times a second: of what comes faster, the newest. */
  report: (message: string) => Promise<void>;
  /** Reports the end of a text while a model writes it; absent if the client did not ask for progress. */
  follow?: (pieces: AsyncIterable<{ from: number; text: string }>) => void;
  /** Reports nothing more. */
  end(): void;
}

/** Also reports every five seconds that the call is running, so that the client does not time out. */
export function createProgress({ mcpReq }: ServerContext, clock: Clock, tool: string): Progress {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { report: async () => {}, end() {} };
  const tookMs = stopwatch(clock);
  let reported = 0;
  let isOver = false;
  const sendProgress = async (message: string): Promise<void> => {
    // The protocol allows no progress after the result.
    if (isOver) return;
    reported += 1;
    const params = { progressToken: token, progress: reported, message };
    // The client may have disconnected.
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  let callOff = (): void => {};
  const beat = (): void => {
    callOff = clock.wakeAfter(EVERY_MS, () => {
      void sendProgress(`${tool} has been running for ${Math.round(tookMs() / 1000)} s.`);
      beat();
    });
  };
  const follow = async (pieces: AsyncIterable<{ from: number; text: string }>): Promise<void> => {
    let written = '';
    for await (const { from, text } of pieces) {
      // Do not start with the second half of a surrogate pair.
      written = `${from === 0 ? '' : written}${text}`.slice(-SHOWN).replace(/^[\udc00-\udfff]/, '');
      const line = written.replaceAll(/\s+/g, ' ').trim();
      if (line !== '') await sendProgress(`The model writes: ${from + text.length > SHOWN ? '…' : ''}${line}`);
    }
  };
  let newest: string | undefined;
  let callOffReport: (() => void) | undefined;
  const report = async (message: string): Promise<void> => {
    newest = message;
    if (callOffReport !== undefined) return;
    callOffReport = clock.wakeAfter(REPORTS_APART_MS, () => {
      callOffReport = undefined;
      if (newest !== undefined) void report(newest);
    });
    newest = undefined;
    await sendProgress(message);
  };
  beat();
  return {
    follow: (pieces) => void follow(pieces),
    report,
    end() {
      isOver = true;
      callOff();
      callOffReport?.();
    },
  };
}

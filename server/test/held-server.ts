// An HTTP server for tests whose answers wait until the test lets them go.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, serveLoopback } from './loopback.ts';

export interface HeldServer extends LoopbackServer {
  /** The bodies of the requests so far. */
  asked: string[];
  /** Requests whose caller went away before the answer. */
  leftBy(): number;
  /** Answers what waits. */
  release(): void;
}

export async function serveHeld(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<HeldServer> {
  const asked: string[] = [];
  let left = 0;
  let waiting: (() => void)[] = [];
  const server = await serveLoopback((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      asked.push(text);
      waiting.push(() => answer(response, request));
    });
    response.on('close', () => {
      if (!response.writableEnded) left += 1;
    });
  });
  return {
    ...server,
    asked,
    leftBy: () => left,
    release() {
      const now = waiting;
      waiting = [];
      for (const go of now) go();
    },
  };
}

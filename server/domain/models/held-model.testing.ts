// A provider on the loopback whose answers a test writes piece by piece.
import type { ServerResponse } from 'node:http';
import { serveLoopback } from '../../test/index.ts';

export interface HeldModel {
  address: string;
  /** The response to the next request, for the test to write. */
  asked: () => Promise<ServerResponse>;
  close: () => Promise<void>;
}

export async function serveHeldModel(): Promise<HeldModel> {
  const waiting: ServerResponse[] = [];
  let come: (() => void) | undefined;
  const provider = await serveLoopback((request, response) => {
    request.resume();
    waiting.push(response);
    come?.();
  });
  return {
    address: provider.address,
    async asked() {
      if (waiting.length === 0) await new Promise<void>((resolve) => (come = resolve));
      return waiting.shift() as ServerResponse;
    },
    close: () => provider.close(),
  };
}

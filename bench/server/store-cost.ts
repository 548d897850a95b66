// What one request or step costs the store, by the counters that the server's health shows.
import { setTimeout as pause } from 'node:timers/promises';
import { middleOf } from '../figures.ts';
import type { Send } from '../send.ts';

export interface Work {
  commits: number;
  statements: number;
}

/** How often each is repeated; the median counts. */
const TIMES = 5;
/** Without a change for so long, nothing is left to do. */
const QUIET_MS = 150;

export const storeWork = async (send: Send): Promise<Work> => (await send('GET', '/health'))['work'] as Work;

async function quiet(send: Send): Promise<Work> {
  for (let last = Number.NaN; ; ) {
    const work = await storeWork(send);
    if (work.statements === last) return work;
    last = work.statements;
    await pause(QUIET_MS);
  }
}

/** The commits and statements of a call, until nothing follows from it any more. */
export async function storeCost(send: Send, call: () => Promise<unknown>): Promise<Work> {
  const costs: Work[] = [];
  for (let time = 0; time <= TIMES; time += 1) {
    const before = await quiet(send);
    await call();
    const after = await quiet(send);
    const cost = { commits: after.commits - before.commits, statements: after.statements - before.statements };
    // The first time also fills caches.
    if (time > 0) costs.push(cost);
  }
  return middleOf(costs, ({ statements }) => statements);
}

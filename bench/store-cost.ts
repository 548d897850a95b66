// What one request or step costs the store, by the counters that the server's health shows.
import type { Send } from './send.ts';

interface Work {
  commits: number;
  statements: number;
}

/** How often each is repeated; the median counts. */
const TIMES = 5;
/** Without a change for so long, nothing is left to do. */
const QUIET_MS = 150;

async function quiet(send: Send): Promise<Work> {
  for (let last = Number.NaN; ; ) {
    const { work } = (await send('GET', '/health')) as { work: Work };
    if (work.statements === last) return work;
    last = work.statements;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}

/** The commits and statements of a piece of work, until nothing follows from it any more. */
export async function storeCost(send: Send, work: () => Promise<unknown>): Promise<Work> {
  const costs: Work[] = [];
  for (let time = 0; time <= TIMES; time += 1) {
    const before = await quiet(send);
    await work();
    const after = await quiet(send);
    const cost = { commits: after.commits - before.commits, statements: after.statements - before.statements };
    // The first time also fills caches.
    if (time > 0) costs.push(cost);
  }
  const [middle] = costs.toSorted((a, b) => a.statements - b.statements).slice(Math.floor(TIMES / 2));
  return middle ?? { commits: 0, statements: 0 };
}

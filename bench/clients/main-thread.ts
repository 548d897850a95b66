// The tasks of a page's main thread during an action, from a recorded trace.
import type { Browser, Page } from 'playwright-core';

export interface Tasks {
  count: number;
  /** Milliseconds of the longest task, as the clock went. */
  longest: number;
  /** Milliseconds of processor time of the task that used most: what else the machine does is not in it. */
  longestCpu: number;
  /** How many took more than 100 ms by the clock. */
  over: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** Records a trace while `act` runs. */
export async function traced(browser: Browser, page: Page, act: () => Promise<void>): Promise<Tasks> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && main.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error('The trace holds no task of the page.');
  const most = (of: 'dur' | 'tdur'): number => tasks.reduce((longest, task) => Math.max(longest, task[of] ?? 0), 0);
  return {
    count: tasks.length,
    longest: most('dur') / 1000,
    longestCpu: most('tdur') / 1000,
    over: tasks.filter(({ dur = 0 }) => dur > 100_000).length,
  };
}

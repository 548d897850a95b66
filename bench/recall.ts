// Views of recall functions: how fast events are folded, how soon an answer comes with a million events behind it, and
// what a rebuild does to other requests; as ratios to the same fold in plain Node. Usage: npm run bench:recall
// BENCH_EVENTS says how many events stand behind the view, 1,000,000 when it is absent.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openLog } from '../server/open-stores.ts';
import { systemClock } from '../server/lib/clock.ts';
import type { EventLog } from '../server/kernel/log/index.ts';
import { createPlaybooks } from '../server/domain/playbooks/index.ts';
import { readSettings } from '../server/settings/index.ts';
import { createSender, type Send } from './send.ts';
import { here, residentMiB, start } from './start-process.ts';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000);
const REBUILT = Math.min(EVENTS, 100_000);
const TICKETS = 1000;
const TIME = '2026-01-01T00:00:00.000Z';

interface State {
  open: Record<string, { at: string }>;
  opened: number;
  closed: number;
}

const SOURCE = `export const reads = [{ events: { type: 'ticket.opened' } }, { events: { type: 'ticket.closed' } }];
export const initial = { open: {}, opened: 0, closed: 0 };
export function evolve(state, event) {
  const id = event.event.data.ticket;
  if (event.event.type === 'ticket.opened') {
    state.opened += 1;
    state.open[id] = { at: event.at };
  } else {
    state.closed += 1;
    delete state.open[id];
  }
  return state;
}
export const answer = (state) => ({ open: Object.keys(state.open).length, opened: state.opened, closed: state.closed });
`;

/** Tickets are opened in turns and closed again when as many are open as there are tickets. */
const typeOf = (n: number): string => (Math.floor(n / TICKETS) % 2 === 0 ? 'ticket.opened' : 'ticket.closed');
const cloudEvent = (n: number) => ({ source: '/bench', type: typeOf(n), id: `e${n}`, time: TIME });
const dataOf = (n: number) => ({ ticket: `T${n % TICKETS}`, text: 'x'.repeat(100) });

async function fill(log: EventLog, playbook: string, count: number): Promise<void> {
  const place = { org: 'local', playbook };
  await createPlaybooks(log, async () => {}).create(place, { name: playbook, description: '' }, 'developer');
  const A_WORK = 1000;
  for (let from = 0; from < count; from += A_WORK) {
    const events = Array.from({ length: Math.min(A_WORK, count - from) }, (_none, index) => ({
      type: 'event_published',
      data: { event: cloudEvent(from + index), time_given: true, data: dataOf(from + index) },
      metadata: { by: 'developer' },
    }));
    await log.write(place, (tx) => log.append(tx, { ...place, stream: 'events', events }));
  }
}

/** The same fold over the same texts, without a sandbox and a store; seconds. */
async function foldPlainly(count: number): Promise<number> {
  const { evolve } = (await import(`data:text/javascript,${encodeURIComponent(SOURCE)}`)) as {
    evolve: (state: State, event: unknown) => State;
  };
  let state: State = { open: {}, opened: 0, closed: 0 };
  let seconds = 0;
  for (let from = 0; from < count; from += 20_000) {
    const texts = Array.from({ length: Math.min(20_000, count - from) }, (_none, index) => {
      const n = from + index;
      const event = { specversion: '1.0', ...cloudEvent(n), data: dataOf(n) };
      return JSON.stringify({ id: `0192b3a4-5c6d-7e8f-9a0b-${n}`, at: TIME, by: 'developer', kind: 'event', event });
    });
    const begun = performance.now();
    for (const text of texts) state = evolve(state, JSON.parse(text));
    seconds += (performance.now() - begun) / 1000;
  }
  if (state.opened + state.closed !== count) throw new Error('The plain fold lost events.');
  return seconds;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const pathOf = (playbook: string): string => `/v1/orgs/local/playbooks/${playbook}/definitions/recall`;

/** Seconds until the view of the current version is built. */
async function untilBuilt(send: Send, playbook: string, name: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const { standing } = (await send('GET', `${pathOf(playbook)}/${name}`)) as { standing: { state: string } };
    if (standing.state === 'current') return (performance.now() - begun) / 1000;
    // Asking costs the server a count of what is left: seldom enough not to be what is measured.
    await pause(500);
  }
}

interface Latencies {
  p50: number;
  p99: number;
  count: number;
}

/** Milliseconds of answers, one after the other, until `ended` settles. */
async function answers(send: Send, ended: Promise<unknown>): Promise<Latencies> {
  const taken: number[] = [];
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver || taken.length < 20) {
    const begun = performance.now();
    const { output } = await send('POST', `${pathOf('million')}/tickets/run`, {});
    if ((output as State).opened === 0) throw new Error('The view is empty.');
    taken.push(performance.now() - begun);
    await pause(2);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.ceil(share * taken.length) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: taken.length };
}

const print = (name: string, words: string): void => console.log(name.padEnd(46), words);

const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-bench-'));
try {
  const log = openLog(readSettings({ DATA_DIR: folder }), systemClock, (sentence) => {
    throw new Error(sentence);
  });
  await fill(log, 'million', EVENTS);
  await fill(log, 'hundred', REBUILT);
  await log.close();

  const plain = await foldPlainly(EVENTS);
  print(`plain Node, ${EVENTS} events`, `${(EVENTS / plain).toFixed(0)} events/s, ${plain.toFixed(2)} s`);

  const server = await start([here('../server/main.ts'), 'serve', '--port', '0', '--data-dir', folder]);
  const { send, close } = createSender(server.port);
  await send('POST', pathOf('million'), { name: 'tickets', source: SOURCE });
  const built = await untilBuilt(send, 'million', 'tickets');
  print(
    'a view of them, stored every 500 events',
    `${(EVENTS / built).toFixed(0)} events/s  ratio ${(plain / built).toFixed(3)}  ${residentMiB(server.pid).toFixed(0)} MiB`,
  );

  const idle = await answers(send, pause(3000));
  print(
    `an answer with ${EVENTS} events behind it`,
    `p50 ${idle.p50.toFixed(1)} ms  p99 ${idle.p99.toFixed(1)} ms  plain fold / answer ${((plain * 1000) / idle.p50).toFixed(0)}`,
  );

  await send('POST', pathOf('hundred'), { name: 'tickets', source: SOURCE });
  const rebuild = untilBuilt(send, 'hundred', 'tickets');
  const meanwhile = await answers(send, rebuild);
  print(
    `answers while ${REBUILT} events are rebuilt`,
    `p50 ${meanwhile.p50.toFixed(1)} ms  p99 ${meanwhile.p99.toFixed(1)} ms over ${meanwhile.count}, rebuilt in ${(await rebuild).toFixed(1)} s  ratio of p99 to idle ${(meanwhile.p99 / idle.p99).toFixed(1)}`,
  );
  close();
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

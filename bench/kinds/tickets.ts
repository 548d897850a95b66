// A log of tickets that are opened and closed, and a view of those that are open.
import { setTimeout as pause } from 'node:timers/promises';
import { createPlaybooks } from '../../server/domain/playbooks/index.ts';
import type { EventLog } from '../../server/kernel/log/index.ts';
import { openDataDir } from '../open-log.ts';
import type { Send } from '../send.ts';

const TICKETS = 1000;
const TIME = '2026-01-01T00:00:00.000Z';

export interface State {
  open: Record<string, { at: string }>;
  opened: number;
  closed: number;
}

/** A recall function. */
export const SOURCE = `export const reads = [{ events: { type: 'ticket.opened' } }, { events: { type: 'ticket.closed' } }];
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

/** Events as `evolve` takes them, as JSON texts. */
export function eventTexts(from: number, count: number): string[] {
  return Array.from({ length: count }, (_none, index) => {
    const n = from + index;
    const event = { specversion: '1.0', ...cloudEvent(n), data: dataOf(n) };
    return JSON.stringify({ id: `0192b3a4-5c6d-7e8f-9a0b-${n}`, at: TIME, by: 'developer', kind: 'event', event });
  });
}

/** Makes a data directory whose playbooks have so many events each. */
export async function fillLog(folder: string, counts: Readonly<Record<string, number>>): Promise<void> {
  const log = openDataDir(folder);
  for (const [playbook, count] of Object.entries(counts)) await fill(log, playbook, count);
  await log.close();
}

async function fill(log: EventLog, playbook: string, count: number): Promise<void> {
  const key = { org: 'local', playbook };
  await createPlaybooks(log, async () => {}).create(key, { name: playbook, description: '' }, 'developer');
  const COMMIT = 1000;
  for (let from = 0; from < count; from += COMMIT) {
    const events = Array.from({ length: Math.min(COMMIT, count - from) }, (_none, index) => ({
      type: 'event_published',
      data: { event: cloudEvent(from + index), time_given: true, data: dataOf(from + index) },
      metadata: { by: 'developer' },
    }));
    await log.write(key, (tx) => log.append(tx, { ...key, stream: 'events', events }));
  }
}

export const pathOf = (playbook: string): string => `/v1/orgs/local/playbooks/${playbook}/definitions/recall`;

/** Saves the view in a playbook and waits until it is built; returns the seconds that building it took. */
export async function buildView(send: Send, playbook: string): Promise<number> {
  await send('POST', pathOf(playbook), { name: 'tickets', source: SOURCE });
  const begun = performance.now();
  for (;;) {
    const { standing } = (await send('GET', `${pathOf(playbook)}/tickets`)) as { standing: { state: string } };
    const elapsed = performance.now() - begun;
    if (standing.state === 'current') return elapsed / 1000;
    // Asking costs the server a count of what is left: seldom enough not to be what is measured.
    await pause(Math.max(20, elapsed * 0.03));
  }
}

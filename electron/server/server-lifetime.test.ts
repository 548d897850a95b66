import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SERVER_PROGRAM, startServerProcess } from '../../server/test/index.ts';
import { createForks, type RealForks } from './real-server.testing.ts';
import {
  createServerLifetime,
  isAlive,
  type ServerLifetime,
  type ServerProcess,
  type ServerState,
} from './server-lifetime.ts';
import { startUtilityServer } from './utility-server.ts';

interface Fixture {
  server: ServerLifetime;
  states: ServerState[];
  /** The scheduled work, in order. The test runs it. */
  later: { milliseconds: number; work: () => void }[];
  state<Is extends ServerState['is']>(is: Is): Promise<ServerState & { is: Is }>;
  log: () => string;
}

function given(start: (log: (text: string) => void) => ServerProcess, now: () => number = () => 0): Fixture {
  const states: ServerState[] = [];
  const later: Fixture['later'] = [];
  let written = '';
  const server = createServerLifetime({
    start: () => start((text) => void (written += text)),
    wrapper: { wrap: async (text) => `wrapped ${text}`, unwrap: async (text) => ({ text, isStale: false }) },
    isAlive,
    now,
    after(milliseconds, work) {
      const entry = { milliseconds, work };
      later.push(entry);
      return () => void (later.includes(entry) && later.splice(later.indexOf(entry), 1));
    },
    onState: (state) => states.push(state),
  });
  return {
    server,
    states,
    later,
    log: () => written,
    state: (is) =>
      vi.waitFor(
        () => {
          const state = server.state();
          expect(state.is, written).toBe(is);
          return state as never;
        },
        { timeout: 45_000, interval: 20 },
      ),
  };
}

describe('with the real server', { timeout: 150_000 }, () => {
  /** A health check times out after two seconds, which a busy machine may exceed. */
  const untilAlive = (address: string): Promise<void> =>
    vi.waitFor(async () => expect(await isAlive(address)).toBe(true), { timeout: 30_000 });

  let forks: RealForks;
  let world: Fixture;
  beforeEach(() => {
    forks = createForks();
    world = given((log) => startUtilityServer(forks, SERVER_PROGRAM, log));
  });
  afterEach(async () => {
    await world.server.stop();
    forks.remove();
  });

  test('it starts, is restarted after a delay when it was killed, and stops', async () => {
    world.server.start();
    const first = await world.state('up');
    expect(first.isOwn).toBe(true);
    await untilAlive(first.address);
    expect(await world.server.call('keyPlace', null)).toBe('nowhere');
    process.kill(forks.pids[0] ?? 0, 'SIGKILL');
    expect((await world.state('waiting')).milliseconds).toBe(1_000);
    world.later.pop()?.work();
    await world.state('up');
    expect(forks.pids).toHaveLength(2);
    await world.server.stop();
    expect(world.server.state()).toEqual({ is: 'stopped' });
    // Another server may use its port by now.
    for (const pid of forks.pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('it uses another server of the data directory, and starts its own when that server has stopped', async () => {
    const other = await startServerProcess(forks.dataDir);
    world.server.start();
    const up = await world.state('up');
    expect(up).toEqual({ is: 'up', address: other.address, isOwn: false });
    await expect(world.server.call('keepKeyInSystem', null)).rejects.toThrow('Another program');
    await other.end('SIGTERM');
    world.later.pop()?.work();
    await vi.waitFor(() => expect(world.later).toHaveLength(1), { timeout: 15_000 });
    world.later.pop()?.work();
    await vi.waitFor(() => expect(world.server.state()).toMatchObject({ is: 'up', isOwn: true }), { timeout: 45_000 });
  });

  test('it gives up immediately if its settings are wrong, with the message of the server', async () => {
    writeFileSync(path.join(forks.dataDir, 'env'), 'API_KEYS=[]\n', { mode: 0o600 });
    world.server.start();
    expect((await world.state('gave_up')).detail).toContain('API_KEYS');
    expect(forks.pids).toHaveLength(1);
  });
});

describe('with a server that exits', () => {
  /** A process whose exit the test controls. */
  function ending(code: number | null): ServerProcess & { end: () => void } {
    let end = (_code: number | null): void => {};
    return {
      post: () => {},
      onMessage: () => {},
      onExit(listener) {
        end = listener;
      },
      kill: () => end(null),
      lastError: () => '',
      end: () => end(code),
    };
  }

  test('the delays grow, then it gives up and says so; the person can try again', () => {
    let current = ending(1);
    const world = given(() => (current = ending(1)));
    world.server.start();
    const waits: number[] = [];
    for (current.end(); world.server.state().is === 'waiting'; current.end()) {
      const next = world.later.pop();
      waits.push(next?.milliseconds ?? 0);
      next?.work();
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(world.server.state()).toMatchObject({ is: 'gave_up', detail: 'The server exited with code 1.' });
    expect(world.later).toEqual([]);
    world.server.start();
    current.end();
    expect(world.later.map(({ milliseconds }) => milliseconds)).toEqual([1_000]);
  });

  test('an exit after a while is not a failed start', () => {
    let time = 0;
    let current = ending(1);
    const world = given(
      () => (current = ending(1)),
      () => time,
    );
    world.server.start();
    for (let round = 0; round < 10; round += 1) {
      time += 120_000;
      current.end();
      expect(world.server.state()).toMatchObject({ is: 'waiting', milliseconds: 1_000 });
      world.later.pop()?.work();
    }
  });

  test('the person can restart it immediately', () => {
    let starts = 0;
    let current = ending(1);
    const world = given(() => {
      starts += 1;
      return (current = ending(1));
    });
    world.server.start();
    current.end();
    world.server.start();
    expect([starts, world.server.state().is, world.later.length]).toEqual([2, 'starting', 0]);
  });

  test('a process that found another server is killed if it does not exit, and the other server is used', async () => {
    const notified: unknown[] = [];
    let hear = (_message: unknown): void => {};
    const current = {
      ...ending(1),
      post: (message: unknown) => void notified.push(message),
      onMessage: (listener: (message: unknown) => void) => void (hear = listener),
    };
    const world = given(() => current);
    world.server.start();
    hear({ kind: 'request', id: 1, name: 'isUp', argument: { address: 'http://127.0.0.1:4747', isOwn: false } });
    expect(notified[0]).toMatchObject({ name: 'stop' });
    expect(world.server.state().is).toBe('starting');
    world.later.pop()?.work();
    expect(world.server.state()).toEqual({ is: 'up', address: 'http://127.0.0.1:4747', isOwn: false });
    expect(world.later).toHaveLength(1);
    await world.server.stop();
  });

  test('it is notified that the machine has woken up, while it is there', () => {
    const heard: unknown[] = [];
    const current = { ...ending(1), post: (message: unknown) => void heard.push(message) };
    const world = given(() => current);
    world.server.machineResumed();
    expect(heard).toEqual([]);
    world.server.start();
    world.server.machineResumed();
    world.server.machineResumed();
    expect(heard).toMatchObject([{ name: 'machineResumed' }, { name: 'machineResumed' }]);
    current.end();
    world.server.machineResumed();
    expect(heard).toHaveLength(2);
  });

  test('nothing is started after a stop, and a process that ignores the stop is killed', async () => {
    const asked: unknown[] = [];
    const current = { ...ending(1), post: (message: unknown) => void asked.push(message) };
    const world = given(() => current);
    world.server.start();
    const stopped = Promise.all([world.server.stop(), world.server.stop()]);
    world.later.pop()?.work();
    await stopped;
    expect(asked).toMatchObject([{ name: 'stop' }]);
    world.server.start();
    expect(world.server.state()).toEqual({ is: 'stopped' });
  });
});

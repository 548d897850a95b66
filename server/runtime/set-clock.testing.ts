// The tests of a real server whose machine sleeps, or whose wall clock is set. Skipped without libfaketime.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestClient,
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
  type TestClient,
} from '../test/index.ts';
import { CLOCK_CANNOT_BE_SET, machineTime, type MachineTime } from '../test/machine-time.ts';

const AT = '/v1/orgs/local/playbooks/desk';
/** Far beyond the two seconds within which a change is found: a busy machine may take long. */
const SOON = { timeout: 40_000, interval: 100 };

interface TimedDesk {
  /** Starts a run that waits for so long, an ISO 8601 duration. */
  startWait(duration: string): Promise<string>;
  startRequest(): Promise<string>;
  /** Waits until the server has noticed what time it is; on SQLite it reads the clock itself. */
  knowsTime(now: number): Promise<void>;
  /** Waits until a run has ended. */
  ended(runId: string, status: string): Promise<void>;
  isInProgress(runId: string): Promise<boolean>;
  /** Waits until a schedule has started so many runs. */
  haveStarted(counts: Record<string, number>): Promise<void>;
  counts(): Promise<Record<string, number>>;
  /** Starts runs of the workflows whose steps have time limits, expiries and retries, and waits until they wait. */
  startLimited(): Promise<Record<'listens' | 'asks' | 'whole', string>>;
  output(runId: string): Promise<unknown>;
}

/** A step that fails after a while, and the status of its error. */
const failing = (step: string): string =>
  `do: [ { limited: { try: [ { step: ${step} } ], catch: { as: e, do: [ { s: { set: { status: '\${ $e.status }' } } } ] } } } ]`;

const SCHEDULES = {
  daily: "{ cron: '0 7 * * *' }",
  hourly: '{ every: PT1H }',
  tokyo: "{ cron: '0 7 * * *', timezone: Asia/Tokyo }",
  denver: "{ cron: '30 9 * * *', timezone: America/Denver }",
};

/**
 * A playbook with waits, a request that expires after eight hours, time limits and schedules.
 * @param clientNow of the server that is running
 */
async function makeDesk(clientNow: () => TestClient): Promise<TimedDesk> {
  const save = async (type: string, name: string, source: string): Promise<void> => {
    expect((await clientNow().post(`${AT}/definitions/${type}`, { name, source })).body).toMatchObject({ name });
  };
  const workflow = (name: string, rest: string): Promise<void> =>
    save('workflow', name, `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }\n${rest}\n`);
  const start = async (place: string, input: object): Promise<string> =>
    (await clientNow().post(`${AT}/definitions/${place}/run`, { input })).body.run_id;
  const read = async (runId: string) => (await clientNow().get(`${AT}/runs/${runId}`)).body;
  const counts = async (): Promise<Record<string, number>> => {
    const count = async (name: string): Promise<[string, number]> => [
      name,
      (await clientNow().get(`${AT}/runs?name=${name}&limit=100`)).body.runs.length,
    ];
    return Object.fromEntries(await Promise.all(Object.keys(SCHEDULES).map(count)));
  };

  await clientNow().post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await workflow('pause', 'do: [ { nap: { wait: "${ .duration }" } }, { a: { set: { n: 1 } } } ]');
  for (const [name, schedule] of Object.entries(SCHEDULES)) {
    await workflow(name, `schedule: ${schedule}\ndo: [ { a: { set: { n: 1 } } } ]`);
  }
  await save(
    'interaction',
    'ask-desk',
    'ask: { to: desk, message: Ready?, answer: { type: boolean }, expires: PT8H }\n',
  );
  await workflow(
    'listens',
    failing('{ listen: { to: { one: { with: { type: never } } } }, timeout: { after: PT6H } }'),
  );
  await workflow('asks', failing('{ call: interaction/ask-desk }'));
  await workflow('whole', 'timeout: { after: PT5H }\ndo: [ { nap: { wait: PT900H } } ]');
  return {
    startWait: (duration) => start('workflow/pause', { duration }),
    startRequest: () => start('interaction/ask-desk', {}),
    async knowsTime(now) {
      const offBy = async (): Promise<number> => {
        const { started_at } = await read(await start('workflow/pause', { duration: 'PT1S' }));
        return Math.abs(Date.parse(started_at) - now);
      };
      await expect.poll(offBy, SOON).toBeLessThan(60_000);
    },
    async ended(runId, status) {
      await expect.poll(async () => (await read(runId)).status, SOON).toBe(status);
    },
    isInProgress: async (runId) => ['started', 'waiting'].includes((await read(runId)).status),
    async haveStarted(expected) {
      await expect.poll(counts, SOON).toEqual(expected);
    },
    counts,
    async startLimited() {
      const runs = {
        listens: await start('workflow/listens', {}),
        asks: await start('workflow/asks', {}),
        whole: await start('workflow/whole', {}),
      };
      const waits = async (): Promise<boolean[]> =>
        Promise.all(Object.values(runs).map(async (run) => 'waits_for' in (await read(run))));
      await expect.poll(waits, SOON).toEqual([true, true, true]);
      return runs;
    },
    output: async (runId) => (await read(runId)).output,
  };
}

export interface OpenedStore {
  /** Of the server. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Declares the tests.
 * @param openStore starts what the server needs on the machine, in a folder
 */
export function testSetClock(
  store: string,
  openStore: (machine: MachineTime, folder: string) => Promise<OpenedStore>,
): void {
  describe(`a server on ${store}`, () => {
    const folder = temporaryFolder();
    let machine: MachineTime;
    let opened: OpenedStore | undefined;
    let server: ServerProcess | undefined;
    let client: TestClient;
    let desk: TimedDesk;
    const startServer = async (): Promise<void> => {
      const environment = { ...machine.environment, ...opened?.environment };
      server = await startServerProcess(folder.path, { environment });
      client = await createTestClient(server.address);
    };
    beforeAll(async () => {
      if (CLOCK_CANNOT_BE_SET !== undefined) return;
      machine = machineTime(folder.path);
      opened = await openStore(machine, folder.path);
      await startServer();
      desk = await makeDesk(() => client);
    }, 120_000);
    afterAll(async () => {
      await server?.end('SIGTERM');
      await opened?.close();
      folder.remove();
    });

    test('does what became due while its machine slept once, without a restart', { timeout: 120_000 }, async ({
      skip,
    }) => {
      skip(CLOCK_CANNOT_BE_SET !== undefined, CLOCK_CANNOT_BE_SET);
      const [waiting, later, request] = [
        await desk.startWait('PT8H'),
        await desk.startWait('PT90H'),
        await desk.startRequest(),
      ];
      const limited = await desk.startLimited();
      machine.setBy(30);
      await desk.ended(waiting, 'succeeded');
      await desk.ended(request, 'rejected');
      await desk.haveStarted({ daily: 1, hourly: 1, tokyo: 1, denver: 1 });
      await desk.ended(limited.listens, 'succeeded');
      await desk.ended(limited.asks, 'succeeded');
      await desk.ended(limited.whole, 'rejected');
      const outputs = await Promise.all([limited.listens, limited.asks].map((run) => desk.output(run)));
      expect(outputs).toEqual([{ status: 408 }, { status: 408 }]);
      await desk.ended(await desk.startWait('PT2S'), 'succeeded');

      // The machine sleeps again while a short wait is pending.
      const short = await desk.startWait('PT20M');
      machine.setBy(30);
      await desk.ended(short, 'succeeded');
      await desk.haveStarted({ daily: 2, hourly: 2, tokyo: 2, denver: 2 });
      expect(await desk.isInProgress(later)).toBe(true);
      await desk.ended(await desk.startWait('PT1S'), 'succeeded');
    });

    test('starts nothing twice when the clock is set back, and ends new waits in time', { timeout: 120_000 }, async ({
      skip,
    }) => {
      skip(CLOCK_CANNOT_BE_SET !== undefined, CLOCK_CANNOT_BE_SET);
      const before = await desk.counts();
      const waiting = await desk.startWait('PT1H');
      for (const hours of [-2, -1, 3]) {
        machine.setBy(hours);
        await desk.knowsTime(machine.now());
        await desk.ended(await desk.startWait('PT2S'), 'succeeded');
        expect(await desk.isInProgress(waiting)).toBe(true);
        expect(await desk.counts()).toEqual(before);
      }
      machine.setBy(1);
      await desk.ended(waiting, 'succeeded');
      await desk.haveStarted({ ...before, hourly: (before['hourly'] ?? 0) + 1 });
    });

    test('does what became due while it was off and while it started once', { timeout: 120_000 }, async ({ skip }) => {
      skip(CLOCK_CANNOT_BE_SET !== undefined, CLOCK_CANNOT_BE_SET);
      const before = await desk.counts();
      const waiting = await Promise.all(Array.from({ length: 50 }, () => desk.startWait('PT3H')));
      const request = await desk.startRequest();
      await server?.end('SIGTERM');
      machine.setBy(2);
      const starting = startServer();
      machine.setBy(2);
      await starting;
      machine.setBy(5);
      await Promise.all(waiting.map((run) => desk.ended(run, 'succeeded')));
      await desk.ended(request, 'rejected');
      await desk.ended(await desk.startWait('PT1S'), 'succeeded');
      const { hourly = 0, ...others } = await desk.counts();
      // One run for the times before each look at the clock.
      expect(hourly - (before['hourly'] ?? 0)).toBeLessThanOrEqual(3);
      expect(others).toEqual({ daily: (before['daily'] ?? 0) + 1, tokyo: before['tokyo'], denver: before['denver'] });
    });
  });
}

// The main-thread time of analytics for a playbook with 2,000 runs and one with 200,000 (BENCH_RUNS), all within the window.
// The baseline reads each of these runs once.
import { createAnalytics } from '../../server/domain/analytics/index.ts';
import { createPlaybooks } from '../../server/domain/playbooks/index.ts';
import type { EventLog, NewEvent } from '../../server/kernel/log/index.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { middleOf, print, setting } from '../figures.ts';
import { openDataDir } from '../open-log.ts';
import type { Bench } from '../serve.ts';

const RUNS = setting('BENCH_RUNS', 200_000);
const DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
const RUNS_A_COMMIT = 250;
const FUNCTIONS = 20;
const TIMES = 20;

/** Types, and about how many milliseconds their runs last: two in three lie between a third of it and its triple. */
const TYPES = [
  { type: 'reasoning', lasts: 5000 },
  { type: 'workflow', lasts: 60_000 },
  { type: 'computation', lasts: 5 },
] as const;

function someDuration(lasts: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return Math.round(lasts * Math.exp(normal));
}

async function fill(log: EventLog, playbook: string, runs: number): Promise<void> {
  await createPlaybooks(log, async () => {}).create(
    { org: 'local', playbook },
    { name: playbook, description: '' },
    'bench',
  );
  const now = Date.now();
  for (let done = 0; done < runs; done += RUNS_A_COMMIT) {
    await log.write({ org: 'local', playbook }, async (tx) => {
      for (let n = done; n < done + RUNS_A_COMMIT; n += 1) {
        const { type, lasts } = TYPES[n % TYPES.length] ?? TYPES[0];
        const runId = crypto.randomUUID();
        const definition = { type, name: `function-${n % FUNCTIONS}`, version: 1 };
        const metadata: NewEvent['metadata'] = { by: 'bench', run_id: runId, correlation_id: runId, definition };
        const at = now - (n % DAYS) * DAY_MS;
        const append = (time: number, eventType: string, data: NewEvent['data']) =>
          log.append(tx, {
            org: 'local',
            playbook,
            stream: `run-${runId}`,
            at: time,
            events: [{ type: eventType, data, metadata }],
          });
        await append(at, 'run_started', { attempt: 1, input_sha256: '' });
        const tokens = { input: 100, output: 20, cached: 0 };
        await append(at + someDuration(lasts), 'run_succeeded', { attempt: 1, tokens, output: null });
      }
    });
  }
}

/** Milliseconds of processor time, the median of some times. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  await work();
  for (let time = 0; time < TIMES; time += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return middleOf(costs, Number);
}

export async function run({ folder, defer }: Bench): Promise<void> {
  const log = openDataDir(folder);
  defer(() => log.close());
  const analytics = createAnalytics(log, systemClock);
  const sizes = { few: RUNS / 100, many: RUNS };
  for (const [playbook, runs] of Object.entries(sizes)) await fill(log, playbook, runs);
  const every = await cost(() =>
    log.read((tx) =>
      tx.get(
        `SELECT COUNT(*), SUM(duration_ms), SUM(tokens_input) FROM runs WHERE org = 'local' AND playbook = 'many'`,
      ),
    ),
  );
  print(`baseline: each of ${RUNS} runs read once`, `${every.toFixed(1)} ms`);
  for (const [playbook, runs] of Object.entries(sizes)) {
    for (const days of [30, DAYS]) {
      const spent = await cost(() => analytics.summarize({ org: 'local', playbook }, days, undefined));
      print(
        `analytics of ${days} days, ${runs} runs in ${DAYS}`,
        `${spent.toFixed(1)} ms  ratio ${(spent / every).toFixed(3)}`,
      );
    }
  }
}

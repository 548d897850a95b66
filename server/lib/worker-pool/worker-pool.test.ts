import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { yieldToEventLoop } from '../event-loop.ts';
import { asOwnWork } from '../own-work.ts';
import { Refused } from '../rejection.ts';
import { WorkerPool, type Outcome, type Owner } from './index.ts';
import type { TestAnswer, TestJob } from './job-worker.testing.ts';

let pool: WorkerPool<TestJob, TestAnswer>;
afterEach(() => pool.close());

interface Given {
  size?: number;
  deadlineMs?: number | ((job: TestJob) => number);
  mostHanded?: number;
  script?: string;
  idle?: { ms: number; kept: number };
  data?: () => Promise<unknown>;
}

const AN_HOUR = 3_600_000;

function givenPool({ size = 1, deadlineMs = AN_HOUR, mostHanded = 16, script, idle, data }: Given = {}): void {
  pool = new WorkerPool({
    name: 'test pool',
    script: new URL(script ?? './job-worker.testing.ts', import.meta.url),
    size,
    deadlineMs: typeof deadlineMs === 'number' ? () => deadlineMs : deadlineMs,
    mostHanded,
    limits: { maxOldGenerationSizeMb: 32 },
    ...(data === undefined ? {} : { data }),
    ...(idle === undefined ? {} : { idle }),
  });
}

const echo = (value: number): TestJob => ({ kind: 'echo', value });
const ENDLESS: TestJob = { kind: 'endless' };

function valueOf(outcome: Outcome<TestAnswer>): unknown {
  return typeof outcome === 'string' ? outcome : outcome.value;
}

async function values(jobs: readonly TestJob[]): Promise<unknown[]> {
  return (await Promise.all(jobs.map((job) => pool.run(job)))).map(valueOf);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('1. a worker runs one job at a time', () => {
  test('and each job gets its own answer', async () => {
    givenPool({ size: 2 });
    expect(await values(upTo(100).map(echo))).toEqual(upTo(100));
  });

  test('in the order in which they arrive', async () => {
    givenPool();
    const answers = await Promise.all(
      upTo(50).map((n) => pool.run(n % 7 === 0 ? { kind: 'later', value: n } : echo(n))),
    );
    expect(answers.map((answer) => typeof answer === 'object' && answer.before)).toEqual(upTo(50));
  });
});

describe('2. workers start when jobs need them', () => {
  test('with what is made once for all of them', async () => {
    let made = 0;
    givenPool({ size: 2, data: async () => `input ${(made += 1)}` });
    expect(await values([{ kind: 'input' }, { kind: 'input' }, { kind: 'input' }])).toEqual(Array(3).fill('input 1'));
  });

  test('and end once they were idle for long enough, while those that work do not', async () => {
    givenPool({ idle: { ms: 1, kept: 0 } });
    expect(await values([{ kind: 'starve', ms: 50 }, echo(1)])).toEqual(['timed-out', 1]);
    // The next job gets a worker that did none before.
    await vi.waitFor(async () => expect(await pool.run(echo(2))).toEqual({ value: 2, before: 0 }));
  });

  test('and starting counts against no deadline', async () => {
    givenPool({ deadlineMs: 600, data: async () => ({ startMs: 800 }) });
    expect(await values([echo(1)])).toEqual([1]);
  });
});

describe('3. jobs that a worker was handed in advance', () => {
  test('do not wait behind a long one while another worker is idle', async () => {
    givenPool({ size: 2 });
    await values([echo(0), echo(1)]);
    const long = new AbortController();
    const running = pool.run(ENDLESS, { signal: long.signal });
    expect(await values(upTo(60).map(echo))).toEqual(upTo(60));
    long.abort();
    expect(await running).toBe('dropped');
  });

  test('are each answered once, however they come and are withdrawn', async () => {
    givenPool({ size: 2, deadlineMs: 1000 });
    const until = performance.now() + 1500;
    const wrong: unknown[] = [];
    const client = async (name: number): Promise<void> => {
      for (let round = 0; performance.now() < until; round += 1) {
        const answer = valueOf(await pool.run(echo(name + round)));
        if (answer !== name + round) wrong.push(answer);
        if (round % 5 === name % 5) await yieldToEventLoop();
      }
    };
    await Promise.all(upTo(6).map(client));
    expect(wrong).toEqual([]);
  });
});

describe('4. a job that passes its deadline is late', { timeout: 60_000 }, () => {
  test('and the jobs that its worker was handed run elsewhere', async () => {
    givenPool({ deadlineMs: 500 });
    expect(await values([echo(1), ENDLESS, echo(2), echo(3)])).toEqual([1, 'late', 2, 3]);
  });

  test('and each job has its own deadline, from its own beginning', async () => {
    givenPool({ deadlineMs: ({ kind }) => (kind === 'endless' ? 300 : AN_HOUR) });
    expect(await values([{ kind: 'spin', ms: 400 }, ENDLESS, { kind: 'spin', ms: 400 }, ENDLESS])).toEqual([
      undefined,
      'late',
      undefined,
      'late',
    ]);
  });

  test('but time in which its worker gets no processor does not count, ten deadlines at most', async () => {
    givenPool({ deadlineMs: 300 });
    expect(await values([{ kind: 'starve', ms: 900 }])).toEqual(['timed-out']);
    expect(await values([{ kind: 'starve', ms: AN_HOUR }, echo(1)])).toEqual(['late', 1]);
  });

  test('unless its worker asks for another deadline', async () => {
    givenPool({ deadlineMs: 1000 });
    expect(await values([{ kind: 'phases', count: 3, ms: 600, deadlineMs: 5000 }])).toEqual([undefined]);
    expect(await values([{ kind: 'phases', count: 1, ms: AN_HOUR, deadlineMs: 100 }, echo(1)])).toEqual(['late', 1]);
  });
});

describe('5. a worker that ends by itself is replaced', () => {
  test.each<TestJob>([{ kind: 'throw' }, { kind: 'exhaust memory' }])('after its job: $kind', async (job) => {
    givenPool();
    expect(await values([echo(1), job, echo(2), echo(3)])).toEqual([1, 'lost', 2, 3]);
  });

  test('and one that was spent by its job, whose answer counts', async () => {
    givenPool();
    const answers = await Promise.all([echo(1), { kind: 'spend' } as const, echo(2)].map((job) => pool.run(job)));
    expect(answers).toEqual([
      { value: 1, before: 0 },
      { value: undefined, before: 1 },
      { value: 2, before: 0 },
    ]);
  });
});

describe('6. a job leaves the queue', () => {
  /** Resolves once the only worker has begun the job before. */
  const untilBegun = async (): Promise<void> => {
    expect(await pool.run(echo(0), { waitMs: 300 })).toBe('busy');
  };

  test.each([1, 16])('as busy when it waited too long, handed %i at a time', async (mostHanded) => {
    givenPool({ mostHanded, deadlineMs: 1000 });
    const ended: string[] = [];
    const end = (name: string) => (outcome: Outcome<TestAnswer>) => void ended.push(`${name} ${String(outcome)}`);
    await Promise.all([pool.run(ENDLESS).then(end('first')), pool.run(echo(1), { waitMs: 50 }).then(end('second'))]);
    expect(ended).toEqual(['second busy', 'first late']);
  });

  test("not as busy while it is the runtime's own work, which takes turns with requests", async () => {
    givenPool({ mostHanded: 1 });
    const order: string[] = [];
    const note = (name: string) => (outcome: Outcome<TestAnswer>) => void order.push(`${name} ${typeof outcome}`);
    const waitMs = 200;
    const owner = ['desk', 'computation/a'] as const;
    const own = Array.from({ length: 6 }, (_, n) =>
      asOwnWork({}, () => pool.run({ kind: 'spin', ms: 100 }, { owner, waitMs })).then(note(`step ${n}`)),
    );
    await own[0];
    await pool.run(echo(1), { owner }).then(note('request'));
    await Promise.all(own);
    expect(order).toHaveLength(7);
    expect(order.indexOf('request object')).toBeLessThan(4);
    expect(order.filter((end) => end.startsWith('step'))).toEqual(Array.from(own, (_, n) => `step ${n} object`));
  });

  test('as dropped when its caller leaves while it runs, and another worker runs what follows', async () => {
    givenPool();
    await pool.run(echo(0));
    const caller = new AbortController();
    const abandoned = pool.run(ENDLESS, { signal: caller.signal });
    await untilBegun();
    const following = values([echo(1), echo(2)]);
    caller.abort();
    expect(await abandoned).toBe('dropped');
    expect(await following).toEqual([1, 2]);
  });

  test('as dropped at once where a worker was handed it in advance', async () => {
    givenPool();
    await pool.run(echo(0));
    const [first, second] = [new AbortController(), new AbortController()];
    const running = pool.run(ENDLESS, { signal: first.signal });
    await untilBegun();
    const waiting = upTo(100).map(() => pool.run(ENDLESS, { signal: second.signal }));
    const other = pool.run(echo(1));
    second.abort();
    expect(await Promise.all(waiting)).toEqual(Array(100).fill('dropped'));
    first.abort();
    expect(await running).toBe('dropped');
    expect(valueOf(await other)).toBe(1);
  });

  test('as dropped before it begins where its caller had left', async () => {
    givenPool();
    expect(await pool.run(echo(1), { signal: AbortSignal.abort() })).toBe('dropped');
  });
});

test('7. when workers repeatedly fail to start, the jobs that wait are rejected, and so are later ones', async () => {
  givenPool({ size: 2, script: './no-such-worker.ts' });
  const asked = await Promise.allSettled(upTo(3).map((n) => pool.run(echo(n))));
  expect(asked.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  await expect(pool.run(echo(1))).rejects.toThrow('The test pool cannot start its workers.');
});

test('7. a pool whose data cannot be made tries again with the next job', async () => {
  let tries = 0;
  const data = async (): Promise<number> => {
    tries += 1;
    if (tries === 1) throw new Error('no data');
    return tries;
  };
  givenPool({ data });
  await expect(pool.run(echo(1))).rejects.toThrow('no data');
  expect(valueOf(await pool.run({ kind: 'input' }))).toBe(2);
});

describe('8. owners get their turn by what they used lately', { timeout: 60_000 }, () => {
  const HOSTILE: Owner = ['hostile playbook', 'computation/burn'];
  const HONEST: Owner = ['honest playbook', 'computation/score'];
  const DEADLINE_MS = 400;

  /** The results of the jobs, in the order in which they ended. */
  function watch(): { ended: string[]; run: (name: string, job: TestJob, owner: Owner) => Promise<void> } {
    const ended: string[] = [];
    return {
      ended,
      async run(name, job, owner) {
        await pool.run(job, { owner });
        ended.push(name);
      },
    };
  }

  test('so that a flood of jobs that burn their whole time leaves a worker to other playbooks', async () => {
    // None of the flood ends while the others wait, however slowly a worker starts.
    givenPool({ size: 2 });
    const leaving = new AbortController();
    await pool.run(echo(0), { owner: HONEST });
    const flood = upTo(6).map(() => pool.run(ENDLESS, { owner: HOSTILE, signal: leaving.signal }));
    const answers = await Promise.all(upTo(20).map((n) => pool.run(echo(n), { owner: HONEST })));
    expect(answers.map(valueOf)).toEqual(upTo(20));
    leaving.abort();
    expect(await Promise.all(flood)).toEqual(Array(6).fill('dropped'));
  });

  test('so that a playbook that is new comes before one that burnt its time', async () => {
    givenPool({ size: 1, deadlineMs: DEADLINE_MS });
    const { ended, run } = watch();
    const flood = upTo(4).map(() => run('hostile', ENDLESS, HOSTILE));
    await Promise.all([...flood, run('honest', echo(1), HONEST)]);
    expect(ended).toEqual(['hostile', 'honest', 'hostile', 'hostile', 'hostile']);
  });

  test('so that within a playbook a program that used little comes before those that burnt theirs', async () => {
    givenPool({ size: 1, deadlineMs: DEADLINE_MS });
    const { ended, run } = watch();
    const small: Owner = ['playbook', 'computation/small'];
    await run('small', echo(0), small);
    const flood = upTo(3).map((n) => run(`burn ${n}`, ENDLESS, ['playbook', `computation/burn-${n % 2}`]));
    await Promise.all([...flood, run('small', echo(1), small)]);
    expect(ended).toEqual(['small', 'burn 0', 'small', 'burn 1', 'burn 2']);
  });
});

test('9. closing rejects every job, those that run included', async () => {
  givenPool();
  await pool.run(echo(0));
  const asked = Promise.allSettled([ENDLESS, echo(1), echo(2)].map((job) => pool.run(job)));
  await yieldToEventLoop();
  await pool.close();
  const refusals = (await asked).map((one) => (one.status === 'rejected' ? (one.reason as unknown) : one.value));
  expect(refusals.every((error) => error instanceof Refused && error.rejection.reason === 'unavailable')).toBe(true);
  await expect(pool.run(echo(1))).rejects.toThrow('stopping');
});

test('a process that closes its pool ends after the pool, also where an answer arrives meanwhile', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'closing.mjs');
  const beside = (name: string): string => JSON.stringify(new URL(name, import.meta.url));
  const program = `
    import { WorkerPool } from ${beside('index.ts')};
    const script = new URL(${beside('job-worker.testing.ts')});
    const pool = new WorkerPool({ name: 'test pool', script, size: 4, deadlineMs: () => 60_000, limits: {} });
    const each = () => Promise.all([1, 2, 3, 4].map((value) => pool.run({ kind: 'echo', value })));
    await each();
    const jobs = each();
    await new Promise((resolve) => setImmediate(resolve));
    // The answers are sent now, and read after the workers were stopped.
    for (const until = performance.now() + 200; performance.now() < until; );
    await Promise.all([pool.close(), jobs.catch(() => undefined)]);
    process.stdout.write('closed');
  `;
  writeFileSync(file, program);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect([stdout, status], stderr).toEqual(['closed', 0]);
});

import { afterEach, describe, expect, test } from 'vitest';
import { nextTurn } from '../next-turn.ts';
import type { Job } from './job.ts';
import { createPool, type Outcome, type Pool, type PoolOptions } from './pool.ts';

let pool: Pool;
afterEach(() => pool.close());

function givenPool(options: Partial<PoolOptions> = {}): void {
  pool = createPool({ size: 1, wallClockMs: 5000, mostHanded: 16, ...options });
}

function job(body: string): Job {
  const source = `export default () => { ${body} }`;
  return { kind: 'run', source, input: '{}', now: 0, seed: 1, outputBytes: 1000 };
}

function outputOf(answer: Outcome): string | undefined {
  return typeof answer === 'object' && answer.kind === 'ran' ? answer.output : undefined;
}

/** Runs for days, and its work is never counted. */
const BUILT_IN = 'return "a".repeat(2e6).indexOf("a".repeat(1e6) + "b");';
const ENDLESS = 'for (;;) {}';

describe('jobs that a worker was handed together', () => {
  test('are each answered with their own', async () => {
    givenPool({ size: 2 });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => pool.carryOut(job(`return ${n};`))));
    expect(answers.map(outputOf)).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
  });

  test('do not wait behind a long one while another worker is idle', async () => {
    givenPool({ size: 2, wallClockMs: 3000 });
    const ended: string[] = [];
    const run = async (name: string, body: string): Promise<void> => {
      await pool.carryOut(job(body));
      ended.push(name);
    };
    await run('first', 'return 0;');
    await Promise.all([run('long', BUILT_IN), ...Array.from({ length: 30 }, (_, n) => run(`small ${n}`, 'return 0;'))]);
    expect(ended.at(-1)).toBe('long');
  });

  test('are carried out by another worker when theirs is ended by the wall clock', async () => {
    givenPool({ wallClockMs: 1000 });
    const bodies = ['return 1;', BUILT_IN, 'return 2;', 'return 3;'];
    const answers = await Promise.all(bodies.map((body) => pool.carryOut(job(body))));
    expect(answers.map(outputOf)).toEqual(['1', undefined, '2', '3']);
    expect(answers[1]).toBe('late');
  });

  test('and when one of them broke it', async () => {
    givenPool();
    const breaking = 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5));';
    const answers = await Promise.all(['return 1;', breaking, 'return 2;'].map((body) => pool.carryOut(job(body))));
    expect(answers.map(outputOf)).toEqual(['1', undefined, '2']);
  });

  test('are answered for as long as the wall clock and longer, however they come and are withdrawn', async () => {
    givenPool({ size: 2, wallClockMs: 1000 });
    const until = performance.now() + 2500;
    const wrong: unknown[] = [];
    const client = async (name: number): Promise<void> => {
      for (let round = 0; performance.now() < until; round += 1) {
        const answer = outputOf(await pool.carryOut(job(`return ${name + round};`)));
        if (answer !== String(name + round)) wrong.push(answer);
        if (round % 5 === name % 5) await nextTurn();
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, name) => client(name)));
    expect(wrong).toEqual([]);
  });

  test('are each given the time of the wall clock', async () => {
    givenPool({ wallClockMs: 2000 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => pool.carryOut(job(ENDLESS))));
    expect(answers.map((answer) => typeof answer === 'object' && answer.kind)).toEqual(Array(12).fill('stopped'));
  });
});

test('a pool that hands one job at a time answers "busy" to a job that waited too long', async () => {
  givenPool({ mostHanded: 1, wallClockMs: 1000 });
  const [first, second] = await Promise.all([
    pool.carryOut(job(BUILT_IN)),
    pool.carryOut(job('return 1;'), { waitMs: 50 }),
  ]);
  expect([first, second]).toEqual(['late', 'busy']);
});

describe('a job that waited too long', () => {
  test('is answered with "busy" also where a worker was handed it in advance', async () => {
    givenPool({ wallClockMs: 3000 });
    const ended: string[] = [];
    const end = (name: string) => (outcome: Outcome) => void ended.push(`${name} ${String(outcome)}`);
    await Promise.all([
      pool.carryOut(job(BUILT_IN)).then(end('first')),
      pool.carryOut(job('return 1;'), { waitMs: 50 }).then(end('second')),
    ]);
    expect(ended).toEqual(['second busy', 'first late']);
  });
});

describe('a job that nobody waits for any more', () => {
  const AN_HOUR = 3_600_000;
  /** Settles when a worker has been busy with something else for a while. */
  const untilBegun = async (): Promise<void> => {
    expect(await pool.carryOut(job('return 0;'), { waitMs: 500 })).toBe('busy');
  };

  test('is ended when a worker does it, and another worker does what comes after it', async () => {
    givenPool({ wallClockMs: AN_HOUR });
    await pool.carryOut(job('return 0;'));
    const caller = new AbortController();
    const abandoned = pool.carryOut(job(BUILT_IN), { signal: caller.signal });
    await untilBegun();
    const behind = [pool.carryOut(job('return 1;')), pool.carryOut(job('return 2;'))];
    caller.abort();
    expect(await abandoned).toBe('dropped');
    expect((await Promise.all(behind)).map(outputOf)).toEqual(['1', '2']);
  });

  test('leaves the queue at once, also where a worker was handed it in advance', async () => {
    givenPool({ wallClockMs: AN_HOUR });
    await pool.carryOut(job('return 0;'));
    const [first, second] = [new AbortController(), new AbortController()];
    const running = pool.carryOut(job(BUILT_IN), { signal: first.signal });
    await untilBegun();
    const waiting = Array.from({ length: 100 }, () => pool.carryOut(job(BUILT_IN), { signal: second.signal }));
    const other = pool.carryOut(job('return 1;'));
    second.abort();
    expect(await Promise.all(waiting)).toEqual(Array(100).fill('dropped'));
    first.abort();
    expect(await running).toBe('dropped');
    expect(outputOf(await other)).toBe('1');
  });

  test('is not begun where nobody waited from the beginning', async () => {
    givenPool();
    expect(await pool.carryOut(job('return 1;'), { signal: AbortSignal.abort() })).toBe('dropped');
  });
});

test('closing leaves no job without an answer', async () => {
  givenPool();
  await pool.carryOut(job('return 0;'));
  const asked = Promise.allSettled([BUILT_IN, 'return 1;', 'return 2;'].map((body) => pool.carryOut(job(body))));
  await pool.close();
  expect(await asked).toHaveLength(3);
});

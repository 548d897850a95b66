import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { CheckDone } from './job.ts';
import { createTypeChecker } from './type-checker.ts';

const MISTYPED = 'export default () => { const count: number = "many"; return count; };';
const LOOKED: CheckDone = { kind: 'checked', issues: [], values: {}, insertions: [], places: {} };
const ANYTHING = { Input: undefined, Output: undefined };

/** Process ids of the compilers that this process started and that run; there is no `ps` on Windows. */
function compilers(): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'ppid=,pid=,stat=,args='])
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return lines
    .filter(([ppid, , , ...args]) => Number(ppid) === process.pid && args.includes('--api'))
    .map(([, pid]) => Number(pid));
}

describe.skipIf(process.platform === 'win32')('the process of TypeScript', () => {
  test('given checks that end before TypeScript is loaded, then closing leaves no process behind', async () => {
    const checker = createTypeChecker({ loadMs: 1 });
    expect(await checker.checkSyntax('export default (')).toEqual([]);
    expect(await checker.checkSyntax('export default )')).toEqual([]);
    await checker.close();
    expect(compilers()).toEqual([]);
  });

  test('given the process is killed between checks, then one check is given up, and the next has its warnings', async () => {
    const checker = createTypeChecker({ waitMs: 60_000, deadlineMs: 60_000 });
    await checker.check(MISTYPED, LOOKED, ANYTHING);
    for (const pid of compilers()) process.kill(pid, 'SIGKILL');
    expect(await checker.check(MISTYPED, LOOKED, ANYTHING)).toMatchObject([
      { detail: expect.stringContaining('The types were not checked') },
    ]);
    expect(await checker.check(MISTYPED, LOOKED, ANYTHING)).toMatchObject([
      { detail: expect.stringContaining('number') },
    ]);
    await checker.close();
  });

  test('given no check for a while, then the process ends, and the next check has its warnings', async () => {
    const checker = createTypeChecker({ waitMs: 60_000, deadlineMs: 60_000, idleMs: 20 });
    await checker.check(MISTYPED, LOOKED, ANYTHING);
    await expect.poll(compilers, { timeout: 30_000 }).toEqual([]);
    expect(await checker.check(MISTYPED, LOOKED, ANYTHING)).toMatchObject([
      { detail: expect.stringContaining('number') },
    ]);
    await checker.close();
    expect(compilers()).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createTypeChecker } from './type-checker.ts';

/** What this process started, and runs; there is no `ps` on Windows. */
function compilers(): string[] {
  const lines = execFileSync('ps', ['-e', '-o', 'ppid=,stat=,args=']).toString().split('\n');
  return lines.filter((line) => Number.parseInt(line, 10) === process.pid && line.includes(' --api '));
}

test.skipIf(process.platform === 'win32')(
  'given checks that are over before TypeScript is loaded, then closing leaves no process of it behind',
  async () => {
    const checker = createTypeChecker({ loadMs: 1 });
    expect(await checker.checkSyntax('export default (')).toEqual([]);
    expect(await checker.checkSyntax('export default )')).toEqual([]);
    await checker.close();
    await expect.poll(compilers).toEqual([]);
  },
);

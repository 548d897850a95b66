// A program together with whatever it starts, so that none of it outlives its end.
//
// 1. On POSIX the program leads a process group of its own, and signals go to the group: also after the program itself
//    exited, since what it left behind is still in the group. A process that leaves the group (setsid) is not reached.
// 2. Windows has no groups. There `taskkill /T` ends the program and its descendants; what a program left behind when it
//    exited by itself stays.
// 3. However this process exits, the groups that are left are killed with it. SIGKILL and a crash run no code: then the
//    pipes close, which ends every server that reads its input.
import { type ChildProcess, type SpawnOptions, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import spawn from 'cross-spawn';

export interface ProcessGroup {
  child: ChildProcess;
  /**
   * Closes the program's input and gives it 2 s to exit; sends SIGTERM, and 2 s later SIGKILL, to what is left. Resolves
   * when nothing is left. Another call returns the promise of the first.
   * @param gives whether the program gets the time to exit by itself; default true
   */
  end: (gives?: { time: boolean }) => Promise<void>;
}

const GRACE_MS = 2000;
const LOOK_EVERY_MS = 20;
const HAS_GROUPS = process.platform !== 'win32';

/** The ids of programs that run, or whose groups may still hold a process. */
const running = new Set<number>();

function killAll(): void {
  for (const pid of running) signal(pid, 'SIGKILL');
}

/** The program has the pipes that `stdio` asks for. An `error` event of the child means that it could not be started. */
export function startGroup(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'env' | 'stdio'>,
): ProcessGroup {
  const child = spawn(command, [...args], { ...options, shell: false, windowsHide: true, detached: HAS_GROUPS });
  const { pid } = child;
  let ending: Promise<void> | undefined;

  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isGone = (): boolean => pid === undefined || (hasExited() && (!HAS_GROUPS || !hasGroup(pid)));

  async function end(givesTime: boolean): Promise<void> {
    if (pid === undefined) return;
    child.stdin?.end();
    if (givesTime) await until(hasExited);
    for (const name of ['SIGTERM', 'SIGKILL'] as const) {
      if (isGone()) break;
      signal(pid, name);
      await until(isGone);
    }
    // Its id may be another program's from now on.
    running.delete(pid);
    if (running.size === 0) process.off('exit', killAll);
  }

  if (pid !== undefined) {
    if (running.size === 0) process.on('exit', killAll);
    running.add(pid);
  }
  const group: ProcessGroup = { child, end: ({ time } = { time: true }) => (ending ??= end(time)) };
  // What it left behind goes with it.
  child.once('exit', () => void group.end());
  return group;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; waited < GRACE_MS && !isSo(); waited += LOOK_EVERY_MS) {
    // oxlint-disable-next-line no-await-in-loop -- there is no event for the exit of processes that are not our children
    await sleep(LOOK_EVERY_MS);
  }
}

function hasGroup(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (!HAS_GROUPS) {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // Nothing of it is left.
  }
}

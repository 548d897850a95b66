// A folder in memory for the temporary files of tests. A third of the time in which a test opens a store, commits and
// closes it is spent waiting for the disk. A killed process loses nothing in either place: the system keeps what it wrote.
import { readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** Many times what the tests of two cores hold at once. A container often has 64 MiB, which are too few. */
const LEAST_FREE_BYTES = 2 * 1024 ** 3;

/** The environment variable that selects the folder; empty if this machine has none that is large enough and runs programs. */
export function memoryFolder(): { TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync(FOLDER);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, place]) => place === FOLDER);
    const [, , type, options = ''] = mount ?? [];
    const isUsable = type === 'tmpfs' && !options.split(',').some((option) => option === 'noexec' || option === 'ro');
    return isUsable && bavail * bsize >= LEAST_FREE_BYTES ? { TMPDIR: FOLDER } : {};
  } catch {
    // Only Linux has it.
    return {};
  }
}

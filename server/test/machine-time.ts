// The wall clock of real processes, set while they run; the elapsed time stays as it is. By libfaketime.
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface MachineTime {
  /** For the processes whose clock is set. */
  environment: Record<string, string>;
  /** Sets their clock forward, as a suspend does, or back, by so many hours from where it is. */
  setBy(hours: number): void;
  /** What their clock shows. */
  now(): number;
}

/** Where Debian and Homebrew put it; there is one folder for each architecture. */
const FOLDERS = ['/usr/lib', '/usr/local/lib', '/opt/homebrew/lib'];
const FILE = path.join('faketime', process.platform === 'darwin' ? 'libfaketime.1.dylib' : 'libfaketimeMT.so.1');

function findLibrary(): string | undefined {
  const folders = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) => [
    folder,
    ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [path.join(folder, entry.name)] : [],
    ),
  ]);
  return folders.map((folder) => path.join(folder, FILE)).find((file) => existsSync(file));
}

const LIBRARY = findLibrary();

/** Why no clock can be set here; undefined where it can. */
export const CLOCK_CANNOT_BE_SET: string | undefined =
  LIBRARY === undefined ? 'libfaketime is not installed.' : undefined;

/**
 * It is noon (UTC) when the processes start.
 * @param folder for a file; every process that it is for must be able to read it
 */
export function machineTime(folder: string): MachineTime {
  const file = path.join(folder, 'machine-time');
  const noon = new Date().setUTCHours(12, 0, 0, 0);
  let ahead = Math.round((noon - Date.now()) / 1000);
  const write = (): void => {
    // A process never reads half of it.
    writeFileSync(`${file}.new`, `${ahead < 0 ? '' : '+'}${ahead}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    environment: {
      [process.platform === 'darwin' ? 'DYLD_INSERT_LIBRARIES' : 'LD_PRELOAD']: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Times of files stay as they are.
      NO_FAKE_STAT: '1',
    },
    now: () => Date.now() + ahead * 1000,
    setBy(hours) {
      ahead += Math.round(hours * 3600);
      write();
    },
  };
}

import os from 'node:os';
import path from 'node:path';
import { type Environment, given } from './given.ts';

/** The platform's folder for data of programs, and `cuebook` in it. */
export function defaultDataDir(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = os.homedir();
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'cuebook');
    case 'win32':
      return path.join(given(environment, 'LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local'), 'cuebook');
    default:
      return path.join(given(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share'), 'cuebook');
  }
}

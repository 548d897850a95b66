import { statSync } from 'node:fs';

export function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

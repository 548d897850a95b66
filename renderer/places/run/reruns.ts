// Which run a rerun repeats. It is stored in this browser only.
import { writeStored, readStored } from '../../ui/browser-storage.ts';

const KEY = 'cuebook runs again';
const MOST = 500;

type Pairs = [run: string, first: string][];

export function firstRunOf(run: string): string | undefined {
  return read().find(([one]) => one === run)?.[1];
}

export function rememberRerun(run: string, first: string): void {
  writeStored('localStorage', KEY, [[run, first], ...read()].slice(0, MOST));
}

function read(): Pairs {
  const kept = readStored('localStorage', KEY);
  return Array.isArray(kept) ? (kept as Pairs) : [];
}

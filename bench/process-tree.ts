// Processor time and memory of processes together with all that they started. Reads /proc of Linux.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

interface Process {
  pid: number;
  parent: number;
  /** Seconds of processor time, that of ended children included. */
  cpu: number;
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), cpu: ticks / TICKS_A_SECOND };
  } catch {
    return undefined;
  }
}

function treeOf(roots: readonly number[]): Process[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));
  const tree = all.filter(({ pid }) => roots.includes(pid));
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

export function cpuSecondsOf(roots: readonly number[]): number {
  return treeOf(roots).reduce((sum, { cpu }) => sum + cpu, 0);
}

/** Resident memory. The memory that the processes of PostgreSQL share is counted once. */
export function residentMiBOf(roots: readonly number[]): number {
  let own = 0;
  let shared = 0;
  for (const { pid } of treeOf(roots)) {
    const status = statusOf(pid);
    const kib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
    own += kib('RssAnon') + kib('RssFile');
    shared = Math.max(shared, kib('RssShmem'));
  }
  return (own + shared) / 1024;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

// For tests: a process of its own that holds a store, so that it can be killed and its system calls can be failed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Migration } from '../migration.ts';

export const noteMigrations: readonly Migration[] = [
  { id: 'notes/1', sql: 'CREATE TABLE notes (key TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL)' },
];

/** What the child is started with: it opens the folder's store, then writes so many notes, one after the other. */
export interface StoreChildOrder {
  folder: string;
  notes: number;
  /** The keys are this and a number from 0. */
  prefix: string;
}

export interface StoreChild {
  process: ChildProcess;
  /** What it has said so far. */
  said: { stdout: string; stderr: string };
  /** Resolves once the store is open, or the process has ended without opening it. */
  opened: Promise<boolean>;
  ended: Promise<StoreChildEnd>;
}

export interface StoreChildEnd {
  code: number | null;
  /** Keys of the notes that were acknowledged. */
  acknowledged: string[];
  stderr: string;
}

/** Starts the child; `under` is a command, such as strace with its options, that runs it. */
export function startStoreChild(order: StoreChildOrder, under: readonly string[] = []): StoreChild {
  const program = path.join(import.meta.dirname, 'store-child.ts');
  const command = [...under, process.execPath, program, JSON.stringify(order)];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] });
  const said: StoreChild['said'] = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => {
    said.stdout += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    said.stderr += text.toString();
  });
  const ended = once(child, 'close').then((): StoreChildEnd => {
    const [, ...acknowledged] = said.stdout.split('\n').slice(0, -1);
    return { code: child.exitCode, acknowledged, stderr: said.stderr };
  });
  const opened = Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  return { process: child, said, opened, ended };
}

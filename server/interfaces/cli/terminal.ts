import { createInterface } from 'node:readline/promises';
import { harmless } from './output.ts';

export interface Terminal {
  /** Undefined once the input has ended. */
  ask: (question: string) => Promise<string | undefined>;
  close(): void;
}

/** Who sits at the terminal; undefined where input or output is none. */
export function openTerminal(): Terminal | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  return {
    ask: (question) => Promise.race([lines.question(harmless(question)), ended]),
    close: () => lines.close(),
  };
}

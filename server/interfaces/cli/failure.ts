import type { JsonObject } from '../../../shared/json.ts';

/** What ends a command: a sentence for the person, and an exit code that means something. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  /** The same for a program, where that holds more than the sentence; written on stdout with `--json`. */
  readonly data: JsonObject | undefined;

  constructor(sentence: string, exitCode: ExitCode, data?: JsonObject) {
    super(sentence);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.data = data;
  }
}

export const EXIT = {
  done: 0,
  /** What was asked for could not be done. */
  failed: 1,
  /** The command, a setting or a file was wrong. */
  misused: 2,
  /** The store failed. */
  store: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What the system calls an error of a file, to stand in brackets. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason';
}

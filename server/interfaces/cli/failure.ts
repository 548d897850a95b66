/** Ends a command with a message for the person and an exit code. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  /** The same for programs, where there is more than the message; written to stdout with `--json`. */
  readonly data: object | undefined;

  constructor(sentence: string, exitCode: ExitCode, data?: object) {
    super(sentence);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.data = data;
  }
}

export const EXIT = {
  done: 0,
  /** The command could not do its work. */
  failed: 1,
  /** The command, a setting or a file was wrong. */
  misused: 2,
  /** The store failed. */
  store: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The system's code of a file error, such as EACCES. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

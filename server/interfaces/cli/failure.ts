/** Ends a command with a message for the person and an exit code. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  /** The failure for programs, if it has more than the message; written to stdout with `--json`. */
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
  /** The command was valid, but did not succeed. */
  failed: 1,
  /** The command, a setting or a file was wrong. */
  misused: 2,
  /** The store failed. */
  store: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command, a setting or a file was wrong. */
export function misused(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.misused);
}

/** The command was valid, but did not succeed. */
export function failed(sentence: string): CommandFailure {
  return new CommandFailure(sentence, EXIT.failed);
}

/** Exits because it is unknown whether the store kept the last commit. */
export function exitForStore(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exit(EXIT.store);
}

/** The system's code of a file error, such as EACCES. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

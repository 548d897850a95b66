/** What ends a command: a sentence for the person, and an exit code that means something. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(sentence: string, exitCode: ExitCode) {
    super(sentence);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
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

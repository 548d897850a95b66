// The jobs of the sandbox's workers and their answers: texts and numbers alone.

/** A run of a program's default function. */
export interface RunJob {
  kind: 'run';
  /** The module, which passed a check: as its author wrote it, or without its types. */
  source: string;
  isStripped: boolean;
  /** The argument as JSON text. */
  input: string;
  /** What the program reads as the time, in milliseconds since 1970. */
  now: number;
  /** What `Math.random` begins with: 32 bits. */
  seed: number;
  /** UTF-8 bytes that the output may have as JSON. */
  outputBytes: number;
  /** For a program that keeps a view: the state that its `answer` gets as JSON text; empty: its `initial`. */
  state?: string;
}

/** Folds events into a view with a program's `evolve`. */
export interface FoldJob {
  kind: 'fold';
  /** As for a run. */
  source: string;
  isStripped: boolean;
  /** The state before the first event as JSON text; empty: the program's `initial`. */
  state: string;
  /** The events as JSON texts, each an object with `id` and `at`. */
  events: readonly string[];
  /** Whether the state is looked at after each event, and not after the last one alone. */
  isEachLookedAt: boolean;
  /** UTF-8 bytes that the state may have as JSON. */
  stateBytes: number;
  /** Whether each event goes in alone, so that it is known which one is in progress. */
  isEachAlone: boolean;
  /** Milliseconds after which no further event is begun. */
  budgetMs: number;
  /** Present where a built-in that does not return is to be found soon, and at which event. */
  watched?: WatchedFold;
}

/** How a fold is watched from the main thread. */
export interface WatchedFold {
  /**
   * The first event of those that went in together and are in progress, from 0, and how many they are; in memory that
   * both threads share, since a worker that is stuck says nothing.
   */
  inProgress: Int32Array;
  /** Milliseconds that the worker may go without a sign of life. A program at work gives one every few milliseconds. */
  silentMs: number;
}

/** What the programs of a type look like. */
export interface ProgramForm {
  /** The exports that a program may have. */
  exports: readonly string[];
  /** The ambient types of the parameters of exported functions, by the export's name. */
  parameters: Readonly<Record<string, readonly string[]>>;
  /** Whether a program keeps a view: then everything at its top level is constant. */
  keepsView: boolean;
}

/** A look at a program's source and what it exports. */
export interface CheckJob {
  kind: 'check';
  source: string;
  form: ProgramForm;
}

/** Calls a function of another part of the service that runs programs on its way, a `ModuleFunction`. */
export interface ModuleJob {
  kind: 'module';
  /** The URL of the module, which the worker loads when it first needs it. */
  module: string;
  /** The name of its export. */
  name: string;
  /** Copied between threads, as the answer is. */
  input: unknown;
}

/** The programs that a function of a module runs, each in an instance that is as it was before the last one. */
export interface Programs {
  /**
   * @param until when the program is stopped, by `performance.now` of the thread
   * @returns undefined where it was stopped then, or broke the sandbox: the worker is not used again after that
   */
  run(job: Omit<RunJob, 'kind'>, until: number): Promise<RunDone | RunStopped | undefined>;
}

export type ModuleFunction<Input, Answer extends object> = (input: Input, programs: Programs) => Promise<Answer>;

export type SandboxJob = RunJob | CheckJob | FoldJob | ModuleJob;

/** A place in a source, from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface RunDone {
  kind: 'ran';
  /** The output as JSON text. */
  output: string;
  console: string[];
  consoleTruncated: boolean;
}

export interface RunStopped {
  kind: 'stopped';
  /** Why the program gave no output, in a sentence that begins with its line and column where they are known. */
  detail: string;
  console: string[];
  consoleTruncated: boolean;
}

export interface Folded {
  kind: 'folded';
  /** The state after the events that were folded, as JSON text. */
  state: string;
  /** How many events were folded: all of them, or those that the time was enough for. */
  count: number;
}

export interface NotFolded {
  kind: 'not_folded';
  /** Which event could not be folded, from 0; undefined where it may be any of them. */
  index: number | undefined;
  /** Why, in a sentence that begins with its line and column where they are known. */
  detail: string;
}

/** Events that went in together did more work than one of them may: each is to go in alone. */
export interface TooMuchTogether {
  kind: 'too_much_together';
}

/** The worker was ended while it folded an event. */
export interface FoldEnded {
  kind: 'ended';
  /** The event in progress, from 0. */
  index: number;
  /** It was stuck inside a built-in, or ended by itself, most likely because it ran out of memory. */
  how: 'late' | 'lost';
}

export interface ProgramIssue extends Position {
  detail: string;
}

/** A text to put into a source, at an offset. */
export interface Insertion {
  at: number;
  text: string;
}

export interface CheckDone {
  kind: 'checked';
  issues: ProgramIssue[];
  /** The source without its types; absent if it has issues. */
  program?: string;
  /** Whether the text is no program at all; then the one issue may stand behind the mistake. */
  isUnreadable?: boolean;
  /** The exports that hold values, as JSON text by name. */
  values: Record<string, string>;
  /** What gives the exported functions their types. */
  insertions: Insertion[];
  /** Where each export stands. */
  places: Record<string, Position>;
}

/** The answer of a module's function. */
export interface ModuleDone {
  kind: 'module_done';
  answer: object;
}

export type SandboxReply = ModuleDone | RunDone | RunStopped | CheckDone | Folded | NotFolded | TooMuchTogether;

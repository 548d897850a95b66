import type { DefinitionType } from '../../shared/definition-types.ts';
import type { Issue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Awaited } from '../../shared/run-status.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import type { BurstRun, WorkerDecider } from './burst/index.ts';
import type { Conversing } from './conversing.ts';
import type { Checked, CheckedDocument, Example, CheckContext } from './checked.ts';
import type {
  Decision,
  DescribedCall,
  DurableRun,
  PerformOptions,
  Performed,
  PerformingRun,
  RunInput,
  RunState,
  Triggering,
  Waiting,
} from './durable.ts';
import type { Replayed, ReplayRequest } from './replaying.ts';
import type { Ending, RunRequest } from './run.ts';

/** Properties of a kind that other layers check instead of its name. Clients use `DEFINITION_FACTS`. Absent flags are false. */
export interface KindTraits {
  /** Starting a run usually waits for models or tools, so it does not use a slot for runs that start immediately. */
  startsSlowly?: true;
  /** Runs call a model: examples run only if models may be called. */
  needsModel?: true;
  /** What runs answer from is kept for the current version only, so no other version can be run. */
  runsCurrentVersion?: true;
  /** Runs accept events that are sent to them. */
  takesEvents?: true;
  /** Runs may expect uploads. */
  takesUploads?: true;
  /** A run is interrupted when no caller waits for it any more. Runs of other kinds continue. */
  endsWithCaller?: true;
  /**
   * A run usually ends at once and has no effect outside until then, so its start is recorded together with its ending.
   * A run that does more calls `recordStart` first.
   */
  endsAtOnce?: true;
  /**
   * A run has one attempt, and its ending is final. `start` has no effects and calls no tools: it runs before anything
   * is recorded, and the run is recorded together with its result.
   */
  runsOnce?: true;
}

/** An example of a checked document. */
export interface ExampleRun {
  /** The playbook whose part of the workers it uses. */
  playbookKey: PlaybookKey;
  source: string;
  document: CheckedDocument;
  example: Example;
  /** The time that the run sees, in milliseconds since 1970. */
  now: number;
  /** Aborted when nobody waits for the result any more. */
  signal: AbortSignal;
}

/**
 * The interface of a kind of definition. Each run decides whether it waits: in `start`, or later in `decide`. A kind
 * whose runs may wait for more than one request has `decide`.
 */
export interface Kind {
  type: DefinitionType;
  traits: KindTraits;
  /**
   * Checks a document of at most 65,536 UTF-8 bytes.
   * @throws Refused `unavailable` if no checker is ready
   */
  check(source: string, context: CheckContext): Promise<Checked>;
  /** Starts a run whose input matches the input schema of the document: ends it, or decides what it waits for. */
  start(run: RunRequest): Promise<Ending | Waiting>;
  /**
   * Decides what happens after an input; undefined if nothing does, so that the input leaves no history. It has no
   * effects: deciding again after a crash or a conflict returns the same decision. In a kind without `decide`, a run
   * ends with its request.
   */
  decide?: (run: DurableRun, state: RunState, input: RunInput) => Promise<Decision | undefined>;
  /** How workers make the same decisions; undefined where they cannot. */
  workerDecider?: (run: BurstRun) => Promise<WorkerDecider | undefined>;
  /**
   * For a kind whose runs depend on nothing but their input, so that they may be executed before their call is committed:
   * the module that does so in a worker, an `EndPure`.
   */
  pureModule?: string;
  /** What a run in this state waits for, other than requests and uploads, without duplicates; empty while it works. */
  awaits?: (state: RunState) => Promise<readonly Awaited[]>;
  /**
   * Starts a run that continues from a step of one that has ended. It has no effects.
   * @throws Refused `invalid_input` for the step, `conflict` if the run cannot be continued from it
   */
  rerun?: (request: ReplayRequest) => Promise<Replayed>;
  /** Describes a call before `perform` makes it. */
  describe?: (run: PlaybookKey, effect: JsonObject) => DescribedCall;
  /** Makes a call that a decision requested. Never throws because of the remote side. */
  perform?: (run: PerformingRun, effect: JsonObject, options: PerformOptions) => Promise<Performed>;
  /** Starts runs by events and by the clock. */
  triggers?: Triggering;
  /** Reads replies to requests that a tool delivered. Without it, such requests are answered in the inbox. */
  conversing?: Conversing;
  /** Whether runs of the document may call tools; a run that called a tool is not attempted again. */
  mayCallTools?: (source: string) => Promise<boolean>;
  /** Checks an answer that matches the schema of its request. Issues are at pointers under `/answer`. */
  checkAnswer?: (run: PlaybookKey & { runId: string }, answer: Json) => Promise<readonly Issue[]>;
  /** Starts a run of a document that is not saved, for kinds whose runs need what is kept for saved versions. */
  startUnsaved?: (run: RunRequest, document: CheckedDocument) => Promise<Ending>;
  /** Checks an example without running it; kinds without this run their examples. */
  tryExample?: (tried: ExampleRun) => Promise<readonly string[]>;
  /** Runs an example in memory, for kinds whose runs need more than their input. */
  runExample?: (tried: ExampleRun) => Promise<Ending>;
}

import type { DefinitionType } from '../../shared/definition-types.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Awaited } from '../../shared/run-status.ts';
import type { PlaybookKey } from '../kernel/log/index.ts';
import type { Conversing } from './conversing.ts';
import type { Checked, CheckedDocument, Example, CheckContext } from './checked.ts';
import type {
  Decision,
  DescribedCall,
  DurableRun,
  PerformOptions,
  Performed,
  PerformingRun,
  Postponed,
  RunInput,
  RunState,
  Triggering,
  Waiting,
} from './durable.ts';
import type { Ending, RunRequest } from './run.ts';

/** What other layers ask of a kind instead of comparing names. Clients know `DEFINITION_FACTS`. Absent flags are false. */
export interface KindTraits {
  /** Starting a run mostly waits for models or tools, so that it takes no place among those that start at once. */
  startsSlowly?: true;
  /** A run asks a model: an example is only carried out where models are asked. */
  needsModel?: true;
  /** A run takes events that are sent to it. */
  takesEvents?: true;
  /** A run takes uploads: it may expect them. */
  takesUploads?: true;
  /** A run is interrupted once no caller waits for it. Any other continues and is recorded. */
  endsWithCaller?: true;
  /**
   * A run has one attempt, and its ending is final. `start` has no effects and calls no tools: it is carried out before
   * anything is recorded, and the run is recorded together with what it comes to.
   */
  runsOnce?: true;
}

/** An example of a document that was checked. */
export interface ExampleRun {
  source: string;
  document: CheckedDocument;
  example: Example;
  /** What it reads as the time, in milliseconds since 1970. */
  now: number;
}

/**
 * What a kind of definition implements. Whether a run waits is decided by each run: by `start`, or by `decide` later.
 * A kind whose runs may wait for more than one request has `decide`.
 */
export interface Kind {
  type: DefinitionType;
  traits: KindTraits;
  /**
   * Checks a document that is at most 65,536 UTF-8 bytes long.
   * @throws Refused `unavailable` when no checker is ready.
   */
  check(source: string, context: CheckContext): Promise<Checked>;
  /** Starts a run, whose input fits the document's input schema: ends it, or decides what it waits for. */
  start(run: RunRequest): Promise<Ending | Waiting>;
  /**
   * Decides what an input comes to; undefined when it comes to nothing, so that it leaves no history. It has no
   * effects: deciding again, after a crash or a clash, gives the same. A run of a kind without it ends with the
   * request that it puts.
   */
  decide?: (run: DurableRun, state: RunState, input: RunInput) => Promise<Decision | undefined>;
  /** What a run in this state waits for beside requests and uploads, each once; nothing while it works. */
  awaits?: (state: RunState) => Promise<readonly Awaited[]>;
  /** What is known of a call before `perform` makes it. */
  describe?: (run: PlaybookKey, effect: JsonObject) => DescribedCall;
  /** Makes a call that a decision asked for. It never throws for what the other side did. */
  perform?: (run: PerformingRun, effect: JsonObject, options: PerformOptions) => Promise<Performed | Postponed>;
  /** Starts runs by events and by the clock. */
  triggers?: Triggering;
  /** How replies to requests that go through a tool are read. Without it such requests are answered in the inbox. */
  conversing?: Conversing;
  /** Whether runs of the document may call tools: they are not attempted again once they did. */
  mayCallTools?: (source: string) => Promise<boolean>;
  /** What is wrong with an example, without carrying it out; kinds without it carry their examples out. */
  tryExample?: (source: string, example: Example, now: number) => Promise<readonly string[]>;
  /** Carries an example out in memory, for a kind whose runs need more than their input. */
  carryOutExample?: (tried: ExampleRun) => Promise<Ending>;
}

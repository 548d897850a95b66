import type { DefinitionType } from '../../shared/definition-types.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Awaited } from '../../shared/awaited.ts';
import type { Place } from '../kernel/log/index.ts';
import type { Conversing, Waiting } from './conversing.ts';
import type { Checked, CheckedDocument, Example, Surroundings } from './checked.ts';
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
  /** A run has one attempt: its ending is its last word, whatever it is. */
  runsOnce?: true;
}

interface EveryKind {
  type: DefinitionType;
  traits: KindTraits;
  /**
   * Checks a document that is at most 65,536 UTF-8 bytes long.
   * @throws Refused `unavailable` when no checker is ready.
   */
  check(source: string, surroundings: Surroundings): Promise<Checked>;
}

/** An example of a document that was checked. */
export interface TriedExample {
  source: string;
  document: CheckedDocument;
  example: Example;
  /** What it reads as the time, in milliseconds since 1970. */
  now: number;
}

/** A kind whose runs end within the request that starts them, or put a request and wait for its end. */
export interface FunctionKind extends EveryKind {
  /** Carries a run out; the input has been checked against the document's input schema. */
  start(run: RunRequest): Promise<Ending | Waiting>;
  /** Whether runs of the document may call tools: they are not attempted again once they did. */
  mayCallTools?: (source: string) => Promise<boolean>;
  /** True where a run is interrupted once nobody waits for it any more. Any other goes on and is recorded. */
  endsWithCaller?: true;
  conversing?: Conversing;
  /** What is wrong with an example, without carrying it out; kinds without it carry their examples out. */
  tryExample?: (source: string, example: Example, now: number) => Promise<readonly string[]>;
  /** Carries an example out in memory, for a kind whose runs need more than their input. */
  carryOutExample?: (tried: TriedExample) => Promise<Ending>;
}

/** A kind whose runs wait, and go on from what is stored of them. */
export interface DurableKind extends EveryKind {
  triggers?: Triggering;
  /**
   * Decides what an input comes to; undefined when it comes to nothing, so that it leaves no history. It has no
   * effects: deciding again, after a crash or a clash, gives the same.
   */
  decide(run: DurableRun, state: RunState, input: RunInput): Promise<Decision | undefined>;
  /** What a run in this state waits for, each once; nothing while it works. */
  awaits(state: RunState): Promise<readonly Awaited[]>;
  describe(run: Place, effect: JsonObject): DescribedCall;
  /** Makes a call that a decision asked for. It never throws for what the other side did. */
  perform(run: PerformingRun, effect: JsonObject, options: PerformOptions): Promise<Performed | Postponed>;
}

/** What a kind of definition implements. */
export type Kind = FunctionKind | DurableKind;

export function isDurable(kind: Kind): kind is DurableKind {
  return 'decide' in kind;
}

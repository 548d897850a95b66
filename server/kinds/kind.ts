import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { DocumentGraph } from '../../shared/schemas/index.ts';
import type { Place } from '../kernel/log/index.ts';
import type { Rejection } from '../kernel/rejection.ts';
import type { RunTools, ToolCallStart, ToolCallDone } from './tools.ts';

/** A definition of the playbook that a document names: `TYPE/NAME`, and how the document uses it. */
export interface Reference {
  type: DefinitionType;
  name: string;
  /** How it is used, as the Used by line says it, for example "calls". */
  use: string;
}

/** An example that an author gives with a definition. */
export interface Example {
  name: string;
  input: Json;
  output?: Json;
  /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
  events?: readonly JsonObject[];
  /** Workflows: what calls give, by the pointer of the step, else by TYPE/NAME or SERVER/TOOL. */
  calls?: Readonly<Record<string, Json>>;
}

/** What starts runs of a workflow by itself, as the contract shows it. `after` is an addition. */
export type Trigger =
  | {
      kind: 'event';
      reference: '/schedule/on';
      filters: { reference: string; type?: string; attributes: JsonObject }[];
    }
  | { kind: 'cron'; reference: '/schedule/cron'; expression: string }
  | { kind: 'every'; reference: '/schedule/every'; milliseconds: number }
  | { kind: 'after'; reference: '/schedule/after'; milliseconds: number };

/** Which events a recall function's view keeps: those that one of its filters fits. */
export type ReadFilter =
  /** Published and emitted events with these very attributes. */
  | { events: { type?: string; source?: string; subject?: string } }
  /** Runs of a definition, TYPE/NAME, as they start and end. */
  | { runs: { subject: string } }
  /** Versions of a definition, TYPE/NAME. */
  | { changes: { source: string } };

/** What a checked document says of itself. */
export interface CheckedDocument {
  description?: string;
  /** JSON Schema of the run's input; absent: any JSON value. */
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** The name of the output's shape, where the document names one. */
  shape?: string;
  examples: readonly Example[];
  /** Whether the definition is a tool of its own on its playbook's MCP endpoint. */
  expose: boolean;
  /** Markdown: what the definition needs, produces and does, without the Used by lines. */
  overview: string;
  references: readonly Reference[];
  /** Recall functions: which events they keep a view of. */
  reads?: readonly ReadFilter[];
  /** Workflows with a schedule only. */
  triggers?: readonly Trigger[];
  /** Workflows: the document's steps as a graph, for drawing. */
  graph?: DocumentGraph;
  /** Programs: TypeScript of the names that they can use without declaring them, for editors. */
  declarations?: string;
  warnings: readonly SourceIssue[];
}

/** Pointers of issues are under `/source`. */
export type Checked = { ok: true; document: CheckedDocument } | { ok: false; issues: readonly SourceIssue[] };

/** One attempt of a run, as a kind sees it. */
export interface RunRequest {
  org: string;
  playbook: string;
  runId: string;
  attempt: number;
  name: string;
  version: number;
  /** The version's document, as it was checked when it was saved. */
  source: string;
  outputSchema?: JsonObject;
  input: Json;
  /** When this attempt started, in milliseconds since 1970; what the run reads as the time. */
  startedAt: number;
  /** The place in the playbook's order of reading of the event that recorded the start. */
  startedPosition: number;
  /** The run's trace, 16 bytes as hex. */
  traceId?: string;
  /** Aborted when the service stops, and for a kind that ends with its caller when that goes away. */
  signal: AbortSignal;
  tools: RunTools;
}

/** How a run ended. The record is what is worth reading about the attempt beside its output. */
export type Ending =
  | { status: 'succeeded'; output: Json; record: JsonObject }
  | { status: 'rejected'; rejection: Rejection; record?: JsonObject }
  | { status: 'failed'; detail: string; record?: JsonObject };

/** A call of a tool, its arguments worked out. */
export interface ToolUse {
  server: string;
  tool: string;
  arguments: JsonObject;
}

/** A question to a party, or a notification, as it is put: worked out whole before it exists. */
export interface NewRequest {
  to: string;
  message: string;
  /** JSON Schema of the answer; null for a notification, which ends its run once it is delivered. */
  answerSchema: JsonObject | null;
  /** When it ends unanswered, in milliseconds since 1970. */
  expiresAt: number;
  /** Null for the inbox. */
  delivery: (ToolUse & { replies?: { every: number; answerer: string } }) | null;
}

/** The run put a request, and waits for what becomes of it. */
export interface Waiting {
  status: 'waiting';
  request: NewRequest;
}

/** A request that goes through a tool, as its kind sees it again. */
export interface PutRequest {
  org: string;
  playbook: string;
  runId: string;
  /** The document and the input of the run that put it. */
  source: string;
  input: Json;
  to: string;
  message: string;
  expiresAt: number;
  answerSchema: JsonObject | null;
  /** Where replies are read; null before it is known. */
  conversation: string | number | null;
  /** When it is looked at, in milliseconds since 1970. */
  now: number;
}

/** What a document says, worked out; or why it cannot be, in a sentence. */
export type Worked<T> = { ok: true; value: T } | { ok: false; detail: string };

/** A message of a conversation. */
export interface Reply {
  id: string;
  author: string;
  text: string;
  /** When it was written, in milliseconds since 1970, where the conversation says so. */
  at?: number;
}

/** How requests of a kind are spoken of with a party through tools. Nothing of it calls a tool. */
export interface Conversing {
  /** Where replies are read, by what the delivering tool answered; null where none are. */
  conversation(request: PutRequest, answer: Json): Promise<Worked<string | number | null>>;
  /** The call that reads the conversation. */
  reading(request: PutRequest): Promise<Worked<ToolUse>>;
  /** The messages in what it answered. */
  replies(request: PutRequest, answer: Json): Promise<Worked<readonly Reply[]>>;
  /** The answer that a message is; `detail`: what is wrong with it, for its author. */
  answerOf(request: PutRequest, text: string): Promise<Worked<Json>>;
  /** The call that tells the conversation something; undefined where nobody is told. */
  telling(request: PutRequest, words: string): Promise<Worked<ToolUse | undefined>>;
}

/** A CloudEvent with its id, source and type, as it is published or sent to a run. */
export interface CloudEvent extends JsonObject {
  id: string;
  source: string;
  type: string;
}

/** What a run that waits takes in. Each is applied once, in a transaction of its own. */
export interface RunInput {
  kind:
    | 'started'
    | 'called_run_ended'
    | 'call_answered'
    | 'timer_due'
    | 'event_received'
    | 'cancel_requested'
    | 'resumed';
  /** Which one: the id of the called run, the number of the call or timer, the id of the event. */
  key: string;
  data: JsonObject;
}

/** A run that may wait, as its kind sees it. */
export interface DurableRun {
  org: string;
  playbook: string;
  runId: string;
  name: string;
  version: number;
  /** The version's document, as it was checked when it was saved. */
  source: string;
  /** Reactions above this run; what it publishes has as many. */
  depth: number;
  /** When the input is applied, in milliseconds since 1970. */
  now: number;
  /** Source and id of events that it cannot publish, as JSON: other events of the playbook have them. */
  takenEventKeys: ReadonlySet<string>;
}

/** The state of a run as it was before the input. Nothing may be changed through it. */
export interface RunState {
  part(key: string): Promise<Json | undefined> | Json | undefined;
  /** Events that were sent to the run and that it did not take yet, oldest first. */
  mailbox(): Promise<readonly CloudEvent[]>;
}

/** A step that an input moved, in the state in which the input left it. */
export interface MovedStep {
  /** JSON Pointer of the step in its document. */
  step: string;
  /** What the step is: `call`, `do`, `set`, ... */
  kind: string;
  state: 'started' | 'waiting' | 'finished' | 'failed' | 'skipped';
  output?: Json;
  error?: JsonObject;
  /** What the step waits for, in words. */
  waitsFor?: string;
  /** Why a step was passed over: its `if` did not hold, or it was stopped on its way. */
  because?: 'condition' | 'stopped';
}

/** Why a called run or the run itself is asked to stop. */
export type CancelKind = 'requested' | 'deadline' | 'overrun' | 'parent_ended';

/** Which events a run waits for; null stands for any. */
export interface EventInterest {
  type: string | null;
  source: string | null;
  subject: string | null;
  /** The jq expression over an event's data whose value must have this digest, where that is known already. */
  correlation: { from: string; sha256: string } | null;
}

/**
 * What is to be done, in the transaction that records the decision or after it. Numbers are the run's own, rising:
 * whatever is done under one is done once.
 */
export type Command =
  | { do: 'start_timer'; number: number; at: number; data: JsonObject }
  | { do: 'stop_timer'; number: number }
  | {
      do: 'start_run';
      number: number;
      /** Id of the run to be started. */
      runId: string;
      type: DefinitionType;
      name: string;
      input: Json;
      /** The call's place in the document. */
      reference: string;
      /** Given back with the run's ending; null when nobody waits for it. */
      data: JsonObject | null;
    }
  | { do: 'cancel_run'; runId: string; kind: CancelKind; detail: string }
  /** A call that reaches out of the service; `effect` is for the kind's `perform` alone. */
  | { do: 'perform'; number: number; effect: JsonObject; data: JsonObject }
  | { do: 'stop_performing'; number: number }
  | { do: 'publish'; event: CloudEvent }
  | { do: 'listen'; listener: number; interests: readonly EventInterest[] }
  | { do: 'stop_listening'; listener: number }
  /** The run took events that were sent to it. */
  | { do: 'take'; events: readonly string[] }
  /** There is more to move: the run goes on with a `resumed` input. */
  | { do: 'resume'; number: number };

/** What an input comes to. */
export interface Decision {
  moved: readonly MovedStep[];
  /** Parts of the state that change; undefined: the part is gone. When the run ends all its parts go. */
  parts: ReadonlyMap<string, Json | undefined>;
  commands: readonly Command[];
  ending?: Ending;
  /** What the run waits for now, in words; absent when it ended. */
  waitsFor?: string;
}

/** What is known of a run while a call of it goes on. */
export type PerformingRun = Pick<DurableRun, 'org' | 'playbook' | 'runId' | 'name' | 'version'>;

/**
 * The answer of a call that reached out of the service. `call`: what history says of a call whose start was told;
 * without it that is made of output and error.
 */
export type Performed = ({ ok: true; output: Json } | { ok: false; error: JsonObject }) & { call?: ToolCallDone };

/** Nothing was sent: whoever is to be asked is busy with others. The call is made later. */
export interface Postponed {
  afterSeconds: number;
}

/** What goes with the making of a call. */
export interface PerformOptions {
  signal: AbortSignal;
  /** Records that the call starts, for calls that tell it; awaited before anything is sent. Called once at most. */
  starts: (call: ToolCallStart) => Promise<void>;
}

/** What is known of a call before it is made. */
export interface DescribedCall {
  server: string;
  tool: string;
  /** Scrubbed. */
  arguments: JsonObject;
  /** Whether making it twice does no harm. */
  mayRepeat: boolean;
  /** Whether `perform` tells when it starts. Otherwise its start is recorded before `perform`. */
  tellsStart: boolean;
}

interface EveryKind {
  type: DefinitionType;
  /**
   * Checks a document that is at most 65,536 UTF-8 bytes long.
   * @throws Refused `unavailable` when no checker is ready.
   */
  check(source: string, surroundings: Surroundings): Promise<Checked>;
}

/** What a document is checked against beside its own text. All of it can change after the check. */
export interface Surroundings {
  org: string;
  playbook: string;
  definitionExists(type: DefinitionType, name: string): boolean;
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
  mayCallTools?: (source: string) => boolean;
  /** True where a run is interrupted once nobody waits for it any more. Any other goes on and is recorded. */
  endsWithCaller?: true;
  conversing?: Conversing;
  /** What is wrong with an example, without carrying it out; kinds without it carry their examples out. */
  tryExample?: (source: string, example: Example, now: number) => Promise<readonly string[]>;
  /** Carries an example out in memory, for a kind whose runs need more than their input. */
  carryOutExample?: (tried: TriedExample) => Promise<Ending>;
}

/** Events that a trigger gathers until it has what it wants. */
export interface Gathering {
  consumption: JsonObject;
  events: readonly CloudEvent[];
}

/** What starts runs by itself, read from a version's document. */
export interface Triggering {
  /** Which published events the document's trigger looks at; none where it has no such trigger. */
  interests(source: string): readonly EventInterest[];
  /**
   * Offers an event to a gathering; undefined when it does not take it.
   * `isKept`: the event is part of what the run is given; `isDone`: the run is to be started.
   */
  gather(
    run: Omit<DurableRun, 'takenEventKeys' | 'depth'>,
    gathering: Gathering,
    event: CloudEvent,
  ): Promise<{ consumption: JsonObject; isKept: boolean; isDone: boolean } | undefined>;
  /** What a run is given that events start. */
  inputOf(source: string, events: readonly CloudEvent[]): Json;
  /** When the document's clock trigger fires next after `now`; undefined when never. @param anchor when it was set */
  nextTime(source: string, anchor: number, now: number): number | undefined;
}

/** A kind whose runs wait, and go on from what is stored of them. */
export interface DurableKind extends EveryKind {
  triggers?: Triggering;
  /**
   * Decides what an input comes to; undefined when it comes to nothing, so that it leaves no history. It has no
   * effects: deciding again, after a crash or a clash, gives the same.
   */
  decide(run: DurableRun, state: RunState, input: RunInput): Promise<Decision | undefined>;
  describe(run: Place, effect: JsonObject): DescribedCall;
  /** Makes a call that a decision asked for. It never throws for what the other side did. */
  perform(run: PerformingRun, effect: JsonObject, options: PerformOptions): Promise<Performed | Postponed>;
}

/** What a kind of definition implements. */
export type Kind = FunctionKind | DurableKind;

export function isDurable(kind: Kind): kind is DurableKind {
  return 'decide' in kind;
}

// Durable runs: their inputs, their decisions, and the commands that are executed for them.
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { TriggerFilter } from './checked.ts';
import type { NewRequest } from './conversing.ts';
import type { Ending } from './run.ts';
import type { ToolCallDone, ToolCallStart } from './tools.ts';

/** A CloudEvent with its id, source and type, as it is published or sent to a run. */
export interface CloudEvent extends JsonObject {
  id: string;
  source: string;
  type: string;
}

/** An input of a waiting run. Each input is applied once, in its own transaction. */
export interface RunInput {
  kind:
    | 'started'
    | 'called_run_ended'
    | 'call_answered'
    | 'timer_due'
    | 'event_received'
    | 'request_ended'
    | 'upload_ended'
    | 'cancel_requested'
    | 'given_up'
    | 'resumed';
  /** Identifies the source: the id of the called run or request, the number of the call or timer, the id of the event or upload. */
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
  /** The number of reactions that led to this run; its events carry the same number. */
  depth: number;
  /** When the input is applied, in milliseconds since 1970. */
  now: number;
  /** Source and id, as JSON, of events that it cannot publish because other events of the playbook have them. */
  takenEventKeys: ReadonlySet<string>;
}

/** The state of a run before the input; read-only. */
export interface RunState {
  part(key: string): Promise<Json | undefined> | Json | undefined;
  /** Events that were sent to the run and not yet received, oldest first. */
  mailbox(): Promise<readonly CloudEvent[]>;
}

/** Of a run that starts. */
export const NO_STATE: RunState = { part: () => undefined, mailbox: async () => [] };

/** A step that an input changed, in its new state. */
export interface MovedStep {
  /** JSON Pointer of the step in its document. */
  step: string;
  /** What the step is: `call`, `do`, `set`, ... */
  kind: string;
  /** The iterations of the enclosing loops, outermost first, from 0; absent outside of loops. */
  iterations?: readonly number[];
  state: 'started' | 'waiting' | 'finished' | 'failed' | 'skipped';
  output?: Json;
  error?: JsonObject;
  /** What the step is waiting for, in words. */
  waitsFor?: string;
  /** The case that a `switch` took; absent if none matched. */
  taken?: string;
  /** Why a step was skipped: its `if` was false, or it was stopped. */
  because?: 'condition' | 'stopped';
}

/** Why a called run, or the run itself, is asked to stop. */
export type CancelKind = 'requested' | 'deadline' | 'overrun' | 'parent_ended';

/** A filter for the events that a run waits for; null matches any value. */
export interface EventInterest {
  type: string | null;
  source: string | null;
  subject: string | null;
  /** A jq expression over the event's data whose value must have this digest, if the digest is already known. */
  correlation: { from: string; sha256: string } | null;
}

/**
 * A command, executed in the transaction that records the decision or after it. Each run numbers its commands in
 * ascending order; each number is executed once. A decision that ends a run stops its timers, calls and listeners;
 * requests and expected uploads end with the run.
 */
export type Command =
  | { do: 'start_timer'; number: number; at: number; data: JsonObject }
  | { do: 'stop_timer'; number: number }
  | {
      do: 'start_run';
      number: number;
      /** The id of the run to start. */
      runId: string;
      type: DefinitionType;
      name: string;
      input: Json;
      /** The JSON Pointer of the call in the document. */
      reference: string;
      /** Returned with the ending of the run; null if nothing waits for it. */
      data: JsonObject | null;
    }
  | { do: 'cancel_run'; runId: string; kind: CancelKind; detail: string }
  /** A call that leaves the service; only the kind's `perform` reads `effect`. */
  | { do: 'perform'; number: number; effect: JsonObject; data: JsonObject }
  | { do: 'stop_performing'; number: number }
  | { do: 'publish'; event: CloudEvent }
  /**
   * Sends a question or a notification to the inbox or through a tool. Its end is a `request_ended` input, with the
   * answer as output. A run has one open request at a time and accepts one answer per attempt. A run does not wait for
   * a notification in the inbox.
   */
  | { do: 'put_request'; request: NewRequest }
  /** Accepts uploads until `stop_expecting_upload`; each is an `upload_ended` input with this data. */
  | { do: 'expect_upload'; number: number; data: JsonObject }
  | { do: 'stop_expecting_upload'; number: number }
  | { do: 'listen'; listener: number; interests: readonly EventInterest[] }
  | { do: 'stop_listening'; listener: number }
  /** The run received events that were sent to it. */
  | { do: 'take'; events: readonly string[] }
  /** There is more to do: the run continues with a `resumed` input. */
  | { do: 'resume'; number: number }
  /** Adds a task of another part of the service, which continues after the run has ended. */
  | { do: 'add_task'; kind: string; key: string };

/** The decision about an input. */
export interface Decision {
  moved: readonly MovedStep[];
  /** Events of the kind's own, recorded on the run's stream behind the input. */
  facts?: readonly { type: string; data: JsonObject }[];
  /** Changed parts of the state; undefined deletes a part. All parts are deleted when the run ends. */
  parts: ReadonlyMap<string, Json | undefined>;
  commands: readonly Command[];
  ending?: Ending;
  /** What the run is waiting for now, in words; absent if it ended. */
  waitsFor?: string;
  /** The latest time until which it waits, in milliseconds since 1970, if known. */
  until?: number;
}

/** The run executes the decision and waits, unless the decision ends it. */
export interface Waiting {
  status: 'waiting';
  decision: Decision;
}

/** The run of a call in progress. */
export type PerformingRun = Pick<DurableRun, 'org' | 'playbook' | 'runId' | 'name' | 'version'>;

/**
 * The result of a call that left the service. `call`: the history entry of a call whose start was recorded; without it,
 * the entry is derived from output and error.
 */
export type Performed = ({ ok: true; output: Json } | { ok: false; error: JsonObject }) & { call?: ToolCallDone };

export interface PerformOptions {
  signal: AbortSignal;
  /** Records the start of the call, for calls with `recordsOwnStart`; awaited before anything is sent. Called at most once. */
  starts: (call: ToolCallStart) => Promise<void>;
}

/** A call before it is made. */
export interface DescribedCall {
  server: string;
  tool: string;
  /** Scrubbed. */
  arguments: JsonObject;
  /** Whether it may be made twice. */
  mayRepeat: boolean;
  /** Whether `perform` records its start. Otherwise the start is recorded before `perform`. */
  recordsOwnStart: boolean;
}

/** Events that a trigger collects until it can start a run. */
export interface Gathering {
  consumption: JsonObject;
  events: readonly CloudEvent[];
}

/** `each` of them, those that its filters take (`taken`), or `several` together. */
export type StartingEvents = 'each' | 'taken' | 'several';

/** The triggers in the document of a version. */
export interface Triggering {
  /** The schedule of a saved version, which the other functions receive; undefined if it has none. */
  scheduleOf(source: string): Promise<JsonObject | undefined>;
  /** The published events that the trigger looks at, and which of them start a run; empty without an event trigger. */
  interests(schedule: JsonObject | undefined): readonly (EventInterest & { starts: StartingEvents })[];
  /** Whether one of the trigger's filters takes an event; undefined if that cannot be decided at once. */
  takes(filters: readonly TriggerFilter[], event: CloudEvent): boolean | undefined;
  /**
   * Offers an event to a gathering; undefined if it does not match.
   * `isKept`: the event is part of the run's input; `isDone`: the run must be started.
   */
  gather(
    run: Omit<DurableRun, 'takenEventKeys' | 'depth'>,
    gathering: Gathering,
    event: CloudEvent,
  ): Promise<{ consumption: JsonObject; isKept: boolean; isDone: boolean } | undefined>;
  /** The input of a run that events start. */
  inputOf(schedule: JsonObject | undefined, events: readonly CloudEvent[]): Json;
  /** When the clock trigger fires next after `now`; undefined if never. @param anchor when it was set */
  nextTime(schedule: JsonObject | undefined, anchor: number, now: number): number | undefined;
  /** The IANA time zone in which the times of the clock trigger are found; undefined if they do not depend on one. */
  timeZoneOf(schedule: JsonObject | undefined): string | undefined;
}

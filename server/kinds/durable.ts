// What runs that wait take in, what they decide, and what is done for them.
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { NewRequest } from './conversing.ts';
import type { Ending } from './run.ts';
import type { ToolCallDone, ToolCallStart } from './tools.ts';

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
    | 'request_ended'
    | 'upload_ended'
    | 'cancel_requested'
    | 'given_up'
    | 'resumed';
  /** Which one: the id of the called run or request, the number of the call or timer, the id of the event or upload. */
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
  /** The iterations of the loops that it stands in, outermost first, from 0; absent outside of every loop. */
  iterations?: readonly number[];
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
 * whatever is done under one is done once. A decision that ends a run stops its timers, calls and listeners; requests
 * and expected uploads end with it.
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
  /**
   * Puts a question or a notification, which stands in the inbox or is delivered through a tool. How it ends comes as a
   * `request_ended` input: the answer is its output. A run has one request open at a time, and takes one answer an
   * attempt. A notification in the inbox is not waited for.
   */
  | { do: 'put_request'; request: NewRequest }
  /** The run takes uploads until it stops to, each as an `upload_ended` input with this data. */
  | { do: 'expect_upload'; number: number; data: JsonObject }
  | { do: 'stop_expecting_upload'; number: number }
  | { do: 'listen'; listener: number; interests: readonly EventInterest[] }
  | { do: 'stop_listening'; listener: number }
  /** The run took events that were sent to it. */
  | { do: 'take'; events: readonly string[] }
  /** There is more to move: the run continues with a `resumed` input. */
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
  /** Until when at most, in milliseconds since 1970, where that is known. */
  until?: number;
}

/** The run does not end at its start: it does what is decided, and then waits, unless the decision ends it. */
export interface Waiting {
  status: 'waiting';
  decision: Decision;
}

/** What is known of a run while a call of it is in progress. */
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

/** Events that a trigger gathers until it has what it wants. */
export interface Gathering {
  consumption: JsonObject;
  events: readonly CloudEvent[];
}

/** What starts runs by itself, read from a version's document. */
export interface Triggering {
  /** The schedule of a version that was saved; undefined where it has none. The others get it as it is. */
  scheduleOf(source: string): Promise<JsonObject | undefined>;
  /** Which published events the trigger looks at; none where it has no such trigger. */
  interests(schedule: JsonObject | undefined): readonly EventInterest[];
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
  inputOf(schedule: JsonObject | undefined, events: readonly CloudEvent[]): Json;
  /** When the clock trigger fires next after `now`; undefined when never. @param anchor when it was set */
  nextTime(schedule: JsonObject | undefined, anchor: number, now: number): number | undefined;
}

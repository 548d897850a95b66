// Generated from the OpenAPI document by `npm run api:client`. Do not edit.
import type { Json, JsonObject } from "../json.ts";

export type DefinitionType =
  | "reasoning"
  | "interaction"
  | "prediction"
  | "recall"
  | "computation"
  | "workflow";

export interface Problem {
  /**
   * A URI that identifies the problem; its last segment is the name.
   * @format uri
   */
  type: string;
  /** The problem in a few words. */
  title: string;
  /**
   * The HTTP status.
   * @min 400
   * @max 599
   */
  status: number;
  /** What is wrong and what to do. */
  detail: string;
  /** The reason of the refusal or rejection. */
  reason: string;
  /** The kind of the reason. */
  kind?: string;
  /** The cause. */
  because?: string;
  /**
   * With status 500: identifies the entry in the log.
   * @format uri
   */
  instance?: string;
  /** With `invalid_input`: every issue that was found. */
  errors?: {
    /** What is wrong and what to write instead. */
    detail: string;
    /** JSON Pointer (RFC 6901) to the value. */
    pointer: string;
  }[];
  /**
   * The run that ended with this problem.
   * @format uuid
   */
  run_id?: string;
}

export interface CreatePlaybookInput {
  /**
   * The id, as used in paths.
   * @pattern ^[a-z][a-z0-9-]{2,47}$
   */
  playbook: string;
  /**
   * The display name: 1 to 100 characters. Whitespace at its ends is neither stored nor counted.
   * @minLength 1
   * @pattern \S
   */
  name: string;
  /** What the playbook is for: at most 2000 characters. Whitespace at its ends is neither stored nor counted. */
  description?: string;
}

export interface Playbook {
  /** The id. It is never reused, even after the playbook is retired. */
  id: string;
  /** The display name. */
  name: string;
  /** What the playbook is for; may be empty. */
  description: string;
  /** A retired playbook can be read but not changed. */
  status: "active" | "retired";
  /**
   * When it was created.
   * @format date-time
   */
  created_at: string;
  /** The caller who created it. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
}

export interface ListPlaybooksInput {
  /** Default: false. */
  include_retired?: boolean;
}

export interface ListPlaybooksAnswer {
  playbooks: Playbook[];
}

export interface GetPlaybookInput {
  /** The playbook's id. */
  playbook: string;
}

export interface UpdatePlaybookInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * The display name: 1 to 100 characters. Whitespace at its ends is neither stored nor counted.
   * @minLength 1
   * @pattern \S
   */
  name: string;
  /** What the playbook is for: at most 2000 characters. Whitespace at its ends is neither stored nor counted. */
  description: string;
}

export interface RetirePlaybookInput {
  /** The playbook's id. */
  playbook: string;
}

export interface CreateDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /**
   * The name, as used in paths.
   * @pattern ^[a-z][a-z0-9-]{2,47}$
   */
  name: string;
  /** The whole document, at most 65536 bytes. */
  source: string;
}

/** What starts runs of a workflow. */
export interface Trigger {
  /** What fires the trigger. */
  kind: "event" | "cron" | "every" | "after";
  /** JSON Pointer to the trigger in its document. */
  reference: string;
  /** Event triggers: the events that start a run. */
  filters?: {
    /** JSON Pointer to the filter in its document. */
    reference: string;
    /** The event type that the filter matches. */
    type?: string;
    /** The other attributes that an event must have. */
    attributes: Record<string, Json>;
  }[];
  /** Event triggers: what the run's input lists of each event, the whole event or its data as text; absent: its data. */
  read?: "envelope" | "raw";
  /** Cron triggers: a cron expression of five fields. */
  expression?: string;
  /** Every and after triggers: the interval. */
  milliseconds?: number;
}

export interface SourceIssue {
  /** JSON Pointer (RFC 6901) to the value. */
  pointer: string;
  /**
   * Line of the source, from 1.
   * @min 1
   */
  line: number;
  /**
   * Column of the line, from 1.
   * @min 1
   */
  column: number;
  /** What is wrong and what to write instead. */
  detail: string;
}

/** Recall functions: the state of the view; returned by get_definition. */
export interface RecallStanding {
  /** Whether runs are served: only in the state `current`, not while the view of the current version is built, nor after it has stalled. */
  state: "building" | "current" | "stalled";
  /**
   * The version of the definition that the view belongs to.
   * @min 1
   */
  version: number;
  /**
   * The read position of the last event that the view has read.
   * @min 0
   */
  checkpoint: number;
  /**
   * The number of matching events that the view has not read yet.
   * @min 0
   */
  behind: number;
  /**
   * When the state was stored.
   * @format date-time
   */
  at: string;
  /** The event at which the view stalled. */
  stalled_by?: {
    /** The event. */
    event_id: string;
    /** The type of the event, for example event_published. */
    type: string;
    /**
     * When the event was recorded.
     * @format date-time
     */
    at: string;
    /** Why `evolve` failed on the event. */
    detail: string;
  };
}

/** Prediction functions: the dataset and the model versions; returned by get_definition. */
export interface PredictionStanding {
  /** The newest dataset with the columns and the period of the function; null if there is none. */
  dataset: {
    /** SHA-256 of the file. */
    dataset: string;
    /**
     * The number of series.
     * @min 1
     */
    series: number;
    /** The label of the first period with a value. */
    first: string;
    /** The label of the last period with a value. */
    last: string;
  } | null;
  /** The model version that answers questions; null if there is none. */
  active: {
    /**
     * The model version, from 1.
     * @min 1
     */
    version: number;
    /**
     * When it was activated.
     * @format date-time
     */
    activated_at: string;
    /** What activated it. */
    rule: "gate" | "approval" | "shadow" | "caller";
    /** Its scores on the judge windows. */
    scores: Record<string, Json>;
  } | null;
  /** The model version that waits to be activated; null if there is none. */
  pending: {
    /**
     * The model version, from 1.
     * @min 1
     */
    version: number;
    /** What it waits for. */
    for: "shadow" | "approval";
    /**
     * Since when it waits.
     * @format date-time
     */
    since: string;
  } | null;
  /**
   * Builds that started today (UTC).
   * @min 0
   */
  builds_today: number;
  /**
   * Builds that may still start today.
   * @min 0
   */
  builds_left: number;
}

export interface Definition {
  /** The type of definition. */
  type: DefinitionType;
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired definition can be read, but not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input. If absent, any JSON value is valid. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** Other settings of the document. */
  details: {
    /** Name of the output shape, if the document has one. */
    shape?: string;
    /** The definition is exposed as an MCP tool. */
    expose?: true;
    /** Inputs to test the definition with. */
    examples?: {
      /** The name of the example. */
      name: string;
      /** The input of the run. */
      input: Json;
      /** The expected output. */
      output?: Json;
      /** Workflows: events that the run receives. Recall functions: events from which the view is built. */
      events?: JsonObject[];
      /** Workflows: the results of calls, by the step that calls or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs automatically; only for workflows with a schedule. */
  triggers?: Trigger[];
  /** Possible mistakes in the saved document. */
  warnings: SourceIssue[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent for an active definition.
   * @format date-time
   */
  retired_at?: string;
  /** The document. */
  source: string;
  /** Active workflows with triggers: the event that saved the current version. Runs that its triggers start after that event use this version. */
  triggers_since?: string;
  /** A recall function's view, or a prediction function's dataset and model versions. */
  standing?: RecallStanding | PredictionStanding;
  /** Markdown: what the definition needs, produces and does, and which definitions use it. */
  overview: string;
}

export interface ListDefinitionsInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** Default: false. */
  include_retired?: boolean;
}

export interface DefinitionListEntry {
  /** The type of definition. */
  type: DefinitionType;
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired definition can be read, but not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input. If absent, any JSON value is valid. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** Other settings of the document. */
  details: {
    /** Name of the output shape, if the document has one. */
    shape?: string;
    /** The definition is exposed as an MCP tool. */
    expose?: true;
    /** Inputs to test the definition with. */
    examples?: {
      /** The name of the example. */
      name: string;
      /** The input of the run. */
      input: Json;
      /** The expected output. */
      output?: Json;
      /** Workflows: events that the run receives. Recall functions: events from which the view is built. */
      events?: JsonObject[];
      /** Workflows: the results of calls, by the step that calls or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs automatically; only for workflows with a schedule. */
  triggers?: Trigger[];
  /** Possible mistakes in the saved document. */
  warnings: SourceIssue[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent for an active definition.
   * @format date-time
   */
  retired_at?: string;
}

export interface ListDefinitionsAnswer {
  definitions: DefinitionListEntry[];
}

export interface GetDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The definition's name. */
  name: string;
}

export interface UpdateDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The definition's name. */
  name: string;
  /** The whole document, at most 65536 bytes. */
  source: string;
  /**
   * The version that it is based on; if another was saved since: `conflict`.
   * @min 1
   * @max 999999999
   */
  expected_version?: number;
}

export interface RetireDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The definition's name. */
  name: string;
}

export interface CheckDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The whole document, at most 65536 bytes. */
  source: string;
  /**
   * The steps and triggers of a workflow, the types of a program's names, or the schema of the input.
   * @maxItems 4
   */
  include?: ("graph" | "declarations" | "input_schema" | "triggers")[];
  /** With it, the document may refer to itself. */
  name?: string;
}

/** Workflows: the steps as a graph. */
export interface DocumentGraph {
  /** The steps. */
  nodes: {
    /** JSON Pointer to the step, or `start` or `end`. */
    id: string;
    /** Name of the step. */
    name: string;
    /** The type of the step: `call`, `do`, `set`, ..., or `start` or `end`. */
    type: string;
    /** A short description of what the step does. */
    summary: string;
    /** The step that contains this step. */
    parent?: string;
    /** What it calls: TYPE/NAME or SERVER/TOOL. */
    calls?: string;
    /**
     * Its line in the source.
     * @min 1
     */
    line: number;
  }[];
  /** The transitions between steps. */
  edges: {
    /** The step at the start of the edge. */
    from: string;
    /** The step at the end of the edge. */
    to: string;
    /** The kind of transition. */
    kind:
      | "next"
      | "then"
      | "case"
      | "skip"
      | "exit"
      | "catch"
      | "enter"
      | "branch"
      | "call";
    /** The label of the edge. */
    label?: string;
  }[];
}

export interface DocumentCheck {
  /** Whether the document can be saved. */
  valid: boolean;
  /** Errors that prevent saving. */
  issues: SourceIssue[];
  /** Possible mistakes that do not prevent saving. */
  warnings: SourceIssue[];
  /** Markdown; present if the document is valid. */
  overview?: string;
  /** Workflows: the steps as a graph. */
  graph?: DocumentGraph;
  /** Valid computations and recall functions: TypeScript declarations of the names that the program can use without declaring them, based on the schemas that it exports; for editors. */
  declarations?: string;
  /** JSON Schema of the input that the document declares. */
  input_schema?: Record<string, Json>;
  /** Workflows: what starts runs automatically. */
  triggers?: Trigger[];
}

export interface ListDefinitionVersionsInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The definition's name. */
  name: string;
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

export interface DefinitionVersion {
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /**
   * When it was saved.
   * @format date-time
   */
  saved_at: string;
  /** The caller who saved it. */
  saved_by: string;
}

export interface ListDefinitionVersionsAnswer {
  versions: DefinitionVersion[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface GetDefinitionVersionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The definition's name. */
  name: string;
  /**
   * The version, from 1.
   * @pattern ^[1-9][0-9]{0,8}$
   */
  version: string;
}

export interface TestDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The whole document. */
  source?: string;
  /** Instead of `source`. */
  name?: string;
  /**
   * Of `name`.
   * @min 1
   * @max 999999999
   */
  version?: number;
}

export interface TestedDefinition {
  /** Whether the document can be saved; if not, no example was run. */
  valid: boolean;
  /** Errors that prevent saving. */
  issues: SourceIssue[];
  /**
   * The version, if a saved one was tested.
   * @min 1
   */
  version?: number;
  /**
   * The number of examples that passed.
   * @min 0
   */
  passed: number;
  /**
   * The number of examples that failed.
   * @min 0
   */
  failed: number;
  /**
   * The number of examples that were not run.
   * @min 0
   */
  not_run: number;
  /** In the order of the document, at most 100. */
  examples: {
    /** The name of the example, at most 80 characters. */
    name: string;
    /** What became of it. */
    status: "passed" | "failed" | "not_run";
    /** Why it failed or was not run, shortened; absent if `differences` say it. */
    detail?: string;
    /** Where the output is not the expected one: the first 10 places. */
    differences?: {
      /** JSON Pointer into the output; empty for the whole output. */
      pointer: string;
      /** As JSON, shortened; absent if nothing was expected there. */
      expected?: string;
      /** As JSON, shortened; absent if nothing was returned there. */
      returned?: string;
    }[];
    /** The output, if the example was run and `differences` do not show all that differs; at most 2 KiB. */
    output?: Json;
    /**
     * The size of an output that is left out.
     * @min 0
     */
    output_bytes?: number;
  }[];
  /** True if details, differences or outputs are left out because the answer would exceed 20 KiB. */
  shortened?: boolean;
}

export interface GivenResult {
  /**
   * The call: JSON Pointers of the calling steps, joined by ` > `; `#2` is the second call of a step.
   * @maxLength 4000
   */
  call: string;
  /** The output of the call, or the answer to its question. */
  output?: Json;
  /** Instead of `output`: how the call ends. */
  failure?:
    | "invalid_input"
    | "unavailable"
    | "unanswered"
    | "cancelled"
    | "failed";
}

export interface RunDraftInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The whole document. */
  source: string;
  /**
   * The name under which it is or will be saved: a prediction function answers from its active model.
   * @maxLength 48
   */
  name?: string;
  /** Default: {}. At most 256 KiB as JSON and 512 levels deep. */
  input?: Json;
  /**
   * Reasoning: instead of the model in the document.
   * @maxLength 512
   * @pattern ^[^\s/*]+/[^\s*]+$
   */
  model?: string;
  /** Call tools and HTTP services. Default: false, they are only checked. */
  call_tools?: boolean;
  /** Run reasoning functions that a workflow calls. Default: false. The model of a reasoning draft is always called. */
  call_models?: boolean;
  /**
   * Workflows: events that the run receives.
   * @maxItems 100
   */
  events?: {
    type: string;
  }[];
  /**
   * From `continuation`.
   * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$
   */
  run_id?: string;
  /**
   * From `continuation`.
   * @format date-time
   */
  started_at?: string;
  /**
   * From `continuation`, and yours for its questions.
   * @maxItems 1000
   */
  results?: GivenResult[];
}

export interface Issue {
  /** JSON Pointer (RFC 6901) to the value. */
  pointer: string;
  /** What is wrong and what to write instead. */
  detail: string;
}

export interface DraftStep {
  /** JSON Pointer of the step. */
  step: string;
  /** `call`, `do`, `set`, ... */
  kind: string;
  /** The iterations of the loops around the step, outermost first, from 0. */
  iterations?: number[];
  /** Its state now. */
  state: "started" | "waiting" | "finished" | "failed" | "skipped";
  /**
   * When it came to this state, by the time of the draft run: timers take no time.
   * @format date-time
   */
  at: string;
  /** The case that a `switch` took. */
  taken?: string;
  /** What the step waits for. */
  waits_for?: string;
  /** Why it was skipped. */
  because?: "condition" | "stopped";
  /** Left out if it exceeds 2 KiB, or all of them 256 KiB. */
  output?: Json;
  /**
   * The size of an output that is left out.
   * @min 0
   */
  output_bytes?: number;
  /** The error of a failed step. */
  error?: Record<string, Json>;
}

export interface DraftCall {
  /**
   * The call: JSON Pointers of the calling steps, joined by ` > `; `#2` is the second call of a step.
   * @maxLength 4000
   */
  call: string;
  /** TYPE/NAME, or SERVER/TOOL. */
  called: string;
  /** `run`: a function of the playbook was run, `called`: a model, tool or service was called, `given`: the caller gave the result, `dry_run`: a tool was only checked, `open`: it has no result yet. */
  how: "run" | "given" | "called" | "dry_run" | "open";
  /** How it ended. */
  status: "succeeded" | "rejected" | "failed" | "waiting";
  /** Why it did not succeed, or what a dry run found. */
  detail?: string;
  /** Left out if it exceeds 2 KiB, or all of them 256 KiB. */
  output?: Json;
  /**
   * The size of an output that is left out.
   * @min 0
   */
  output_bytes?: number;
}

export interface DraftQuestion {
  /**
   * The call: JSON Pointers of the calling steps, joined by ` > `; `#2` is the second call of a step.
   * @maxLength 4000
   */
  call: string;
  /** What was called: TYPE/NAME, or SERVER/TOOL. */
  called: string;
  /** The answer to a question, or the result of a call that a draft run does not make. */
  asks_for: "answer" | "result";
  /** The party that a question is addressed to. */
  to?: string;
  /** The question. */
  message?: string;
  /** Why the call was not made, and what a dry run found. */
  detail?: string;
  /** JSON Schema of the answer or result. */
  schema?: Record<string, Json>;
  /** Why the given result does not match the schema. */
  issues?: Issue[];
}

export interface DraftRun {
  /** Whether the document can be saved; if not, it was not run. */
  valid: boolean;
  /** Errors that prevent saving. */
  issues: SourceIssue[];
  /** `waiting`: it has open questions, or waits for an event. Absent if the document is not valid. */
  status?: "succeeded" | "rejected" | "failed" | "waiting";
  /** The output, if it succeeded. */
  output?: Json;
  /** Name of the shape of the output, if it has one. */
  output_shape?: string;
  /** Why it was rejected. */
  rejection?: {
    /** The reason. */
    reason: string;
    /** The kind of the reason. */
    kind?: string;
    /** The cause. */
    because?: string;
    /** Of `invalid_input`. */
    issues?: Issue[];
  };
  /** Why it did not succeed, or what it waits for. */
  detail?: string;
  /** What the run did besides its output, such as the turns and tokens of a model. */
  record?: Record<string, Json>;
  /**
   * How long this request ran the draft.
   * @min 0
   */
  duration_ms: number;
  /** The steps of a workflow, each in its last state: the first 1000. */
  steps: DraftStep[];
  /** What it called, in order, calls of called workflows included. */
  calls: DraftCall[];
  /** To continue, send `continuation` with a result for each. */
  questions: DraftQuestion[];
  /** Events that a run would publish. None was published. */
  published: Record<string, Json>[];
  /** What to send with the same source and input to continue; absent if the run has ended, or if the results exceed 512 KiB. */
  continuation?: {
    /**
     * The id that the draft run sees as its own.
     * @format uuid
     */
    run_id: string;
    /**
     * When the draft run started.
     * @format date-time
     */
    started_at: string;
    /** The results so far that cannot be computed again. Add yours. */
    results: GivenResult[];
  };
  /** True if steps, calls, questions or events are left out. */
  shortened?: boolean;
}

export interface FollowDraftInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The whole document. */
  source: string;
  /**
   * The name under which it is or will be saved: a prediction function answers from its active model.
   * @maxLength 48
   */
  name?: string;
  /** Default: {}. At most 256 KiB as JSON and 512 levels deep. */
  input?: Json;
  /**
   * Reasoning: instead of the model in the document.
   * @maxLength 512
   * @pattern ^[^\s/*]+/[^\s*]+$
   */
  model?: string;
  /** Call tools and HTTP services. Default: false, they are only checked. */
  call_tools?: boolean;
  /** Run reasoning functions that a workflow calls. Default: false. The model of a reasoning draft is always called. */
  call_models?: boolean;
  /**
   * Workflows: events that the run receives.
   * @maxItems 100
   */
  events?: {
    type: string;
  }[];
  /**
   * From `continuation`.
   * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$
   */
  run_id?: string;
  /**
   * From `continuation`.
   * @format date-time
   */
  started_at?: string;
  /**
   * From `continuation`, and yours for its questions.
   * @maxItems 1000
   */
  results?: GivenResult[];
}

export interface FollowDraftEvent {
  /** Steps that changed. */
  steps?: DraftStep[];
  /** A piece of the text of the model. */
  text?: {
    /**
     * The offset at which the piece replaces the text.
     * @min 0
     */
    from: number;
    /** The piece. */
    text: string;
  };
  result?: DraftRun;
}

export interface RunDefinitionInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type: DefinitionType;
  /** The definition's name. */
  name: string;
  /** Default: {}. At most 256 KiB as JSON and 512 levels deep. */
  input?: Json;
  /**
   * Your own UUID: repeating the request finds the same run.
   * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$
   */
  run_id?: string;
  /**
   * Default: the current one. Not for recall and prediction.
   * @min 1
   * @max 999999999
   */
  version?: number;
  /**
   * Reasoning: instead of the one in the document.
   * @maxLength 512
   * @pattern ^[^\s/*]+/[^\s*]+$
   */
  model?: string;
}

/** The call that started the run. */
export interface CalledBy {
  /**
   * The calling run.
   * @format uuid
   */
  run_id: string;
  /** JSON Pointer to the call in its document. */
  reference: string;
  /** The calling definition, as TYPE/NAME. */
  run: string;
}

/** The trigger that started the run. */
export interface RunTrigger {
  /** What fired the trigger. */
  kind: "event" | "cron" | "every" | "after";
  /** JSON Pointer to the trigger in its document. */
  reference: string;
  /** The recorded event that started the run; get_event returns it. */
  event_id?: string;
  /** The `source` of that event. */
  source?: string;
  /** The `id` of that event, unique in its source. */
  id?: string;
}

/** The run whose recorded results it uses, and from which step; see rerun. An addition to the contract. */
export interface RunOrigin {
  /**
   * The run that it continues from.
   * @format uuid
   */
  run_id: string;
  /** JSON Pointer to the step that it began with. */
  step: string;
  /** The iterations of the loops around the step, outermost first, from 0. */
  iterations?: number[];
  /**
   * The version that the other run used.
   * @min 1
   */
  definition_version: number;
}

export interface Run {
  /**
   * The id of the run.
   * @format uuid
   */
  run_id: string;
  /** The type of definition. */
  type: DefinitionType;
  /** Name of the definition that was run. */
  name: string;
  /**
   * The version that the last attempt used.
   * @min 1
   */
  definition_version: number;
  /** The status of the run. */
  status: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The number of the last attempt, from 1.
   * @min 1
   */
  attempt: number;
  /**
   * When the run first started.
   * @format date-time
   */
  started_at: string;
  /**
   * When its last attempt started.
   * @format date-time
   */
  attempt_started_at: string;
  /**
   * When it ended; absent while the run is in progress.
   * @format date-time
   */
  ended_at?: string;
  /** The caller who started it. */
  started_by: string;
  /** The model that the caller named instead of the one in the document. An addition to the contract. */
  model?: string;
  /** The call that started the run. */
  called_by?: CalledBy;
  /** The trigger that started the run. */
  trigger?: RunTrigger;
  /** The run whose recorded results it uses, and from which step; see rerun. An addition to the contract. */
  origin?: RunOrigin;
  /** Why it was rejected. */
  reason?: string;
  /** The kind of the reason. */
  kind?: string;
  /** The cause. */
  because?: string;
  /** Name of the shape of the output, if it has one. */
  output_shape?: string;
  /** What a started run is waiting for; absent while it is not waiting. An addition to the contract. */
  waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
  /** The output; present if the run succeeded. */
  output?: Json;
  /** Why the run did not succeed, as a message for people. */
  detail?: string;
  /** For `invalid_input`: every issue that was found. */
  issues?: Issue[];
  /**
   * Seconds to wait before a new run; present if something that the run needed was unavailable.
   * @min 0
   */
  retry_after?: number;
}

export interface GetRunInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
}

export interface RunWithRecord {
  /**
   * The id of the run.
   * @format uuid
   */
  run_id: string;
  /** The type of definition. */
  type: DefinitionType;
  /** Name of the definition that was run. */
  name: string;
  /**
   * The version that the last attempt used.
   * @min 1
   */
  definition_version: number;
  /** The status of the run. */
  status: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The number of the last attempt, from 1.
   * @min 1
   */
  attempt: number;
  /**
   * When the run first started.
   * @format date-time
   */
  started_at: string;
  /**
   * When its last attempt started.
   * @format date-time
   */
  attempt_started_at: string;
  /**
   * When it ended; absent while the run is in progress.
   * @format date-time
   */
  ended_at?: string;
  /** The caller who started it. */
  started_by: string;
  /** The model that the caller named instead of the one in the document. An addition to the contract. */
  model?: string;
  /** The call that started the run. */
  called_by?: CalledBy;
  /** The trigger that started the run. */
  trigger?: RunTrigger;
  /** The run whose recorded results it uses, and from which step; see rerun. An addition to the contract. */
  origin?: RunOrigin;
  /** Why it was rejected. */
  reason?: string;
  /** The kind of the reason. */
  kind?: string;
  /** The cause. */
  because?: string;
  /** Name of the shape of the output, if it has one. */
  output_shape?: string;
  /** What a started run is waiting for; absent while it is not waiting. An addition to the contract. */
  waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
  /** The output; present if the run succeeded. */
  output?: Json;
  /** Why the run did not succeed, as a message for people. */
  detail?: string;
  /** For `invalid_input`: every issue that was found. */
  issues?: Issue[];
  /**
   * Seconds to wait before a new run; present if something that the run needed was unavailable.
   * @min 0
   */
  retry_after?: number;
  /** Details of what the run did, besides its output; empty while the run is in progress. */
  record: Record<string, Json>;
}

export interface RerunInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /**
   * Its JSON Pointer (/do/2/charge), or its name if no other step has it.
   * @minLength 1
   * @maxLength 2000
   */
  step: string;
  /**
   * Of each loop around the step, outermost first, from 0; default: the last.
   * @maxItems 100
   */
  iterations?: number[];
  /**
   * Default: that of the run.
   * @min 1
   * @max 999999999
   */
  version?: number;
  /**
   * Your own UUID: repeating the request finds the same run.
   * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$
   */
  new_run_id?: string;
}

export interface FollowRunInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
}

export interface FollowRunEvent {
  /**
   * The offset of the piece in UTF-16 code units: it replaces the text from there on. If the offset is past the end of the text so far, some text was left out.
   * @min 0
   */
  from: number;
  /** The piece as the model wrote it, with secrets redacted. */
  text: string;
}

export interface ListRunsInput {
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type?: DefinitionType;
  /**
   * Of the definition.
   * @maxLength 48
   */
  name?: string;
  status?: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The `event_id` of an event that started them, alone or with others, or its own `id` with `event_source`.
   * @maxLength 256
   */
  event?: string;
  /**
   * The `source` of `event`.
   * @maxLength 1024
   */
  event_source?: string;
  /**
   * Only reruns of this run.
   * @maxLength 36
   */
  origin?: string;
  /**
   * The run that called them.
   * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$
   */
  called_by?: string;
  /**
   * Their caller, such as key:NAME.
   * @maxLength 256
   */
  started_by?: string;
  /** Whether no run called them. */
  top_level?: boolean;
  /**
   * They started then or later: ISO 8601 with an offset (+ in a URL: %2B).
   * @maxLength 64
   */
  since?: string;
  /**
   * They started earlier.
   * @maxLength 64
   */
  until?: string;
  /**
   * Text in their id, input or output, in any case.
   * @minLength 1
   * @maxLength 200
   */
  search?: string;
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

export interface RunListEntry {
  /**
   * The id of the run.
   * @format uuid
   */
  run_id: string;
  /** The type of definition. */
  type: DefinitionType;
  /** Name of the definition that was run. */
  name: string;
  /**
   * The version that the last attempt used.
   * @min 1
   */
  definition_version: number;
  /** The status of the run. */
  status: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The number of the last attempt, from 1.
   * @min 1
   */
  attempt: number;
  /**
   * When the run first started.
   * @format date-time
   */
  started_at: string;
  /**
   * When its last attempt started.
   * @format date-time
   */
  attempt_started_at: string;
  /**
   * When it ended; absent while the run is in progress.
   * @format date-time
   */
  ended_at?: string;
  /** The caller who started it. */
  started_by: string;
  /** The model that the caller named instead of the one in the document. An addition to the contract. */
  model?: string;
  /** The call that started the run. */
  called_by?: CalledBy;
  /** The trigger that started the run. */
  trigger?: RunTrigger;
  /** The run whose recorded results it uses, and from which step; see rerun. An addition to the contract. */
  origin?: RunOrigin;
  /** Why it was rejected. */
  reason?: string;
  /** The kind of the reason. */
  kind?: string;
  /** The cause. */
  because?: string;
  /** Name of the shape of the output, if it has one. */
  output_shape?: string;
  /** What a started run is waiting for; absent while it is not waiting. An addition to the contract. */
  waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
}

export interface ListRunsAnswer {
  runs: RunListEntry[];
  has_more: boolean;
  next_cursor: string | null;
  /**
   * Present if the search stopped before the page was full: it looked at the runs back to this start. `next_cursor` continues there.
   * @format date-time
   */
  searched_to?: string;
}

export interface CancelRunInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /**
   * Becomes the detail of the run's ending.
   * @minLength 1
   * @maxLength 1024
   * @pattern ^[^\u0000-\u001f\u007f-\u009f]*$
   */
  reason?: string;
}

export interface SendRunEventInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /** A CloudEvent. */
  event: {
    type: string;
    /** A run accepts each id once; default: generated. */
    id?: string;
    /** Default: /callers/ and the caller. */
    source?: string;
    subject?: string;
    /** Any JSON value. */
    data?: Json;
  };
}

export interface SendRunEventAnswer {
  /**
   * The run.
   * @format uuid
   */
  run_id: string;
  /** The event as it was delivered. */
  event: JsonObject;
}

export interface ExplainRunInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
}

export interface ExplainRunAnswer {
  /**
   * The run.
   * @format uuid
   */
  run_id: string;
  /** Oldest first. If they do not fit, one line stands for those in the middle. */
  lines: {
    /** What happened, in one sentence. */
    text: string;
    /**
     * How far the line is indented, from 0.
     * @min 0
     */
    depth: number;
    /** The event that has the details. */
    event_id: string;
    /**
     * The called run that the line is about.
     * @format uuid
     */
    run_id?: string;
  }[];
  /**
   * The number of lines that did not fit; for a long run, the least number.
   * @min 0
   */
  left_out: number;
}

export interface UploadDatasetInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * SHA-256 of the file, in lower-case hex.
   * @pattern ^[0-9a-f]{64}$
   */
  sha256: string;
}

export interface Dataset {
  /** SHA-256 of the file, by which builds name it. */
  dataset: string;
  /**
   * Size of the file in bytes.
   * @min 0
   */
  bytes: number;
  /**
   * The number of rows, without the header.
   * @min 0
   */
  rows: number;
  /**
   * The number of series.
   * @min 1
   */
  series: number;
  /** The names of all columns but `series` and `period`, in the order of the file. */
  columns: string[];
  /** The length of a period, by the form of the labels. */
  period: "hour" | "day" | "week" | "month" | "quarter" | "year";
  /** The label of the first period with a value. */
  first: string;
  /** The label of the last period with a value. */
  last: string;
  /**
   * Periods without a value between the first and the last value of their series, over all series.
   * @min 0
   */
  missing: number;
}

export interface UploadCandidateInput {
  /** The playbook's id. */
  playbook: string;
  /** The run id of the build. */
  run_id: string;
}

export interface UploadCandidateAnswer {
  /**
   * SHA-256 of the model.
   * @pattern ^[0-9a-f]{64}$
   */
  candidate: string;
  /**
   * Size of the model in bytes.
   * @min 0
   */
  bytes: number;
  /** The version of the ONNX operator set. */
  opset: number;
}

export interface ActivateVersionInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the function. */
  name: string;
  /**
   * The model version.
   * @min 1
   */
  version: number;
}

export interface ActivateVersionAnswer {
  /** The name of the function. */
  function: string;
  /**
   * The version that is active now.
   * @min 1
   */
  version: number;
  /** What activated it. */
  rule: "gate" | "approval" | "shadow" | "caller";
  /**
   * When it was activated.
   * @format date-time
   */
  activated_at: string;
}

export interface ListSeriesInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the function. */
  name: string;
  /**
   * Only series whose name contains this text, in any case.
   * @maxLength 200
   */
  search?: string;
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

export interface ListSeriesAnswer {
  /** SHA-256 of the dataset. */
  dataset: string | null;
  /**
   * The series.
   * @maxItems 100
   */
  items: {
    /** The name of the series. */
    series: string;
    /** The period of its first value. */
    first: string;
    /** The period of its last value. */
    last: string;
    /** The latest periods up to the last value, as many as the context of the function. */
    points: {
      /** The period. */
      at: string;
      /** The value; null is missing. */
      value: number | null;
    }[];
  }[];
  /** Whether there are more pages. */
  has_more: boolean;
  /** The cursor of the next page. */
  next_cursor: string | null;
}

export interface ReadForecastInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the function. */
  name: string;
  /**
   * The name of the series.
   * @minLength 1
   * @maxLength 256
   */
  series: string;
  /**
   * Only the period that many ahead; default: every horizon.
   * @min 1
   */
  horizon?: number;
}

export interface ReadForecastAnswer {
  /**
   * Series
   * The output of a run.
   */
  output: {
    /** The unit of the values. */
    unit?: string;
    /** The lines. */
    lines: {
      /** The name of the line. */
      name: string;
      /** The points, in chronological order. */
      points: {
        /** A time, or the label of a period. */
        at: string;
        /** The value; null is a gap. */
        value: number | null;
        /** Lower end of the interval. */
        low?: number;
        /** Upper end of the interval. */
        high?: number;
      }[];
    }[];
  };
  /**
   * The model version that predicted it.
   * @min 1
   */
  version: number;
  /** The share of values that the intervals are to hold; null where it was not measured. */
  coverage: number | null;
  /** SHA-256 of the dataset that it starts from. */
  dataset: string;
}

export interface ListVersionsInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the function. */
  name: string;
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

export interface ListVersionsAnswer {
  /** The model versions. */
  versions: {
    /**
     * The model version, from 1.
     * @min 1
     */
    version: number;
    /** SHA-256 of the model. */
    candidate: string;
    /** The build that made it. */
    run_id: string;
    /** Its scores on the judge windows. */
    scores: {
      /** The mean scaled pinball loss; lower is better. */
      score: number | null;
      /** The mean absolute scaled error. */
      mase: number | null;
      /** The share of values inside the interval. */
      coverage: number | null;
      /** The mean scaled width of the interval. */
      width: number | null;
    };
    /** Whether it answers questions. */
    active: boolean;
  }[];
  /** Whether there are more pages. */
  has_more: boolean;
  /** The cursor of the next page. */
  next_cursor: string | null;
}

export interface ListInteractionsInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * The party.
   * @maxLength 256
   */
  to?: string;
  /** Of the function. */
  type?: DefinitionType;
  /**
   * Its name.
   * @maxLength 48
   */
  function?: string;
  /**
   * Only of this run and of those below it.
   * @maxLength 64
   */
  run_id?: string;
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

export interface InteractionRequest {
  /**
   * The run that sent the request; its answer goes to it.
   * @format uuid
   */
  run_id: string;
  /** The call that started this run; absent if a caller did. */
  called_by?: {
    /**
     * The calling run.
     * @format uuid
     */
    run_id: string;
    /** JSON Pointer to the call in its document. */
    reference: string;
    /** The calling definition, as TYPE/NAME. */
    run: string;
  };
  /** The type of definition. */
  type: DefinitionType;
  /** Name of the function that sent the request. */
  function: string;
  /**
   * The version of the function.
   * @min 1
   */
  version: number;
  /** The party that the request is addressed to. */
  to: string;
  /** The tool that delivers the request, or null for the inbox. */
  delivery: {
    /** The tool server. */
    server: string;
    /** The tool's name on its server. */
    tool: string;
  } | null;
  /** The message. */
  message: string;
  /** Requests of builds: what the trainer needs, `{ function, run_id, brief_url, rows_url }`. */
  input?: Record<string, Json>;
  /** True for a question, false for a notification. */
  takes_answer: boolean;
  /** Null for a notification. */
  answer_schema: Record<string, Json> | null;
  /**
   * When the request was made.
   * @format date-time
   */
  requested_at: string;
  /**
   * When the request expires.
   * @format date-time
   */
  expires_at: string;
  /**
   * The number of delivery attempts so far.
   * @min 0
   */
  attempts: number;
  /** The conversation in which replies are read, or null. */
  conversation: string | null;
  /** The party whose reply counts, or null. */
  answerer: string | null;
  /**
   * The number of replies by the answerer that were not accepted.
   * @min 0
   */
  reply_refusals: number;
  /** The state of the request. */
  standing:
    | "in_inbox"
    | "to_deliver"
    | "delivering"
    | "delivered"
    | "retrying"
    | "undelivered"
    | "cancelling";
}

export interface ListInteractionsAnswer {
  interactions: InteractionRequest[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface AnswerInteractionInput {
  /** The playbook's id. */
  playbook: string;
  /** The run that asked. */
  run_id: string;
  /** By the request's answer_schema; at most 64 KiB as JSON. */
  answer: Json;
  /**
   * On whose behalf; recorded, never verified.
   * @minLength 1
   */
  claimed_for?: string;
}

export interface AnswerFact {
  /**
   * The run that sent the request.
   * @format uuid
   */
  run_id: string;
  /** Id of the answer. */
  answer_id: string;
  /** The answer. */
  answer: Json;
  /** The person on whose behalf the caller claims to answer; not verified. */
  claimed_for?: string;
  /** The caller who answered; for a reply, the playbook. */
  answered_by: string;
  /** Identity of the reply that was accepted. */
  reply?: string;
  /**
   * When it was answered.
   * @format date-time
   */
  answered_at: string;
}

export interface PublishEventInput {
  /** The playbook's id. */
  playbook: string;
  /** A CloudEvent (1.0). Any other attribute is an extension. */
  event: {
    /** A URI reference, such as /shop/orders. */
    source: string;
    /** Such as order.paid. */
    type: string;
    /** Default: generated. */
    id?: string;
    /** RFC 3339; default: now. */
    time?: string;
    subject?: string;
    specversion?: string;
    datacontenttype?: string;
    /** Absolute URI. */
    dataschema?: string;
    /** Any JSON value. */
    data?: Json;
    [key: string]: Json;
  };
}

export interface Published {
  /** The id of the event; generated if absent in the request. */
  id: string;
  /**
   * When it happened; the time of recording if absent in the request.
   * @format date-time
   */
  time: string;
  /**
   * When it was first recorded.
   * @format date-time
   */
  recorded_at: string;
  /** The recorded event; list_runs with it as `event` lists the runs that it started, alone or with others. */
  event_id: string;
  /** The runs that the event is certain to start, and those in progress that listen for its type, source and subject, at most 100. A trigger that gathers several events, or whose filter takes longer to evaluate, is left out; list_runs with the `event_id` lists the runs that it starts. Absent if the event was published before. */
  reached?: {
    /**
     * The run.
     * @format uuid
     */
    run_id: string;
    /** Whether a trigger starts the run shortly after this, or the run is in progress and listens for the event. */
    effect: "starts" | "receives";
    /** The workflow of a run that starts. */
    workflow?: string;
  }[];
}

export interface ListPlaybookEventsInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * Such as run_failed; event_published for all published events, or the own type of published events, such as order.paid. A page of an own type may have fewer events than `limit`, or none, although `has_more` is true.
   * @maxLength 256
   */
  type?: string;
  /**
   * ISO 8601 with an offset; in a URL, its + is %2B.
   * @maxLength 64
   */
  since?: string;
  /**
   * Only a top-level run and the runs below it.
   * @maxLength 64
   */
  run_id?: string;
  /** Default: desc, newest first. */
  order?: "asc" | "desc";
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

/** The trigger that started the run. */
export interface TriggerReference {
  /** What fired the trigger. */
  kind: "event" | "cron" | "every" | "after";
  /** JSON Pointer to the trigger in its document. */
  reference: string;
}

export interface Event {
  /** The id, stable across reads. */
  id: string;
  /** What happened, for example `run_started`. */
  type: string;
  /** One sentence for people. */
  summary: string;
  /** The data of the event. Lists replace large values by their size in bytes, in a field with the suffix `_bytes`. */
  data: Record<string, Json>;
  /** The origin, position and subject of the event. */
  metadata: {
    /** The stream: a run, a definition or another thing whose events are in one order. */
    stream: string;
    /**
     * Position in the stream, from 1.
     * @min 1
     */
    position: number;
    /** Position in the whole store, with gaps; not the order in which events are read. */
    global_position: number;
    /** The run at the top of the chain. */
    correlation_id: string | null;
    /** The event that directly caused this event. */
    causation_id: string | null;
    /**
     * When it was recorded.
     * @format date-time
     */
    at: string;
    /** Who caused it: a caller, `playbook:` and its id, or `runtime`. */
    by: string;
    /**
     * The run that the event belongs to.
     * @format uuid
     */
    run_id?: string;
    /** The definition that the event is about. */
    definition?: {
      /** The type of definition. */
      type: DefinitionType;
      /** Name of the definition. */
      name: string;
      /**
       * The version, if the event names one.
       * @min 1
       */
      version?: number;
    };
    /** The call that started the run. */
    called_by?: CalledBy;
    /**
     * The number of calls above the run.
     * @min 0
     */
    call_depth?: number;
    /**
     * The number of reactions above the run: runs that were started by a trigger.
     * @min 0
     */
    depth?: number;
    /** The trigger that started the run. */
    trigger?: TriggerReference;
    /**
     * The trace id.
     * @pattern ^[0-9a-f]{32}$
     */
    trace_id?: string;
    /**
     * The span id.
     * @pattern ^[0-9a-f]{16}$
     */
    span_id?: string;
  };
}

export interface ListPlaybookEventsAnswer {
  events: Event[];
  /** Whether there are more pages. */
  has_more: boolean;
  /** The cursor of the next page. */
  next_cursor: string | null;
}

export interface GetEventInput {
  /** The playbook's id. */
  playbook: string;
  /** The event's id. */
  event_id: string;
}

export interface GetRunHistoryInput {
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /** asc (oldest first) is the default. */
  order?: "asc" | "desc";
  /**
   * Default: 50, over MCP 20.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * `next_cursor` of the previous page.
   * @maxLength 256
   */
  cursor?: string;
}

export interface GetRunHistoryAnswer {
  events: Event[];
  /** Whether there are more pages. */
  has_more: boolean;
  /** The cursor of the next page. */
  next_cursor: string | null;
}

export interface FollowEventsInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * The id of the event to continue after.
   * @maxLength 100
   */
  after?: string;
}

export interface ListSchedulesInput {
  /** The playbook's id. */
  playbook: string;
}

/** What the clock starts. */
export interface Schedule {
  /** The name of the workflow. */
  workflow: string;
  /** What starts runs of a workflow. */
  trigger: Trigger;
  /** The IANA time zone in which a `cron` expression is read; absent for other triggers. */
  timezone?: string;
  /**
   * When the schedule was last changed. It has no times before.
   * @format date-time
   */
  set_at: string;
  /** The next five times; empty while it is paused, and for `after`. */
  next_times: string[];
  /**
   * Since when it is paused; absent if it is not.
   * @format date-time
   */
  paused_at?: string;
  /** The caller who paused it. */
  paused_by?: string;
}

export interface ListSchedulesAnswer {
  /** By the name of the workflow. */
  schedules: Schedule[];
}

export interface ListScheduleTimesInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the workflow. */
  name: string;
  /**
   * ISO 8601 with an offset.
   * @maxLength 64
   */
  from: string;
  /**
   * Default: now.
   * @maxLength 64
   */
  until?: string;
}

/** A time of a schedule, with its run. */
export interface ScheduledTime {
  /**
   * A time of the schedule.
   * @format date-time
   */
  time: string;
  /**
   * The run of this time; absent if it was missed.
   * @format uuid
   */
  run_id?: string;
  /** The status of that run. */
  status?: "started" | "succeeded" | "rejected" | "failed";
}

export interface ListScheduleTimesAnswer {
  /** Oldest first. */
  times: ScheduledTime[];
  /** Whether the period has more times; ask again from the last one. */
  has_more: boolean;
}

export interface PauseScheduleInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the workflow. */
  name: string;
}

export interface ResumeScheduleInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the workflow. */
  name: string;
}

export interface BackfillScheduleInput {
  /** The playbook's id. */
  playbook: string;
  /** The name of the workflow. */
  name: string;
  /**
   * Past times of the schedule.
   * @maxItems 100
   * @minItems 1
   */
  times: string[];
}

export interface BackfillScheduleAnswer {
  /** The given times with their runs. */
  times: ScheduledTime[];
}

export interface ExportPlaybookInput {
  /** The playbook's id. */
  playbook: string;
}

export interface ExportPlaybookAnswer {
  /** The playbook's id. */
  playbook: string;
  /** The display name of the playbook. */
  name: string;
  /** What the playbook is for; may be empty. */
  description: string;
  /** Every active definition. */
  definitions: {
    /** The type of definition. */
    type: DefinitionType;
    /** The definition's name. */
    name: string;
    /**
     * SHA-256 of the source, in lower-case hex.
     * @pattern ^[0-9a-f]{64}$
     */
    sha256: string;
    /** The whole document. */
    source: string;
  }[];
}

export interface ApplyPlaybookInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * The display name: 1 to 100 characters. Whitespace at its ends is neither stored nor counted.
   * @minLength 1
   * @pattern \S
   */
  name: string;
  /** What the playbook is for: at most 2000 characters. Whitespace at its ends is neither stored nor counted. */
  description?: string;
  /**
   * Every definition of the folder.
   * @maxItems 1000
   */
  definitions: {
    /** The type of definition. */
    type: DefinitionType;
    /**
     * The definition's name.
     * @pattern ^[a-z][a-z0-9-]{2,47}$
     */
    name: string;
    /** The whole document; needed if it is new or differs. */
    source?: string;
    /**
     * SHA-256 of the source, in lower-case hex; needed without `source`.
     * @pattern ^[0-9a-f]{64}$
     */
    sha256?: string;
  }[];
  /** Only list the changes. */
  dry_run?: boolean;
  /** Permanently retire definitions that the folder lacks. */
  prune?: boolean;
  /**
   * The `plan` of a dry run: exactly those changes are applied, or none if the playbook has changed since (`conflict`).
   * @pattern ^[0-9a-f]{64}$
   */
  plan?: string;
}

export interface ApplyPlaybookAnswer {
  /** What happens to the playbook, its name and description. */
  playbook: "create" | "update" | "unchanged";
  /** Each definition of the folder and of the playbook, workflows last. */
  definitions: {
    /** The type of definition. */
    type: DefinitionType;
    /** The definition's name. */
    name: string;
    /** `retired`: the name was retired earlier. `missing`: the folder lacks the definition, and it is kept. */
    change:
      | "create"
      | "update"
      | "unchanged"
      | "retire"
      | "retired"
      | "missing";
    /** The version before the change; absent for a new definition. */
    version?: number;
    /** Warnings about the source; present if it was checked and has any. */
    warnings?: SourceIssue[];
  }[];
  /** Identifies these changes and the versions that they start from. */
  plan: string;
}

export interface PlanImportInput {
  /** The playbook's id. */
  playbook: string;
}

export interface PlanImportAnswer {
  /** What happens to the playbook, its name and description. */
  playbook: "create" | "update" | "unchanged";
  /** Each definition of the folder and of the playbook, workflows last. */
  definitions: {
    /** The type of definition. */
    type: DefinitionType;
    /** The definition's name. */
    name: string;
    /** `retired`: the name was retired earlier. `missing`: the folder lacks the definition, and it is kept. */
    change:
      | "create"
      | "update"
      | "unchanged"
      | "retire"
      | "retired"
      | "missing";
    /** The version before the change; absent for a new definition. */
    version?: number;
    /** Warnings about the source; present if it was checked and has any. */
    warnings?: SourceIssue[];
  }[];
  /** Identifies these changes, the versions they start from, and the archive. */
  plan: string;
  /** The id in the archive; it may be that of another playbook. */
  archived: string;
  /** The files of the archive that are not part of a playbook. */
  ignored: string[];
}

export interface ImportPlaybookInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * The `plan` that `plan_import` returned.
   * @pattern ^[0-9a-f]{64}$
   */
  plan: string;
}

export interface ImportPlaybookAnswer {
  /** What happens to the playbook, its name and description. */
  playbook: "create" | "update" | "unchanged";
  /** Each definition of the folder and of the playbook, workflows last. */
  definitions: {
    /** The type of definition. */
    type: DefinitionType;
    /** The definition's name. */
    name: string;
    /** `retired`: the name was retired earlier. `missing`: the folder lacks the definition, and it is kept. */
    change:
      | "create"
      | "update"
      | "unchanged"
      | "retire"
      | "retired"
      | "missing";
    /** The version before the change; absent for a new definition. */
    version?: number;
    /** Warnings about the source; present if it was checked and has any. */
    warnings?: SourceIssue[];
  }[];
  /** Identifies these changes, the versions they start from, and the archive. */
  plan: string;
  /** The id in the archive; it may be that of another playbook. */
  archived: string;
  /** The files of the archive that are not part of a playbook. */
  ignored: string[];
}

export interface GetPlaybookAnalyticsInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * UTC days, today included; 30 when absent.
   * @min 1
   * @max 90
   */
  days?: number;
  /** Only runs of one type. */
  type?: DefinitionType;
}

/** The number of runs that ended, by status. */
export interface RunCounts {
  /**
   * Runs that ended.
   * @min 0
   */
  total: number;
  /**
   * Runs that succeeded.
   * @min 0
   */
  succeeded: number;
  /**
   * Runs that failed.
   * @min 0
   */
  failed: number;
  /**
   * Runs that were rejected.
   * @min 0
   */
  rejected: number;
}

/** Model tokens of reasoning functions. */
export interface TokenCounts {
  /**
   * Model tokens read.
   * @min 0
   */
  input: number;
  /**
   * Model tokens written.
   * @min 0
   */
  output: number;
  /**
   * The input tokens that were read from the provider's cache.
   * @min 0
   */
  cached: number;
}

/** The duration of runs, from the start of their last attempt to their end. */
export interface RunDurations {
  /** The median, in milliseconds, of the runs that succeeded or failed. */
  p50: number | null;
  /** The 95th percentile, in milliseconds, of the runs that succeeded or failed. */
  p95: number | null;
}

/** The same runs, by outcome: the status, and for rejected runs the cause. An addition to the contract. */
export interface RunOutcomes {
  /**
   * Runs that succeeded.
   * @min 0
   */
  succeeded: number;
  /**
   * Runs with an invalid input, or a step with an invalid input.
   * @min 0
   */
  invalid_input: number;
  /**
   * Runs that were cancelled.
   * @min 0
   */
  cancelled: number;
  /**
   * Runs whose question was not answered in time.
   * @min 0
   */
  expired: number;
  /**
   * Runs whose question or notice could not be delivered.
   * @min 0
   */
  undelivered: number;
  /**
   * Runs whose program or document failed (`conflict`, kind `unworkable`).
   * @min 0
   */
  program_error: number;
  /**
   * Runs that were rejected for another reason.
   * @min 0
   */
  refused: number;
  /**
   * Runs that failed.
   * @min 0
   */
  failed: number;
}

export interface Analytics {
  /**
   * UTC days covered, today included.
   * @min 1
   */
  days: number;
  /** The number of runs that ended, by status. */
  runs: RunCounts;
  /** Model tokens of reasoning functions. */
  tokens: TokenCounts;
  /** The duration of runs, from the start of their last attempt to their end. */
  duration_ms: RunDurations;
  /** The same runs, by outcome: the status, and for rejected runs the cause. An addition to the contract. */
  outcomes: RunOutcomes;
  /** One entry a day, oldest first, empty days included. */
  by_day: {
    /**
     * The UTC day.
     * @format date
     */
    day: string;
    /** The number of runs that ended, by status. */
    runs: RunCounts;
    /** Model tokens of reasoning functions. */
    tokens: TokenCounts;
    /** The duration of runs, from the start of their last attempt to their end. */
    duration_ms: RunDurations;
    /** The same runs, by outcome: the status, and for rejected runs the cause. An addition to the contract. */
    outcomes: RunOutcomes;
  }[];
  /** Most runs first, then by type and name. */
  by_function: {
    /** The type of definition. */
    type: DefinitionType;
    /** Name of the definition. */
    name: string;
    /**
     * Runs that ended.
     * @min 0
     */
    runs: number;
  }[];
}

export interface GetModelUsageInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * UTC days, today included; 30 when absent.
   * @min 1
   * @max 90
   */
  days?: number;
}

/** How many tokens were used. */
export interface Tokens {
  /**
   * Input tokens.
   * @min 0
   */
  input: number;
  /**
   * Output tokens.
   * @min 0
   */
  output: number;
  /**
   * Input tokens that the provider had cached.
   * @min 0
   */
  cached: number;
}

/** What the runs used. */
export interface Usage {
  /**
   * The ended runs that used a model.
   * @min 0
   */
  runs: number;
  /** How many tokens were used. */
  tokens: Tokens;
  /**
   * At the prices of today; absent if no run has a price.
   * @min 0
   */
  cost?: number;
  /**
   * The runs whose model has no price.
   * @min 0
   */
  unpriced_runs: number;
}

export interface ModelUsage {
  /**
   * The number of UTC days, today included.
   * @min 1
   */
  days: number;
  /** False if there are more endings in these days than are counted. */
  complete: boolean;
  /** What the runs used. */
  total: Usage;
  /** By the day on which the runs ended, oldest first. */
  by_day: {
    /** A UTC day. */
    day: string;
    /** What the runs used. */
    usage: Usage;
  }[];
  /** Most tokens first. */
  by_definition: {
    /** TYPE/NAME. */
    definition: string;
    /** What the runs used. */
    usage: Usage;
  }[];
  /** Most tokens first. */
  by_model: {
    /** The reference, aliases resolved. */
    model: string;
    /** What the runs used. */
    usage: Usage;
  }[];
}

/** The server without its credential. */
export interface ConnectionEntry {
  /**
   * `mcp`: the address of the server, such as https://api.example.com/mcp; http only on a loopback address.
   * @minLength 1
   * @maxLength 2048
   */
  url?: string;
  /**
   * `openapi`: the address of the OpenAPI document.
   * @minLength 1
   * @maxLength 2048
   */
  document?: string;
  /**
   * `openapi`: the base URL of the API, if not the one in the document.
   * @minLength 1
   * @maxLength 2048
   */
  base_url?: string;
  /** Sent with every request; never a credential. */
  headers?: Record<string, string>;
  /** Sent with every request; never a credential. */
  query_params?: Record<string, string>;
  /**
   * The tools that may be used; `*` matches any characters. Default: all.
   * @maxItems 256
   */
  allowed?: string[];
  /**
   * The playbooks that may use it. Default: all.
   * @maxItems 256
   */
  playbooks?: string[];
  /** Whether arguments and results are stored. Default: true. */
  record_content?: boolean;
  /**
   * The response header, or field of a result's `_meta`, with the server's request id.
   * @minLength 1
   * @maxLength 128
   */
  request_id?: string;
}

/** How the service authenticates. The secret itself is entered on the connect page. */
export interface Credential {
  /** `secret`: a person enters a value; `reference`: a variable of the operator; `client_credentials`: OAuth 2.0. */
  kind: "none" | "secret" | "reference" | "client_credentials";
  /**
   * `secret`, `reference`: the header, query parameter or security scheme that carries the value.
   * @minLength 1
   * @maxLength 128
   */
  name?: string;
  /** `secret`, `reference`: where it is sent; `query` and `security` only with `openapi`. */
  in?: "header" | "query" | "security";
  /**
   * `reference`: one of `connections.variables`.
   * @minLength 1
   * @maxLength 128
   */
  variable?: string;
  /**
   * `client_credentials`: the URL of the issuer.
   * @minLength 1
   * @maxLength 2048
   */
  issuer?: string;
  /**
   * `client_credentials` only.
   * @minLength 1
   * @maxLength 512
   */
  client_id?: string;
  /**
   * `client_credentials`: scopes, separated by spaces.
   * @minLength 1
   * @maxLength 1024
   */
  scope?: string;
}

export interface AddConnectionInput {
  /**
   * The part of a tool name before the slash: a name of 1 to 64 letters, digits, `_` and `-`.
   * @pattern ^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$
   */
  name: string;
  /** The protocol of the server. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: ConnectionEntry;
  /** How the service authenticates. The secret itself is entered on the connect page. */
  credential: Credential;
}

export interface AddedConnection {
  /**
   * The id of the connection.
   * @format uuid
   */
  id: string;
  /** The name of the server, as functions refer to it: the part before the slash. */
  name: string;
  /** The protocol of the server. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: ConnectionEntry;
  /** How the service authenticates. The secret itself is entered on the connect page. */
  credential: Credential;
  /** `pending` until a person approves it or enters its credential; `broken` if its credential can no longer be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that requested it, by its own name: `mcp:<name>`, not verified. Absent if no client did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or its credential was entered; null until then. */
  connected_at: string | null;
  /** The caller who approved it or entered its credential; null until then. */
  connected_by: string | null;
  /** The last four characters of a secret that has at least twelve; otherwise null. */
  credential_ends_with: string | null;
  /** Why it is broken; otherwise null. */
  broken: string | null;
  /** The page for the person to open. */
  connect: {
    /** The page on which a person approves it or enters its credential. The link works once. */
    url: string;
    /**
     * When the link expires.
     * @format date-time
     */
    expires_at: string;
  };
}

export interface ListConnectionsInput {
  /** Default: false. */
  include_removed?: boolean;
}

export interface Connection {
  /**
   * The id of the connection.
   * @format uuid
   */
  id: string;
  /** The name of the server, as functions refer to it: the part before the slash. */
  name: string;
  /** The protocol of the server. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: ConnectionEntry;
  /** How the service authenticates. The secret itself is entered on the connect page. */
  credential: Credential;
  /** `pending` until a person approves it or enters its credential; `broken` if its credential can no longer be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that requested it, by its own name: `mcp:<name>`, not verified. Absent if no client did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or its credential was entered; null until then. */
  connected_at: string | null;
  /** The caller who approved it or entered its credential; null until then. */
  connected_by: string | null;
  /** The last four characters of a secret that has at least twelve; otherwise null. */
  credential_ends_with: string | null;
  /** Why it is broken; otherwise null. */
  broken: string | null;
}

export interface ListConnectionsAnswer {
  connections: Connection[];
}

export interface GetConnectionInput {
  /** The connection's id. */
  id: string;
}

export interface RemoveConnectionInput {
  /** The connection's id. */
  id: string;
}

export interface RemoveConnectionByPostInput {
  /** The connection's id. */
  id: string;
}

export interface ReadLinkInput {
  /** The connection's id. */
  id: string;
  /**
   * The token of the link, from the connect page's address.
   * @maxLength 256
   */
  token: string;
}

export interface ApproveInput {
  /** The connection's id. */
  id: string;
  /**
   * The token of the link, from the connect page's address.
   * @maxLength 256
   */
  token: string;
}

export interface GiveCredentialInput {
  /** The connection's id. */
  id: string;
  /**
   * The token of the link, from the connect page's address.
   * @maxLength 256
   */
  token: string;
  /**
   * For a `secret`: the value exactly as it is sent; at least 8 characters, not counting a scheme such as `Bearer`.
   * @minLength 1
   * @maxLength 16384
   */
  value?: string;
  /**
   * For `client_credentials`: the secret of the client; at least 8 characters.
   * @minLength 1
   * @maxLength 16384
   */
  client_secret?: string;
  /**
   * For `client_credentials`: the private key of the client, in PEM form without a password or as a JWK.
   * @minLength 1
   * @maxLength 16384
   */
  private_key?: string;
  /** With `private_key`: the algorithm that it signs with. */
  algorithm?: "RS256" | "PS256" | "ES256" | "ES384" | "ES512" | "EdDSA";
}

export interface SearchInOrgInput {
  /**
   * Only its servers.
   * @maxLength 100
   */
  playbook?: string;
  /**
   * Up to 8 words about what the tool does.
   * @maxLength 600
   */
  terms?: string;
  /**
   * Only its tools.
   * @maxLength 64
   */
  server?: string;
  /** Tools that only read, or the others. */
  only?: "read" | "write";
}

export interface FoundTools {
  /** The servers, by name. */
  servers: {
    /** The name of the server, as functions refer to it: the part before the slash. */
    name: string;
    /** The id of the connection, if the server is one. */
    connection?: string;
    /** The protocol of the server. */
    type: "mcp" | "stdio" | "openapi";
    /** Whether the arguments and results of its calls are stored. */
    record_content: boolean;
    /**
     * The number of tools that it offers.
     * @min 0
     */
    tool_count?: number;
    /** Which tools of the server cannot be used, and why; absent if all can. */
    left_out?: string;
    /** Instead of `tool_count`: why the server could not be reached. */
    unavailable?: string;
    /** Why the server could not be reached, as a code. */
    because?: string;
    /** Beside `unavailable`: its package manager may be installing it. Search again in a few seconds. */
    installing?: true;
    /** Playbooks that may use the server; `*` means all. Only in an org-wide search. */
    playbooks?: string[];
  }[];
  /** The tools found. Empty if there are more than 100 and no terms were given. */
  tools: {
    /** The server. */
    server: string;
    /** The name of the tool on its server. */
    tool: string;
    /** The first sentence of the tool's description. */
    summary: string;
    /** Whether the server marks the tool as read-only. */
    read_only: boolean;
  }[];
  /** The servers that were searched. */
  scopes: string[];
}

export interface SearchInput {
  /** The playbook's id. */
  playbook: string;
  /**
   * Up to 8 words about what the tool does.
   * @maxLength 600
   */
  terms?: string;
  /**
   * Only its tools.
   * @maxLength 64
   */
  server?: string;
  /** Tools that only read, or the others. */
  only?: "read" | "write";
}

export interface IntrospectInput {
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
}

export interface ToolDescription {
  /** The server. */
  server: string;
  /** The name of the tool on its server. */
  tool: string;
  /** The tool's description by its server, at most 4 KiB. */
  description: string;
  /** JSON Schema of the arguments, as the server publishes it. */
  input_schema: Record<string, Json>;
  /** Hints of the server about the tool; absent if there are none. */
  annotations?: {
    /** The tool changes nothing. */
    readOnlyHint?: boolean;
    /** The tool may delete or overwrite something. */
    destructiveHint?: boolean;
    /** Repeating a call has no further effect. */
    idempotentHint?: boolean;
    /** The tool reaches systems beyond its server. */
    openWorldHint?: boolean;
  };
}

export interface ValidateInput {
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
  /** At most 16 KiB as JSON. */
  arguments: JsonObject;
}

export interface ArgumentsCheck {
  /** Whether the arguments are valid; null if the schema cannot be checked. */
  valid: boolean | null;
  /** The issues, at most 20 and the number of the rest; if `valid` is null, the reason. */
  issues: {
    /** JSON Pointer into the arguments. */
    path: string;
    /** What is wrong. */
    message: string;
  }[];
}

export interface DryRunInput {
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
  /** At most 16 KiB as JSON. */
  arguments?: JsonObject;
}

export interface DryRun {
  /** Whether execute would call the tool now. */
  would_run: boolean;
  /** The permission that execute needs. */
  needs: "playbook:write";
  /** Whether the caller has that permission. */
  caller_may: boolean;
  /** Whether the playbook is retired: then no tool is called. */
  playbook_retired: boolean;
  /** Whether the operator allows the tool. */
  allowed: boolean;
  /** Whether the server marks the tool as read-only; null if its list of tools was not read. */
  read_only: boolean | null;
  /** The result of checking the arguments; null if none were given. */
  arguments: ArgumentsCheck | null;
  /** The state of the server. */
  server: {
    /** Whether the server could be reached. */
    reachable: "yes" | "no";
    /** Why the server could not be reached, as a code. */
    because?: string;
  };
}

export interface ExecuteInput {
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
  /** At most 16 KiB as JSON. */
  arguments?: JsonObject;
}

export interface ToolCall {
  /**
   * The id of the call; its events carry it.
   * @format uuid
   */
  call_id: string;
  /** The server. */
  server: string;
  /** The tool. */
  tool: string;
  /** How the call ended. After `server_failure`, `timed_out` and `too_large` the tool may have had an effect. */
  outcome:
    | "result"
    | "tool_error"
    | "server_failure"
    | "timed_out"
    | "too_large";
  /** The server's text as a model would see it; at most 64 KiB and a note. */
  text: string;
  /** The result as JSON, if it has at most 64 KiB. */
  answer?: Json;
  /** Size of the whole result in bytes; null if there is none. */
  result_bytes: number | null;
  /**
   * The duration of the call in milliseconds.
   * @min 0
   */
  duration_ms: number;
  /** The server's own id for the request. */
  server_request_id?: string;
  /**
   * When the tool was called.
   * @format date-time
   */
  called_at: string;
}

export interface PlanToolServersInput {
  /**
   * The configuration of another client (JSON with comments, YAML or TOML), commands that start or add servers, an install link, a `server.json`, the address of an MCP server, or the address or path of an OpenAPI document. It may contain secrets, which are not returned.
   * @minLength 1
   * @maxLength 65536
   */
  text: string;
  /** What a pasted address is, if its path does not show it. */
  address_is?: "mcp" | "openapi";
}

export interface ToolServerPlan {
  /** The configuration file. */
  file: string;
  /** The file that gets the variables. */
  env_file: string;
  /** The configuration file now, with `***` for secrets. */
  before: string;
  /** The configuration file after the change, with `***` for secrets. */
  after: string;
  /** Identifies the files that the plan was made for; add_tool_servers takes it. */
  base: string;
  /** The servers that would be added. */
  servers: {
    /** Its name, which functions write before the slash. */
    name: string;
    /** A remote MCP server, a program that Cuebook starts, or an HTTP API. */
    type: "mcp" | "stdio" | "openapi";
    /** What a person should know of it, such as settings that are not kept. */
    notes: string[];
  }[];
  /** The variables that the entries refer to. Their values are never returned. */
  variables: {
    /** The variable. */
    name: string;
    /** The server whose entry refers to it. */
    server: string;
    /** The field that refers to it, for example `env.API_KEY`. */
    field: string;
    /** `set`: it is set already. `pasted`: the env file gets the value from the text. `missing`: `values` of add_tool_servers must give its value. */
    state: "set" | "pasted" | "missing";
  }[];
}

export interface AddToolServersInput {
  /**
   * The configuration of another client (JSON with comments, YAML or TOML), commands that start or add servers, an install link, a `server.json`, the address of an MCP server, or the address or path of an OpenAPI document. It may contain secrets, which are not returned.
   * @minLength 1
   * @maxLength 65536
   */
  text: string;
  /** What a pasted address is, if its path does not show it. */
  address_is?: "mcp" | "openapi";
  /**
   * The `base` that plan_tool_servers returned for this text.
   * @maxLength 64
   */
  base: string;
  /** The values of the variables whose `state` is `missing`, by name. They are not returned. */
  values?: Record<string, string>;
}

export interface AddedToolServers {
  /** The configuration file. */
  file: string;
  /** The servers that were added. */
  servers: {
    /** Its name, which functions write before the slash. */
    name: string;
    /** A remote MCP server, a program that Cuebook starts, or an HTTP API. */
    type: "mcp" | "stdio" | "openapi";
  }[];
}

export interface ListModelsInput {
  /**
   * Prefix of a provider or gateway: no other is queried.
   * @pattern ^[a-z][a-z0-9-]{0,31}$
   */
  provider?: string;
}

export interface ModelEntry {
  /** The reference, as a definition names it. A reference that ends in * matches all models with that prefix. */
  id: string;
  /** The provider: the part of the reference before the slash. */
  provider: string;
  /** The model: the part of the reference after the slash. */
  model: string;
  /** The provider's display name for the model. */
  name?: string;
  /**
   * The maximum number of tokens in a request.
   * @min 1
   */
  context_window?: number;
  /**
   * The maximum number of tokens in a response.
   * @min 1
   */
  max_output_tokens?: number;
  /** The entry is an alias that the operator defined. */
  alias?: true;
  /** For an alias: the reference that it resolves to. */
  resolved_to?: string;
}

export interface ModelList {
  /** The models that definitions may use, sorted by reference. */
  models: ModelEntry[];
  /** Whether the operator allows only some models. */
  narrowed: boolean;
  /** `partial`: a provider's list could not be read; models from an earlier list may be included. */
  catalog_status: "complete" | "partial";
}

export interface ModelPrices {
  /** By reference, in the currency that the operator uses. */
  prices: Record<
    string,
    {
      /**
       * For a million input tokens.
       * @min 0
       */
      input: number;
      /**
       * For a million output tokens.
       * @min 0
       */
      output: number;
      /**
       * For a million cached input tokens; absent: as `input`.
       * @min 0
       */
      cached?: number;
    }
  >;
}

export interface ModelProviderEntry {
  /** The provider: the part of a reference before the slash. */
  provider: string;
  /** `hosted`: built in, needs only a key. `cloud`: built in, needs a cloud account. `gateway`: a server that the operator configured. */
  kind: "hosted" | "cloud" | "gateway";
  /** Where its credentials come from: environment variables or the env file, a key entered in the studio, or the settings of a gateway; null if it is not configured. */
  configured_by: "environment" | "studio" | "configuration" | null;
  /** The environment variables that configure it; any one of them is enough. Empty for a gateway. */
  variables: string[];
  /** For a hosted provider: the last four characters of the key in use, if it has at least twelve. */
  key_ends_with: string | null;
  /** Whether set_provider_key accepts a key for it. */
  takes_key: boolean;
  /** Whether a key that was entered in the studio is stored. An environment variable takes precedence over it. */
  key_is_kept: boolean;
  /** Why its list of models could not be read the last time: its response, or that there was none. */
  list_failure?: string;
  /** Why the stored key cannot be decrypted now. */
  key_unusable?: string;
}

export interface ListModelProvidersAnswer {
  /** Built-in providers, then gateways. */
  providers: ModelProviderEntry[];
}

export interface SetProviderKeyInput {
  /** The provider: openai, anthropic, google, mistral, xai, groq, deepseek, cohere. */
  provider: string;
  /** The key exactly as the provider shows it, 8 to 4096 characters; null deletes the stored key. */
  key: string | null;
}

export interface LocalModelServer {
  /** Its address, as a gateway names it. */
  base_url: string;
  /** What it is, as far as it says. */
  product: "Ollama" | "LM Studio" | "other";
  /** The ids of its models, at most 100. */
  models: string[];
  /** The gateway that is configured for it. */
  gateway?: string;
}

export interface FindLocalModelsAnswer {
  /** The servers that answered. */
  servers: LocalModelServer[];
}

export interface ModelSetUp {
  /** The configuration file. */
  file: string;
  /** The configured gateways. */
  gateways: {
    /** The part of references before the slash. */
    name: string;
    /** Its address. */
    base_url: string;
    /** Whether a key is sent to it. */
    has_key: boolean;
  }[];
  /** References by alias. */
  aliases: Record<string, string>;
  /** The only references that definitions may name; null: every model. */
  allowed: string[] | null;
  /** Keys that environment variables set instead of the file. */
  in_variables: string[];
}

export interface ChangeModelSetupInput {
  /** A gateway to add. */
  gateway?: {
    /**
     * The part of references before the slash.
     * @pattern ^[a-z][a-z0-9-]{0,31}$
     */
    name: string;
    /**
     * Where it speaks the OpenAI Chat Completions API.
     * @maxLength 2000
     */
    base_url: string;
    /**
     * The environment variable that holds its key.
     * @pattern ^[A-Z][A-Z0-9_]{0,99}$
     */
    key_variable?: string;
    /** Whether it supports JSON schemas for answers. */
    structured_outputs?: boolean;
    /** Whether to request the token usage of streamed answers. */
    include_usage?: boolean;
  };
  /** Aliases to set, by name; null removes one. */
  aliases?: Record<string, string | null>;
  /** The only references that definitions may name; null allows every model. */
  allowed?: string[] | null;
}

export interface TestModelInput {
  /**
   * The reference, provider/model.
   * @minLength 3
   * @maxLength 512
   */
  model: string;
}

export interface ModelTest {
  /** The reference that was tested. */
  model: string;
  /** The reference that an alias resolves to. */
  resolved_to?: string;
  /** Whether the model answered. */
  ok: boolean;
  /**
   * How long the call took.
   * @min 0
   */
  duration_ms: number;
  /** The answer, at most 500 characters. */
  text?: string;
  /** How many tokens were used. */
  tokens?: Tokens;
  /** The kind of failure, as in `because` of a run. */
  kind?: string;
  /** Why there is no answer. */
  detail?: string;
}

export interface GetAgentSetupInput {
  /**
   * The id of the only playbook to connect to.
   * @pattern ^[a-z][a-z0-9-]{2,47}$
   */
  playbook?: string;
  /** Whether to offer only the tools that read. */
  read?: boolean;
}

export interface AgentSetup {
  /** The name of the server in each configuration. */
  name: string;
  /** The supported clients. */
  clients: {
    /** The name of the client, as in `cuebook connect`. */
    client: string;
    /** The display name of the client. */
    title: string;
    /** The configuration file of the client. A path without a folder is relative to the folder that the client opens. */
    file: string;
    /** The content of the file. */
    config: Record<string, Json>;
    /** A link that opens the client and offers to add the server. Only some clients support one. */
    link?: string;
    /** What to do once the file is written. */
    then: string;
  }[];
  /** The name below `/assets/` of the `.mcpb` bundle, for clients that install bundles with a click; null if it was not built. */
  bundle: string | null;
}

export interface Caller {
  /** The name under which its actions are recorded. */
  id: string;
  /** What the request presented; `local` in local mode, where nothing is needed. */
  form: "local" | "key" | "access_token" | "session";
  /** The org that it acts in. */
  org: string;
  /** What it may do in that org. */
  permissions: (
    | "org:read"
    | "org:write"
    | "playbook:read"
    | "playbook:write"
  )[];
  /** Whether it reaches all playbooks of the org, and may create others; false if it is limited to some. */
  all_playbooks: boolean;
}

/** What each operation takes and returns. */
export interface Operations {
  /** Create a playbook */
  create_playbook: { input: CreatePlaybookInput; answer: Playbook };
  /** List playbooks */
  list_playbooks: { input: ListPlaybooksInput; answer: ListPlaybooksAnswer };
  /** Get a playbook */
  get_playbook: { input: GetPlaybookInput; answer: Playbook };
  /** Rename or describe a playbook */
  update_playbook: { input: UpdatePlaybookInput; answer: Playbook };
  /** Retire a playbook */
  retire_playbook: { input: RetirePlaybookInput; answer: Playbook };
  /** Save a new definition */
  create_definition: { input: CreateDefinitionInput; answer: Definition };
  /** List definitions of a type */
  list_definitions: {
    input: ListDefinitionsInput;
    answer: ListDefinitionsAnswer;
  };
  /** Get a definition */
  get_definition: { input: GetDefinitionInput; answer: Definition };
  /** Save a new version of a definition */
  update_definition: { input: UpdateDefinitionInput; answer: Definition };
  /** Retire a definition */
  retire_definition: { input: RetireDefinitionInput; answer: Definition };
  /** Check a document without saving it */
  check_definition: { input: CheckDefinitionInput; answer: DocumentCheck };
  /** List the versions of a definition */
  list_definition_versions: {
    input: ListDefinitionVersionsInput;
    answer: ListDefinitionVersionsAnswer;
  };
  /** Get one version of a definition */
  get_definition_version: {
    input: GetDefinitionVersionInput;
    answer: Definition;
  };
  /** Run the examples of a definition */
  test_definition: { input: TestDefinitionInput; answer: TestedDefinition };
  /** Run a definition without saving it */
  run_draft: { input: RunDraftInput; answer: DraftRun };
  /** Run a definition without saving it, and follow its steps */
  follow_draft: { input: FollowDraftInput; event: FollowDraftEvent };
  /** Run a definition */
  run_definition: { input: RunDefinitionInput; answer: Run };
  /** Get a run */
  get_run: { input: GetRunInput; answer: RunWithRecord };
  /** Run again from a step */
  rerun: { input: RerunInput; answer: Run };
  /** Follow what a model writes */
  follow_run: { input: FollowRunInput; event: FollowRunEvent };
  /** List runs */
  list_runs: { input: ListRunsInput; answer: ListRunsAnswer };
  /** Cancel a run */
  cancel_run: { input: CancelRunInput; answer: Run };
  /** Send an event to a run */
  send_run_event: { input: SendRunEventInput; answer: SendRunEventAnswer };
  /** Explain a run */
  explain_run: { input: ExplainRunInput; answer: ExplainRunAnswer };
  /** Upload a dataset */
  upload_dataset: { input: UploadDatasetInput; uploaded: Dataset };
  /** Upload a candidate model */
  upload_candidate: {
    input: UploadCandidateInput;
    uploaded: UploadCandidateAnswer;
  };
  /** Activate a model version */
  activate_version: {
    input: ActivateVersionInput;
    answer: ActivateVersionAnswer;
  };
  /** List the series of a prediction function */
  list_series: { input: ListSeriesInput; answer: ListSeriesAnswer };
  /** Read a forecast */
  read_forecast: { input: ReadForecastInput; answer: ReadForecastAnswer };
  /** List the model versions of a prediction function */
  list_versions: { input: ListVersionsInput; answer: ListVersionsAnswer };
  /** List open requests */
  list_interactions: {
    input: ListInteractionsInput;
    answer: ListInteractionsAnswer;
  };
  /** Answer a request */
  answer_interaction: { input: AnswerInteractionInput; answer: AnswerFact };
  /** Publish an event */
  publish_event: { input: PublishEventInput; answer: Published };
  /** List the events of a playbook */
  list_playbook_events: {
    input: ListPlaybookEventsInput;
    answer: ListPlaybookEventsAnswer;
  };
  /** Get an event in full */
  get_event: { input: GetEventInput; answer: Event };
  /** Read a run's history */
  get_run_history: { input: GetRunHistoryInput; answer: GetRunHistoryAnswer };
  /** Follow the events of a playbook */
  follow_events: { input: FollowEventsInput; event: Event };
  /** List schedules */
  list_schedules: { input: ListSchedulesInput; answer: ListSchedulesAnswer };
  /** List the times of a schedule */
  list_schedule_times: {
    input: ListScheduleTimesInput;
    answer: ListScheduleTimesAnswer;
  };
  /** Pause a schedule */
  pause_schedule: { input: PauseScheduleInput; answer: Schedule };
  /** Resume a schedule */
  resume_schedule: { input: ResumeScheduleInput; answer: Schedule };
  /** Run missed times of a schedule */
  backfill_schedule: {
    input: BackfillScheduleInput;
    answer: BackfillScheduleAnswer;
  };
  /** Export a playbook */
  export_playbook: { input: ExportPlaybookInput; answer: ExportPlaybookAnswer };
  /** Apply a folder to a playbook */
  apply_playbook: { input: ApplyPlaybookInput; answer: ApplyPlaybookAnswer };
  /** Plan the import of a zip archive */
  plan_import: { input: PlanImportInput; uploaded: PlanImportAnswer };
  /** Import a zip archive */
  import_playbook: {
    input: ImportPlaybookInput;
    uploaded: ImportPlaybookAnswer;
  };
  /** Summarize ended runs */
  get_playbook_analytics: {
    input: GetPlaybookAnalyticsInput;
    answer: Analytics;
  };
  /** Get tokens and costs of models */
  get_model_usage: { input: GetModelUsageInput; answer: ModelUsage };
  /** Add a connection */
  add_connection: { input: AddConnectionInput; answer: AddedConnection };
  /** List connections */
  list_connections: {
    input: ListConnectionsInput;
    answer: ListConnectionsAnswer;
  };
  /** Get a connection */
  get_connection: { input: GetConnectionInput; answer: Connection };
  /** Remove a connection */
  remove_connection: { input: RemoveConnectionInput; answer: Connection };
  /** Remove a connection from a page */
  remove_connection_by_post: {
    input: RemoveConnectionByPostInput;
    answer: Connection;
  };
  /** Read a connect link */
  read_link: { input: ReadLinkInput; answer: Connection };
  /** Approve a connection */
  approve: { input: ApproveInput; answer: Connection };
  /** Set the credential of a connection */
  give_credential: { input: GiveCredentialInput; answer: Connection };
  /** Search an org's tools */
  search_in_org: { input: SearchInOrgInput; answer: FoundTools };
  /** Search tools */
  search: { input: SearchInput; answer: FoundTools };
  /** Describe a tool */
  introspect: { input: IntrospectInput; answer: ToolDescription };
  /** Check arguments of a tool */
  validate: { input: ValidateInput; answer: ArgumentsCheck };
  /** Test whether a tool can be called */
  dry_run: { input: DryRunInput; answer: DryRun };
  /** Call a tool */
  execute: { input: ExecuteInput; answer: ToolCall };
  /** Preview pasted tool servers */
  plan_tool_servers: { input: PlanToolServersInput; answer: ToolServerPlan };
  /** Add pasted tool servers */
  add_tool_servers: { input: AddToolServersInput; answer: AddedToolServers };
  /** List models */
  list_models: { input: ListModelsInput; answer: ModelList };
  /** List prices of models */
  list_model_prices: { input: object; answer: ModelPrices };
  /** List model providers */
  list_model_providers: { input: object; answer: ListModelProvidersAnswer };
  /** Set a model provider's key */
  set_provider_key: { input: SetProviderKeyInput; answer: ModelProviderEntry };
  /** Find servers of local models */
  find_local_models: { input: object; answer: FindLocalModelsAnswer };
  /** Get the gateways, aliases and allowed models */
  get_model_setup: { input: object; answer: ModelSetUp };
  /** Add a gateway, aliases and allowed models */
  change_model_setup: { input: ChangeModelSetupInput; answer: ModelSetUp };
  /** Test a model */
  test_model: { input: TestModelInput; answer: ModelTest };
  /** Get client configurations for agents */
  get_agent_setup: { input: GetAgentSetupInput; answer: AgentSetup };
  /** Get the caller */
  get_caller: { input: object; answer: Caller };
}

export const ROUTES = {
  create_playbook: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks",
    permissions: ["org:write"],
  },
  list_playbooks: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks",
    permissions: ["org:read", "playbook:read"],
  },
  get_playbook: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}",
    permissions: ["org:read"],
  },
  update_playbook: {
    method: "PUT",
    path: "/v1/orgs/{org}/playbooks/{playbook}",
    permissions: ["org:write"],
  },
  retire_playbook: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/retire",
    permissions: ["org:write"],
  },
  create_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}",
    permissions: ["playbook:write"],
  },
  list_definitions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}",
    permissions: ["playbook:read"],
  },
  get_definition: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}",
    permissions: ["playbook:read"],
  },
  update_definition: {
    method: "PUT",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}",
    permissions: ["playbook:write"],
  },
  retire_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/retire",
    permissions: ["playbook:write"],
  },
  check_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/check",
    permissions: ["playbook:write"],
  },
  list_definition_versions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/versions",
    permissions: ["playbook:read"],
  },
  get_definition_version: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/versions/{version}",
    permissions: ["playbook:read"],
  },
  test_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/test",
    permissions: ["playbook:write"],
  },
  run_draft: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/run-draft",
    permissions: ["playbook:write"],
  },
  follow_draft: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/run-draft/follow",
    permissions: ["playbook:write"],
  },
  run_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/run",
    permissions: ["playbook:write"],
  },
  get_run: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}",
    permissions: ["playbook:read"],
  },
  rerun: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/rerun",
    permissions: ["playbook:write"],
  },
  follow_run: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/follow",
    permissions: ["playbook:read"],
  },
  list_runs: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs",
    permissions: ["playbook:read"],
  },
  cancel_run: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/cancel",
    permissions: ["playbook:write"],
  },
  send_run_event: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/events",
    permissions: ["playbook:write"],
  },
  explain_run: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/explanation",
    permissions: ["playbook:read"],
  },
  upload_dataset: {
    method: "PUT",
    path: "/v1/orgs/{org}/playbooks/{playbook}/datasets/{sha256}",
    permissions: ["playbook:write"],
    upload: "text/csv",
  },
  upload_candidate: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/build/candidates",
    permissions: ["playbook:write"],
    upload: "application/octet-stream",
  },
  activate_version: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/prediction/{name}/activate",
    permissions: ["playbook:write"],
  },
  list_series: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/prediction/{name}/series",
    permissions: ["playbook:read"],
  },
  read_forecast: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/prediction/{name}/forecast",
    permissions: ["playbook:read"],
  },
  list_versions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/prediction/{name}/models",
    permissions: ["playbook:read"],
  },
  list_interactions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/interactions",
    permissions: ["playbook:read"],
  },
  answer_interaction: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/answer",
    permissions: ["playbook:write"],
  },
  publish_event: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events",
    permissions: ["playbook:write"],
  },
  list_playbook_events: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events",
    permissions: ["playbook:read"],
  },
  get_event: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events/{event_id}",
    permissions: ["playbook:read"],
  },
  get_run_history: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/history",
    permissions: ["playbook:read"],
  },
  follow_events: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events/follow",
    permissions: ["playbook:read"],
  },
  list_schedules: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/schedules",
    permissions: ["playbook:read"],
  },
  list_schedule_times: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/schedules/{name}/times",
    permissions: ["playbook:read"],
  },
  pause_schedule: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/schedules/{name}/pause",
    permissions: ["playbook:write"],
  },
  resume_schedule: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/schedules/{name}/resume",
    permissions: ["playbook:write"],
  },
  backfill_schedule: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/schedules/{name}/backfill",
    permissions: ["playbook:write"],
  },
  export_playbook: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/export",
    permissions: ["playbook:read"],
  },
  apply_playbook: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/apply",
    permissions: ["playbook:write"],
  },
  plan_import: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/imports",
    permissions: ["playbook:write"],
    upload: "application/zip",
  },
  import_playbook: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/imports/{plan}",
    permissions: ["playbook:write"],
    upload: "application/zip",
  },
  get_playbook_analytics: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/analytics",
    permissions: ["playbook:read"],
  },
  get_model_usage: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/model-usage",
    permissions: ["playbook:read"],
  },
  add_connection: {
    method: "POST",
    path: "/v1/orgs/{org}/connections",
    permissions: ["org:write"],
  },
  list_connections: {
    method: "GET",
    path: "/v1/orgs/{org}/connections",
    permissions: ["org:read"],
  },
  get_connection: {
    method: "GET",
    path: "/v1/orgs/{org}/connections/{id}",
    permissions: ["org:read"],
  },
  remove_connection: {
    method: "DELETE",
    path: "/v1/orgs/{org}/connections/{id}",
    permissions: ["org:write"],
  },
  remove_connection_by_post: {
    method: "POST",
    path: "/v1/orgs/{org}/connections/{id}/remove",
    permissions: ["org:write"],
  },
  read_link: {
    method: "GET",
    path: "/v1/orgs/{org}/connections/{id}/link/{token}",
    permissions: ["org:read", "org:write", "playbook:read", "playbook:write"],
  },
  approve: {
    method: "POST",
    path: "/v1/orgs/{org}/connections/{id}/approve",
    permissions: ["org:read", "org:write", "playbook:read", "playbook:write"],
  },
  give_credential: {
    method: "POST",
    path: "/v1/orgs/{org}/connections/{id}/credential",
    permissions: ["org:read", "org:write", "playbook:read", "playbook:write"],
  },
  search_in_org: {
    method: "GET",
    path: "/v1/orgs/{org}/tool-servers/search",
    permissions: ["org:read", "playbook:read"],
  },
  search: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/search",
    permissions: ["playbook:read"],
  },
  introspect: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}",
    permissions: ["playbook:read"],
  },
  validate: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}/validate",
    permissions: ["playbook:read"],
  },
  dry_run: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}/dry-run",
    permissions: ["playbook:read"],
  },
  execute: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}/execute",
    permissions: ["playbook:write"],
  },
  plan_tool_servers: {
    method: "POST",
    path: "/v1/orgs/{org}/tool-server-setup/plan",
    permissions: ["org:write"],
  },
  add_tool_servers: {
    method: "POST",
    path: "/v1/orgs/{org}/tool-server-setup",
    permissions: ["org:write"],
  },
  list_models: {
    method: "GET",
    path: "/v1/orgs/{org}/models",
    permissions: ["org:read"],
  },
  list_model_prices: {
    method: "GET",
    path: "/v1/orgs/{org}/model-prices",
    permissions: ["org:read"],
  },
  list_model_providers: {
    method: "GET",
    path: "/v1/orgs/{org}/model-providers",
    permissions: ["org:read"],
  },
  set_provider_key: {
    method: "PUT",
    path: "/v1/orgs/{org}/model-providers/key",
    permissions: ["org:write"],
  },
  find_local_models: {
    method: "GET",
    path: "/v1/orgs/{org}/model-setup/local",
    permissions: ["org:read"],
  },
  get_model_setup: {
    method: "GET",
    path: "/v1/orgs/{org}/model-setup",
    permissions: ["org:read"],
  },
  change_model_setup: {
    method: "POST",
    path: "/v1/orgs/{org}/model-setup",
    permissions: ["org:write"],
  },
  test_model: {
    method: "POST",
    path: "/v1/orgs/{org}/model-setup/test",
    permissions: ["org:write"],
  },
  get_agent_setup: {
    method: "GET",
    path: "/v1/orgs/{org}/agent-setup",
    permissions: ["org:read"],
  },
  get_caller: { method: "GET", path: "/v1/caller", permissions: [] },
} as const;

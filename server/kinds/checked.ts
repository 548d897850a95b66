// The content of a checked document.
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { DocumentGraph } from '../../shared/schemas/index.ts';

/** A reference of a document to a definition, `TYPE/NAME`, and how it is used. */
export interface Reference {
  type: DefinitionType;
  name: string;
  /** The verb of the Used by line, for example "calls". */
  use: string;
}

/** An example in a definition. */
export interface Example {
  name: string;
  input: Json;
  output?: Json;
  /** Workflows: events that the run receives. Recall functions: events that the view reads. */
  events?: readonly JsonObject[];
  /** Workflows: results of calls, by the pointer of the step, or by TYPE/NAME or SERVER/TOOL. */
  calls?: Readonly<Record<string, Json>>;
  /** Workflows: how calls end that do not succeed, by the same names. */
  failures?: Readonly<Record<string, CallFailure>>;
  /** Workflows: results of calls one by one, by the same names. */
  sequences?: Readonly<Record<string, readonly CallResult[]>>;
}

/** How a call of an example ends that does not succeed. */
export const CALL_FAILURES = ['invalid_input', 'unavailable', 'unanswered', 'cancelled', 'failed'] as const;
export type CallFailure = (typeof CALL_FAILURES)[number];

/** How one call of an example ends. */
export type CallResult = { output: Json } | { failure: CallFailure };

/** The events that a trigger takes: those of a type, with other attributes. */
export type TriggerFilter = {
  /** The filter's pointer in the document. */
  reference: string;
  /** As it is written; absent: any type. */
  type?: string;
  attributes: JsonObject;
};

/** The schedule of a workflow, as in the contract. `after` is an addition. */
export type Trigger =
  | {
      kind: 'event';
      reference: '/schedule/on';
      filters: TriggerFilter[];
      /** What the input lists of each event; absent: its data. */
      read?: 'envelope' | 'raw';
    }
  | { kind: 'cron'; reference: '/schedule/cron'; expression: string }
  | { kind: 'every'; reference: '/schedule/every'; milliseconds: number }
  | { kind: 'after'; reference: '/schedule/after'; milliseconds: number };

/** A filter of a recall function; its view reads events that match any of its filters. */
export type ReadFilter =
  /** Published and emitted events with exactly these attributes. */
  | { events: { type?: string; source?: string; subject?: string } }
  /** Starts and ends of runs of a definition, TYPE/NAME. */
  | { runs: { subject: string } }
  /** Versions of a definition, TYPE/NAME. */
  | { changes: { source: string } };

/** The types of events that runs of a document emit and receive. */
export interface DocumentEvents {
  emits: readonly string[];
  /** Those that start runs, that runs wait for, or that a view reads. */
  receives: readonly string[];
  /** Some type is only known in a run. */
  emitsAny?: boolean;
  /** Events of any type are received, or some type is only known in a run. */
  receivesAny?: boolean;
}

/** The contents of a checked document. */
export interface CheckedDocument {
  description?: string;
  /** JSON Schema of the run's input; if absent, any JSON value is valid. */
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  /** JSON Schema of what some successful runs return instead: a listed outcome of a tool call, or the report of a build. */
  otherOutputSchema?: JsonObject;
  /** The shape of the output, if the document names one. */
  shape?: string;
  examples: readonly Example[];
  /** Whether the definition is a tool at its playbook's MCP endpoint. */
  expose: boolean;
  /** Markdown: what the definition needs, produces and does, without the Used by lines. */
  overview: string;
  references: readonly Reference[];
  /** Recall functions: the filters of their events. */
  reads?: readonly ReadFilter[];
  /** Only for workflows with a schedule. */
  triggers?: readonly Trigger[];
  /** Only for workflows with a schedule: its source. */
  schedule?: JsonObject;
  /** Workflows: the document's steps as a graph, for drawing. */
  graph?: DocumentGraph;
  /** Programs: TypeScript declarations of their ambient names, for editors. */
  declarations?: string;
  /** Workflows and recall functions. */
  events?: DocumentEvents;
  warnings: readonly SourceIssue[];
  /**
   * Warnings about how the document uses other definitions. Called after all documents that are saved together were
   * checked.
   */
  checkUses?: (declarations: Declarations) => Promise<readonly SourceIssue[]>;
}

/** What the definitions of a playbook declare, for the checks of a document that uses them. */
export interface DeclaredSchemas {
  input: JsonObject | undefined;
  output: JsonObject | undefined;
  /** The schema of what some runs return instead of the output; undefined if none do. */
  otherOutput?: JsonObject | undefined;
}

export interface Declarations {
  /** The schemas of an active definition, or one that is saved together with the document; undefined if there is none. */
  schemasOf(type: DefinitionType, name: string): Promise<DeclaredSchemas | undefined>;
  /** The event types of the other definitions. */
  events(): Promise<Required<DocumentEvents>>;
}

/** Pointers of issues are under `/source`. */
export type Checked = { ok: true; document: CheckedDocument } | { ok: false; issues: readonly SourceIssue[] };

/** The environment in which a document is checked. It may change after the check. */
export interface CheckContext {
  org: string;
  playbook: string;
  definitionExists(type: DefinitionType, name: string): boolean;
  /** The definition, TYPE/NAME, that a missing one most likely means. */
  nearestDefinition?: (type: DefinitionType, name: string) => string | undefined;
}

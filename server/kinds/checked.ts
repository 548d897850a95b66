// What a definition’s document says once it is checked.
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { DocumentGraph } from '../../shared/schemas/index.ts';

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

/** The contents of a checked document. */
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
  /** Workflows with a schedule only: it, as it is written. */
  schedule?: JsonObject;
  /** Workflows: the document's steps as a graph, for drawing. */
  graph?: DocumentGraph;
  /** Programs: TypeScript of the names that they can use without declaring them, for editors. */
  declarations?: string;
  warnings: readonly SourceIssue[];
}

/** Pointers of issues are under `/source`. */
export type Checked = { ok: true; document: CheckedDocument } | { ok: false; issues: readonly SourceIssue[] };

/** What a document is checked against beside its own text. All of it can change after the check. */
export interface CheckContext {
  org: string;
  playbook: string;
  definitionExists(type: DefinitionType, name: string): boolean;
}

import type { DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Rejection } from '../kernel/rejection.ts';

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
}

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
  /** Aborted when the caller of a run that ends within its request goes away, or the service stops. */
  signal: AbortSignal;
}

/** How a run ended. The record is what is worth reading about the attempt beside its output. */
export type Ending =
  | { status: 'succeeded'; output: Json; record: JsonObject }
  | { status: 'rejected'; rejection: Rejection; record?: JsonObject }
  | { status: 'failed'; detail: string; record?: JsonObject };

/** What every kind of definition implements. */
export interface Kind {
  type: DefinitionType;
  /**
   * Checks a document that is at most 65,536 UTF-8 bytes long.
   * @throws Refused `unavailable` when no checker is ready.
   */
  check(source: string): Promise<Checked>;
  /** Carries a run out; the input has been checked against the document's input schema. */
  start(run: RunRequest): Promise<Ending>;
}

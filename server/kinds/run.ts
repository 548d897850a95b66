// The request to run a definition, and its ending.
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Rejection } from '../lib/rejection.ts';
import type { GrowingText } from './models.ts';
import type { RunTools } from './tools.ts';

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
  /** The model to call instead of the document's, for kinds that call one. */
  model?: string;
  /** When this attempt started, in milliseconds since 1970; the time that the run sees. */
  startedAt: number;
  /**
   * Commits the start of the run, where it is not committed yet: a kind that ends at once calls it before an effect.
   * Absent for a kind that runs once, and where nothing is recorded. @throws Error, which ends the attempt
   */
  recordStart?: () => Promise<void>;
  /** The number of reactions that led to this run; its events carry the same number. */
  depth: number;
  /** As in `DurableRun`; absent: none is known. */
  takenEventKeys?: ReadonlySet<string>;
  /** The run's trace, 16 bytes as hex. */
  traceId?: string;
  /** Aborted when the grace period of a stop is over and, for a kind that ends with its caller, when the caller disconnects. */
  signal: AbortSignal;
  tools: RunTools;
  /** Receives the text of a model, for followers of the run; absent if the run cannot be followed. */
  live?: GrowingText;
}

/** The ending of a run. The record describes the attempt beyond its output. */
export type Ending =
  /** `hasNoShape`: the output is not of the shape that the definition names. */
  | { status: 'succeeded'; output: Json; record: JsonObject; hasNoShape?: true }
  | { status: 'rejected'; rejection: Rejection; record?: JsonObject }
  | { status: 'failed'; detail: string; record?: JsonObject };

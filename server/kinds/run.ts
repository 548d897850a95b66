// What a kind is given to carry a run out, and how that ends.
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
  /** When this attempt started, in milliseconds since 1970; what the run reads as the time. */
  startedAt: number;
  /** The place in the playbook's order of reading of the event that recorded the start; absent for a kind that runs once. */
  startedPosition?: number;
  /** Reactions above this run; what it publishes has as many. */
  depth: number;
  /** The run's trace, 16 bytes as hex. */
  traceId?: string;
  /** Aborted when the grace of a stop is over, and for a kind that ends with its caller when that goes away. */
  signal: AbortSignal;
  tools: RunTools;
  /** Receives what a model writes, for followers of the run; absent if the run cannot be followed. */
  live?: GrowingText;
}

/** How a run ended. The record is what is worth reading about the attempt beside its output. */
export type Ending =
  | { status: 'succeeded'; output: Json; record: JsonObject }
  | { status: 'rejected'; rejection: Rejection; record?: JsonObject }
  | { status: 'failed'; detail: string; record?: JsonObject };

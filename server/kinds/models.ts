// What kinds know of models.
import type { JsonObject } from '../../shared/json.ts';
import type { Rejection } from '../lib/rejection.ts';

/** What is said to a model, and what it said before. */
export type ModelMessage =
  | { role: 'system' | 'user'; text: string }
  /** What a turn of the model said, as `ModelTurn` gave it. */
  | { role: 'assistant'; raw: ProviderMessage }
  | { role: 'tool'; results: readonly { callId: string; tool: string; text: string; isError: boolean }[] };

/** What a model said, in its provider's own form. */
export interface ProviderMessage {
  readonly content: readonly unknown[];
}

/** A tool as a model is told of it. */
export interface ModelTool {
  /** At most 64 letters, digits, `_` and `-`. */
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** One turn of a model that is asked for. */
export interface ModelRequest {
  org: string;
  playbook: string;
  runId: string;
  /** The run's trace, 16 bytes as hex. */
  traceId?: string;
  /** The reference as the definition names it. */
  model: string;
  messages: readonly ModelMessage[];
  /** What the prompt was made of: what no detail may quote beside the texts of the messages. */
  quoted: readonly string[];
  /** The answer is to be JSON of this schema; undefined: text. */
  schema: JsonObject | undefined;
  tools: readonly ModelTool[];
  settings: ModelCallSettings;
  /** By the name of a provider or gateway. */
  providerOptions: Readonly<Record<string, JsonObject>>;
  signal: AbortSignal;
  live?: GrowingText;
  /** Looks at the answer; what it finds is the failure of the call. */
  judge?: (turn: ModelTurn) => Promise<ModelFault | undefined>;
}

/** What a model says while it answers, without secrets. Nothing of it is recorded. */
export interface GrowingText {
  /** A turn begins, or is tried again: what was said before does not count any more. */
  begin: () => void;
  add: (text: string) => void;
}

export interface ModelCallSettings {
  maxOutputTokens: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stop?: readonly string[];
  reasoningEffort?: 'minimal' | 'low' | 'medium' | 'high';
}

export interface ModelTokens {
  input: number;
  output: number;
  /** The part of `input` that was read from the provider's cache. */
  cached: number;
}

export interface ModelTurn {
  text: string;
  toolCalls: readonly { id: string; tool: string; arguments: string }[];
  finishReason: string;
  tokens: ModelTokens;
  /** The model as the provider calls it, where it says so. */
  reported?: string;
  /** Settings that the provider does not take. */
  ignored: readonly string[];
  raw: ProviderMessage;
}

/** How a call of a model can fail: the contract's kinds. */
export type ModelFailureKind =
  | 'model_not_allowed'
  | 'provider_not_configured'
  | 'credentials_rejected'
  | 'rate_limited'
  | 'provider_unavailable'
  | 'timed_out'
  | 'output_invalid'
  | 'definition_invalid'
  | 'request_too_long'
  | 'content_refused'
  | 'cancelled'
  | 'unclassified';

export interface ModelFault {
  kind: ModelFailureKind;
  /** What the caller is told; undefined where the run was interrupted or failed. */
  rejection?: Rejection;
  /** In words, without prompt, answer and secrets. */
  detail: string;
}

export type ModelAnswer =
  | { ok: true; turn: ModelTurn; durationMs: number }
  /** `turn`: what came, where the answer itself is the fault. */
  | { ok: false; fault: ModelFault; turn?: ModelTurn; durationMs: number };

/** The models that the operator has set up. */
export interface RunModels {
  /** What the operator's settings make doubtful about a definition, in sentences. */
  warningsFor(definition: {
    model: string;
    provider_options?: Readonly<Record<string, JsonObject>>;
  }): readonly { pointer: string; detail: string }[];
  /** The reference behind a reference; the same where no alias applies. */
  resolve(reference: string): string;
  /** Asks for one turn. Whatever keeps it from its answer, also too many that ask at once, is told as a fault. */
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

const NONE: ModelFault = {
  kind: 'provider_not_configured',
  detail: 'Models are not available here.',
  rejection: { reason: 'unavailable', because: 'provider_not_configured', detail: 'Models are not available here.' },
};

/** For runs without a service around them: no provider is configured. */
export const NO_MODELS: RunModels = {
  warningsFor: () => [],
  resolve: (reference) => reference,
  ask: async () => ({ ok: false, fault: NONE, durationMs: 0 }),
};

// The interface between kinds and models.
import type { JsonObject } from '../../shared/json.ts';
import type { Rejection } from '../lib/rejection.ts';

/** A message to a model, or one of its earlier turns. */
export type ModelMessage =
  | { role: 'system' | 'user'; text: string }
  /** An earlier turn of the model, from `ModelTurn`. */
  | { role: 'assistant'; raw: ProviderMessage }
  | { role: 'tool'; results: readonly { callId: string; tool: string; text: string; isError: boolean }[] };

/** The content of a model's turn, in the format of its provider. */
export interface ProviderMessage {
  readonly content: readonly unknown[];
}

/** A tool as described to a model. The provider may get another name and schema; calls have these. */
export interface ModelTool {
  /** At most 64 letters, digits, `_` and `-`. */
  name: string;
  /** Other names that a model may call it by. */
  otherNames?: readonly string[];
  description: string;
  inputSchema: JsonObject;
}

/** A tool that a provider would refuse, with the request. */
export interface LeftOutTool {
  /** Its `name`. */
  tool: string;
  /** A sentence. */
  reason: string;
}

/** A request for one turn of a model. */
export interface ModelRequest {
  org: string;
  playbook: string;
  runId: string;
  /** The run's trace, 16 bytes as hex. */
  traceId?: string;
  /** The reference in the definition. */
  model: string;
  messages: readonly ModelMessage[];
  /** The data in the prompt, which no error may quote, in addition to the texts of the messages. */
  quoted: readonly string[];
  /** The schema of a JSON answer; undefined for text. */
  schema: JsonObject | undefined;
  tools: readonly ModelTool[];
  settings: ModelCallSettings;
  /** By the name of a provider or gateway. */
  providerOptions: Readonly<Record<string, JsonObject>>;
  signal: AbortSignal;
  /** No definition asks: a failure cannot be mended by changing one. */
  isTest?: true;
  live?: GrowingText;
  /** Checks the answer; a returned message makes the call fail. */
  judge?: (turn: ModelTurn) => Promise<ModelFault | undefined>;
}

/** The text of a model while it is written, without secrets. Not recorded. */
export interface GrowingText {
  /** A turn begins or is retried: earlier text is discarded. */
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
  /** The model that the provider reports, if any. */
  reported?: string;
  /** Settings that the provider does not support. */
  ignored: readonly string[];
  raw: ProviderMessage;
}

/** The kinds of failures of a model call in the contract. */
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
  /** The rejection for the caller; undefined if the run was interrupted or failed. */
  rejection?: Rejection;
  /** A message without prompt, answer and secrets. */
  detail: string;
}

export type ModelAnswer = (
  | { ok: true; turn: ModelTurn }
  /** `turn`: the turn, if its answer is at fault. */
  | { ok: false; fault: ModelFault; turn?: ModelTurn }
) & { durationMs: number; leftOut?: readonly LeftOutTool[] };

/** The models that the operator has configured. */
export interface RunModels {
  /** Warnings about a definition under the operator's settings. */
  warningsFor(definition: {
    model: string;
    provider_options?: Readonly<Record<string, JsonObject>>;
  }): readonly { pointer: string; detail: string }[];
  /** Resolves aliases; returns the reference itself if no alias applies. */
  resolve(reference: string): string;
  /**
   * Requests one turn. Every failure is returned as a fault, including too many concurrent requests.
   * @throws the reason why it is not wanted any more, while it waits for others
   */
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

const NONE: ModelFault = {
  kind: 'provider_not_configured',
  detail: 'Models are not available here.',
  rejection: { reason: 'unavailable', because: 'provider_not_configured', detail: 'Models are not available here.' },
};

/** For runs without a service: no provider is configured. */
export const NO_MODELS: RunModels = {
  warningsFor: () => [],
  resolve: (reference) => reference,
  ask: async () => ({ ok: false, fault: NONE, durationMs: 0 }),
};

// Calls whose arguments are read and checked, before anything is sent.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { HttpRequest } from '../../../lib/http-client/index.ts';
import type { Authentication } from './authentication.ts';
import type { Failed } from './call-error.ts';

export type OutputForm = 'content' | 'response' | 'raw';

interface CallSettings {
  authentication: Authentication;
  output: OutputForm;
  /** Whether an answer of 3xx is taken as it is; none is ever followed. */
  takesRedirects: boolean;
}

/** A request that can be sent: its method says whether it may be repeated. */
export interface HttpCall extends CallSettings {
  call: 'http';
  request: HttpRequest;
}

/** What becomes a request when its document has been read. */
export interface OpenApiCall extends CallSettings {
  call: 'openapi';
  document: { url: URL; authentication: Authentication };
  operationId: string;
  parameters: JsonObject;
}

export type PreparedCall = HttpCall | OpenApiCall;

/** What is to be sent, or why nothing can be. */
export type CallResolved = { ok: true; call: HttpCall } | Failed;

/** What the service hands an engine's command over: see the engine's `perform`. */
export interface CallEffect {
  /** `http` or `openapi`. */
  call: Json;
  with: Json;
  /** The workflow's `use.authentications`. */
  authentications?: Json;
}

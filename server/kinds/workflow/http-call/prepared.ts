// Prepared calls: their arguments are parsed and checked, and nothing has been sent.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { HttpRequest } from '../../../lib/http-client/index.ts';
import type { Authentication } from './authentication.ts';
import type { Failed } from './call-error.ts';

export type OutputForm = 'content' | 'response' | 'raw';

interface CallSettings {
  authentication: Authentication;
  output: OutputForm;
  /** Whether a 3xx response is returned as it is; redirects are never followed. */
  takesRedirects: boolean;
}

/** A request that is ready to be sent; its method determines whether it may be repeated. */
export interface HttpCall extends CallSettings {
  call: 'http';
  request: HttpRequest;
}

/** A call that becomes a request once its document has been read. */
export interface OpenApiCall extends CallSettings {
  call: 'openapi';
  document: { url: URL; authentication: Authentication };
  operationId: string;
  parameters: JsonObject;
}

export type PreparedCall = HttpCall | OpenApiCall;

/** The call, or why it cannot be made. */
export type CallResolved = { ok: true; call: HttpCall } | Failed;

/** The effect of the engine's `perform` command. */
export interface CallEffect {
  /** `http` or `openapi`. */
  call: Json;
  with: Json;
  /** The workflow's `use.authentications`. */
  authentications?: Json;
}

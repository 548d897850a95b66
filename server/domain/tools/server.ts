// What every kind of tool server gives, however it is spoken with. Nothing of it has been scrubbed yet.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { harmless } from '../../lib/harmless.ts';
import type { HttpResponse } from '../../lib/http-client/index.ts';

export interface ToolAnnotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

export interface ListedTool {
  name: string;
  description: string;
  /** The arguments that it takes, by name: what searches need, without making the whole schema. */
  argumentNames: () => readonly string[];
  /** Made when it is asked for: a document describes many tools, and their schemas may be large. */
  inputSchema: () => JsonObject;
  /** Absent where the server gives none. */
  annotations?: ToolAnnotations;
}

/** What a server lists. */
export interface ToolListing {
  tools: readonly ListedTool[];
  /** Entries that cannot be used, in the server's words for them, and why. */
  leftOut: readonly string[];
}

/** A part of a result as a model sees it: a text, or what stands in place of anything else. */
export interface ResultPart {
  text: string;
  isText: boolean;
  /** The text of an embedded resource. */
  isEmbedded?: true;
}

/** A complete result, including an error of the tool itself. */
export interface ToolResult {
  kind: 'answered';
  isError: boolean;
  parts: readonly ResultPart[];
  /** Absent where the server gives none. */
  structured?: Json;
  /** All of it, as it is kept. */
  whole: Json;
  /** The server's own id of the request, where the entry says how it is carried. */
  requestId?: string;
}

export type CallFault = 'arguments_refused' | 'server_failure' | 'timed_out' | 'cancelled' | 'too_large';

/** No result. Unless the arguments were refused, the call may have had an effect all the same. */
export interface FailedCall {
  kind: 'failed';
  because: CallFault;
  /** A sentence for the caller's model. */
  detail: string;
  /** The server's own words, whole: what is cut before it is scrubbed may end within a secret. */
  serverMessage?: string;
  /** Seconds that the server asked to wait. */
  retryAfter?: number;
  /** The server refused what was sent to show who calls. */
  isKeyRefused?: true;
}

/** The response, unread: it is too large for the main thread. */
export type LargeAnswer = {
  kind: 'large';
  /** Where the server's own id of the request stands. */
  requestIdName: string | undefined;
  /** Known already. */
  requestId?: string;
} & (
  | {
      form: 'mcp';
      /** The whole message. */
      message: string;
    }
  | {
      form: 'http';
      answer: HttpResponse;
      /** Whether the request showed who calls; true where absent. */
      sendsCredential?: boolean;
    }
);

export type CallEnd = ToolResult | LargeAnswer | FailedCall;

/** A server that can be asked now. */
export interface Connection {
  /** @throws ServerFault, or anything when the signal is aborted */
  list: (signal: AbortSignal) => Promise<ToolListing>;
  /** Sends the call once. Never throws; an aborted signal ends it early, with a failure that says nothing of it. */
  call: (tool: ListedTool, args: JsonObject, signal: AbortSignal) => Promise<CallEnd>;
  close: () => Promise<void>;
  /** Refuses a call that would go where it may not; absent where every call may be sent. @throws ServerFault */
  requireCallable?: (tool: ListedTool) => Promise<void>;
}

export interface Opening {
  /** Its package manager may be installing it. */
  isInstalling: boolean;
  /** What it wrote last, with a blank before it; empty where it wrote nothing. */
  lastWords: string;
}

export interface Connector {
  /** @throws ServerFault */
  open: (signal: AbortSignal) => Promise<Connection>;
  /** What a program does that is being started: for callers that do not wait for its end. */
  opening?: () => Opening | undefined;
  /** Ends what the connector keeps: processes, connections. */
  close: () => Promise<void>;
}

/** How many tools a server may have. */
export const MOST_TOOLS = 2000;

/** What one call may return, in bytes. */
export const MOST_RESULT_BYTES = 4 * 1024 * 1024;

/** Why a connection that a person added is not used. */
export type ConnectionNotReady = 'connection_pending' | 'connection_broken' | 'connection_not_allowed';

export type ServerFaultKind = 'key_refused' | 'failing' | 'rate_limited' | 'unreachable' | ConnectionNotReady;

/** A server could not be asked; no tool was called. */
export class ServerFault extends Error {
  readonly because: ServerFaultKind;
  /** Seconds after which asking again may help. */
  readonly retryAfter: number | undefined;
  /** A package manager installs it: it may be there soon. */
  readonly isInstalling: boolean;

  /** @param detail a sentence without any address */
  constructor(because: ServerFaultKind, detail: string, retryAfter?: number, isInstalling = false) {
    super(harmless(detail));
    this.name = 'ServerFault';
    this.because = because;
    this.retryAfter = retryAfter;
    this.isInstalling = isInstalling;
  }
}

/** How long a server may take, in milliseconds. `install` is for a program that may be installed before it starts. */
export const LIMITS_MS = { connect: 10_000, start: 30_000, install: 300_000, list: 10_000 } as const;

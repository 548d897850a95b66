// The description of an operation, from which HTTP routes, the OpenAPI document and the MCP tools are built.
import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import type { Issue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Permission } from '../../shared/permissions.ts';
import type { ProblemName } from '../../shared/problems.ts';
import type { UploadBody, Uploaded, UploadForm } from './upload.ts';

/** Who made a request. */
export interface Caller {
  /** `developer`, `key:<name>`, `person:<sub>`: what is recorded as `by`. */
  id: string;
  /** What the request presented. In local mode, nothing is asked for. */
  form: 'local' | 'key' | 'access_token' | 'session';
  /** The only org that the caller may act in; undefined: any. */
  org: string | undefined;
  /** When what was presented expires, in milliseconds since 1970; absent: it does not. */
  expiresAt?: number;
  /** Whether what was presented was revoked since, or permits something else now; absent: it cannot be. */
  isRevoked?: () => boolean;
  /** Whether the caller has the permission in the org and, if named, for the playbook; `*` means all playbooks. */
  may(permission: Permission, org: string, playbook?: string): boolean;
}

/** Local mode: everyone who reaches the loopback address is the developer, with every permission in every org. */
export const DEVELOPER: Caller = { id: 'developer', form: 'local', org: undefined, may: () => true };

/** How a call waits for the end of the run that it starts. */
export interface RunWait {
  /** The maximum wait, in milliseconds. */
  forMs: number;
  /**
   * Receives a sentence about the newest event of the run or of a run that it called. Nothing more is reported until
   * the returned promise resolves.
   */
  onProgress: (sentence: string) => Promise<void>;
  /** Ends the wait early. */
  until?: AbortSignal;
}

/** One call of an operation, from any interface. */
export interface Call {
  caller: Caller;
  org: string;
  /** 16 bytes as hex (W3C Trace Context, section 3.2.2.3). */
  traceId: string;
  /** Aborted when the caller disconnects; see also `isLong`. */
  signal: AbortSignal;
  /** The MCP client that made the call, by its own name: `mcp:<name>`. Not verified. */
  client?: string;
  /** Shows the caller the text of a model while the call waits for it; absent if the caller cannot display it. */
  onText?: (pieces: AsyncIterable<{ from: number; text: string }>) => void;
  /**
   * Makes `run_definition` and `rerun` wait until the run ends, and refuse every run that did not succeed. The wait ends early when
   * `signal` is aborted or the service stops; the run in progress is then the answer. Without it, a waiting run is
   * returned immediately, and so is a failed workflow.
   */
  wait?: RunWait;
  /** The default size of a page. */
  pageDefault: number;
}

export interface Hints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  /** Whether it reaches external systems, so that its response may contain text from them; false if absent. */
  openWorld?: boolean;
}

/** An event of a stream of server-sent events. */
export interface StreamedEvent {
  /** The position after which the stream can be resumed. */
  id?: string;
  data: Json;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Properties that only matter to agents, for which operations are tools. */
export interface ForAgents {
  /** The tool to use instead, if the operation is not a tool, and how. */
  instead?: { tool: string; how?: string };
  /** The tool that lists the values of its path parameters, if no part of its route does. */
  listedBy?: string;
  /** The guide that describes the members of its fields, which the tool's schema then only names. */
  guide?: string;
  /** Whether it acts on behalf of a person; a setting determines whether agents may use it. */
  forPeople?: boolean;
  /** Whether its response is always returned in full, regardless of size. */
  isReturnedInFull?: boolean;
  /** Members of the response that repeat what the agent has just sent; they are left out. */
  omitted?: readonly string[];
  /** The response in fewer bytes, with the same facts. */
  compact?: (answer: JsonObject) => JsonObject;
  /** Whether it may change which definitions are tools, or their inputs. */
  changesTools?: boolean;
  /** What the agent can do next after this response, if anything. */
  nextStep?: (answer: JsonObject, input: JsonObject) => string | undefined;
}

interface Description {
  /** The name in the contract; also the `operationId` and the name of the MCP tool. */
  name: string;
  /** The tag: the resource that it belongs to. */
  tag: string;
  title: string;
  /** For agents: when to use it, what it returns, what it refuses. Under 1,500 characters. */
  description: string;
  /** The caller needs any one of these; if empty, anyone may call. */
  permissions: readonly Permission[];
  method: Method;
  /** Relative to `/v1/orgs/{org}`; each `{name}` is a member of `path`. */
  route: string;
  /** Its route is relative to `/v1`, because it is not about an org; never with `mcp`. */
  isOutsideOrgs?: boolean;
  /** The problems that it may return, in addition to those of every operation. */
  problems: readonly ProblemName[];
  hints: Hints;
  /** Whether it is an MCP tool. */
  mcp: boolean;
  forAgents?: ForAgents;
  /** Whether it may take minutes: like a stream, it then ends when the service stops and when the caller's credential does. */
  isLong?: boolean;
  /** Not part of the contract: marked `x-addition` in the OpenAPI document. */
  addition?: boolean;
}

interface Shapes<P extends TObject, F extends TObject> {
  /** The path parameters; all strings. */
  path: P;
  /** The query string of a GET or DELETE, the JSON body of any other method. Unknown members are refused. */
  fields?: F;
  /** Rules that the schema of the fields cannot express; checked if the schema matches. */
  checksFields?: (fields: Static<F>) => readonly Issue[];
  /** Fields that an HTTP header may also set. The header takes precedence, because a browser repeats it when it reconnects. */
  headers?: Readonly<Record<string, string>>;
  /** The maximum depth of values, by JSON Pointer in the body; 64 for others. */
  depths?: Readonly<Record<string, number>>;
  /** The maximum size of the JSON body, in bytes; 1 MiB if absent. */
  bodyBytes?: number;
  /** The maximum number of scalars, lists, objects and member names in the JSON body; `MOST_BODY_VALUES` if absent. */
  bodyValues?: number;
}

/**
 * As many values as the largest input (256 KiB) can contain, and some more around it. The main thread parses them in
 * about 60 ms; a body of 1 MiB could contain four times as many.
 */
export const MOST_BODY_VALUES = 140_000;

type Input<P extends TObject, F extends TObject> = Static<P> & Static<F>;

interface JsonDescription<P extends TObject, F extends TObject, O extends TSchema> extends Description, Shapes<P, F> {
  /** 201 if it creates something; otherwise 200. */
  status?: 201;
  output: O;
  /**
   * Refuses if something does not exist, then if it is retired. Called before invalid fields are reported, with the
   * unchecked fields; `handle` checks again.
   */
  precheck?: (call: Call, path: Static<P>, fields: JsonObject) => Promise<void>;
  /** A member that is a list may be an async iterable, whose items are read while the response is sent. */
  handle: (call: Call, input: Input<P, F>) => Promise<WithReadLists<Static<O>>>;
}

type WithReadLists<Answer> = {
  [Name in keyof Answer]: Answer[Name] | (Answer[Name] extends readonly (infer Item)[] ? AsyncIterable<Item> : never);
};

interface StreamDescription<P extends TObject, F extends TObject> extends Description, Shapes<P, F> {
  precheck?: (call: Call, path: Static<P>) => Promise<void>;
  /** The schema of `data` in each streamed event. */
  eventSchema: TSchema;
  handle: (call: Call, input: Input<P, F>) => Promise<AsyncIterable<StreamedEvent>>;
}

interface TextDescription<P extends TObject> extends Omit<Description, 'mcp'> {
  method: 'GET';
  /** The members of the route; all texts. */
  path: P;
  /** Of the response; a text is UTF-8. */
  mediaType: 'text/markdown' | 'text/csv' | 'application/zip';
  precheck?: (call: Call, path: Static<P>) => Promise<void>;
  /** The text, or its UTF-8 bytes as they are made; no faster than they are read. */
  handle: (call: Call, path: Static<P>) => Promise<string | AsyncIterable<Uint8Array>>;
}

interface UploadDescription<P extends TObject, O extends TSchema> extends Omit<Description, 'mcp'> {
  method: 'POST' | 'PUT';
  /** The path parameters; all strings. */
  path: P;
  upload: UploadForm;
  output: O;
  /** Refuses if something does not exist, then if it is retired. Called before the body is read; `handle` checks again. */
  precheck?: (call: Call, path: Static<P>) => Promise<void>;
  /** May return or throw before it has received the body; the connection is then closed. */
  handle: (call: Call, path: Static<P>, body: UploadBody) => Promise<Uploaded<Static<O>>>;
}

interface Described extends Description {
  forAgents: ForAgents;
  path: TObject;
  precheck?: (call: Call, path: Readonly<Record<string, string>>, fields: JsonObject) => Promise<void>;
  fields: TObject;
  checksFields?: (fields: JsonObject) => readonly Issue[];
  headers: Readonly<Record<string, string>>;
  depths: Readonly<Record<string, number>>;
  bodyBytes: number;
  bodyValues: number;
}

export interface JsonOperation extends Described {
  answers: 'json';
  upload?: undefined;
  status: 200 | 201;
  output: TSchema;
  handle: (call: Call, input: JsonObject) => Promise<unknown>;
}

export interface StreamOperation extends Described {
  answers: 'event-stream';
  upload?: undefined;
  eventSchema: TSchema;
  handle: (call: Call, input: JsonObject) => Promise<AsyncIterable<StreamedEvent>>;
}

export interface UploadOperation extends Described {
  answers: 'json';
  upload: UploadForm;
  output: TSchema;
  handle: (call: Call, path: Readonly<Record<string, string>>, body: UploadBody) => Promise<Uploaded>;
}

export interface TextOperation extends Described {
  answers: 'text';
  upload?: undefined;
  mediaType: string;
  handle: (call: Call, path: JsonObject) => Promise<string | AsyncIterable<Uint8Array>>;
}

export type Operation = JsonOperation | StreamOperation | TextOperation | UploadOperation;

const NO_FIELDS = Type.Object({}, { additionalProperties: false });

/** What a description may omit. */
const DEFAULTS = {
  fields: NO_FIELDS,
  forAgents: {},
  headers: {},
  depths: {},
  bodyBytes: LIMITS.bodyBytes,
  bodyValues: MOST_BODY_VALUES,
} as const;

/**
 * Describes an operation with a JSON response. `handle` receives the members of path and fields in one object, checked
 * against their schemas.
 */
export function defineOperation<P extends TObject, O extends TSchema, F extends TObject = typeof NO_FIELDS>(
  description: JsonDescription<P, F, O>,
): JsonOperation {
  // The interfaces check path and fields against these schemas before they call.
  return { ...DEFAULTS, status: 200, ...description, answers: 'json' } as unknown as JsonOperation;
}

/** Describes an operation that returns a stream of server-sent events (HTML Living Standard, section 9.2). */
export function defineStream<P extends TObject, F extends TObject = typeof NO_FIELDS>(
  description: StreamDescription<P, F>,
): StreamOperation {
  return { ...DEFAULTS, ...description, answers: 'event-stream' } as unknown as StreamOperation;
}

/**
 * Describes an operation that reads a body of a media type other than JSON as it arrives, and has a JSON response: 201
 * if something is new, otherwise 200. It is not a tool, because the arguments of tools are JSON.
 */
export function defineUpload<P extends TObject, O extends TSchema>(
  description: UploadDescription<P, O>,
): UploadOperation {
  const { bytes: bodyBytes } = description.upload;
  return { ...DEFAULTS, ...description, answers: 'json', mcp: false, bodyBytes } as unknown as UploadOperation;
}

/** Describes an operation that answers with a text or file of another media type than JSON. Agents get no tool for it. */
export function defineText<P extends TObject>(description: TextDescription<P>): TextOperation {
  return { ...DEFAULTS, ...description, answers: 'text', mcp: false } as unknown as TextOperation;
}

/** Whether the operation has its fields in a JSON body; others have them in the query string. */
export function isCommand(operation: Operation): boolean {
  return operation.method === 'POST' || operation.method === 'PUT';
}

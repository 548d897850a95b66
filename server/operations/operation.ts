// The one way an operation is described. HTTP routes, the OpenAPI document and the MCP tools are built from it.
import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import type { Issue } from '../../shared/issues.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { ProblemName } from '../../shared/problems.ts';

export type Permission = 'org:read' | 'org:write' | 'playbook:read' | 'playbook:write';

/** Who made a request. */
export interface Caller {
  /** `developer`, `key:<name>`, `person:<sub>`: what is recorded as `by`. */
  id: string;
  /** Whether a person makes the request on a page they signed in to. */
  isSession?: boolean;
  /** Whether the caller has the permission in the org and, where one is named, over the playbook; `*` is all of them. */
  may(permission: Permission, org: string, playbook?: string): boolean;
}

/** How a call waits for the end of the run that it starts. */
export interface RunWait {
  /** How long to wait at most, in milliseconds. */
  forMs: number;
  /**
   * Gets a sentence about what the run, or a run that it called, recorded: the newest each time. While it has not
   * resolved, nothing more is reported.
   */
  onProgress: (sentence: string) => Promise<void>;
}

/** One call of an operation, by whatever face it came. */
export interface Call {
  caller: Caller;
  org: string;
  /** 16 bytes as hex (W3C Trace Context, section 3.2.2.3). */
  traceId: string;
  /** Aborted when the caller has gone away. */
  signal: AbortSignal;
  /** The MCP client by which the call came, as it names itself: `mcp:<name>`. Nobody verified it. */
  client?: string;
  /** Shows the caller what a model writes while the call waits for it; absent where the caller cannot see it. */
  onText?: (pieces: AsyncIterable<{ from: number; text: string }>) => void;
  /**
   * Makes `run_definition` wait for the end of a run that outlasts the request, and refuse every run that did not
   * succeed. The wait ends early when `signal` is aborted or the service stops; a run that is in progress then is the
   * answer. Without it a run that waits is answered at once, and a workflow that failed is an answer as well.
   */
  wait?: RunWait;
  /** How many entries a page holds when the caller does not say. */
  pageDefault: number;
}

export interface Hints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  /** Whether it reaches beyond the service, so that its answer may contain text from others; false when absent. */
  openWorld?: boolean;
}

/** An event of a stream of server-sent events. */
export interface StreamedEvent {
  /** Where the stream can be resumed behind it. */
  id?: string;
  data: Json;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What only agents, who get operations as tools, need to know of one. */
export interface ForAgents {
  /** The tool that does its work, where it is none itself, and how. */
  instead?: { tool: string; how?: string };
  /** The tool that lists what its path names, where no part of its route does. */
  listedBy?: string;
  /** Whether it acts in the place of a person: settings say whether agents may. */
  forPeople?: boolean;
  /** Whether its answer is given whole, whatever its size. */
  givenWhole?: boolean;
  /** Whether it may change which definitions are tools, or what they take. */
  changesTools?: boolean;
  /** What to do next with an answer that is not the last word. */
  nextStep?: (answer: JsonObject, given: JsonObject) => string | undefined;
}

interface Description {
  /** The contract's name; the `operationId` and the MCP tool's name. */
  name: string;
  /** The resource it belongs to, as a tag. */
  tag: string;
  title: string;
  /** For agents: use when ..., what it returns, what it refuses. Under 1,500 characters. */
  description: string;
  /** Any one of these admits the caller; with none of them anybody may call. */
  permissions: readonly Permission[];
  method: Method;
  /** Relative to `/v1/orgs/{org}`; each `{name}` is a member of `path`. */
  route: string;
  /** What it may answer beside what every operation may. */
  problems: readonly ProblemName[];
  hints: Hints;
  /** Whether agents are offered it as an MCP tool. */
  mcp: boolean;
  forAgents?: ForAgents;
  /** Cuebook's own, beyond the contract: marked `x-addition` in the OpenAPI document. */
  addition?: boolean;
}

interface Shapes<P extends TObject, F extends TObject> {
  /** The members of the route; all texts. */
  path: P;
  /** The query string of a GET or DELETE, the JSON body of any other method. Unknown members are refused. */
  fields?: F;
  /** Rules of the fields that their schema cannot say; asked once the schema is satisfied. */
  checksFields?: (fields: Static<F>) => readonly Issue[];
  /** Fields that an HTTP header may give too; the header wins, since a browser repeats it when it comes back. */
  headers?: Readonly<Record<string, string>>;
  /** How many levels a value may nest, by its JSON Pointer in the body; other members nest at most 64. */
  depths?: Readonly<Record<string, number>>;
  /** What the JSON body may hold at most, in bytes; 1 MiB when absent. */
  bodyBytes?: number;
  /** How many scalars, lists, objects and names of members the JSON body may hold; `MOST_BODY_VALUES` when absent. */
  bodyValues?: number;
}

/**
 * As many values as the largest input can hold, 256 KiB, and some around it. The main thread takes some 60 ms to read so
 * many; the 1 MiB that a body may have could hold four times as many.
 */
export const MOST_BODY_VALUES = 140_000;

type Input<P extends TObject, F extends TObject> = Static<P> & Static<F>;

interface JsonDescription<P extends TObject, F extends TObject, O extends TSchema> extends Description, Shapes<P, F> {
  /** 201 for what makes something, else 200. */
  status?: 201;
  output: O;
  /**
   * Refuses what does not exist, then what is retired. Asked before wrong fields are told, with the fields as they came;
   * `handle` looks again.
   */
  precheck?: (call: Call, path: Static<P>, fields: JsonObject) => Promise<void>;
  handle: (call: Call, input: Input<P, F>) => Promise<Static<O>>;
}

interface StreamDescription<P extends TObject, F extends TObject> extends Description, Shapes<P, F> {
  precheck?: (call: Call, path: Static<P>) => Promise<void>;
  /** What `data` of each streamed event holds. */
  eventSchema: TSchema;
  handle: (call: Call, input: Input<P, F>) => Promise<AsyncIterable<StreamedEvent>>;
}

/** What the body of an upload may be. */
export interface UploadForm {
  /** In lower case; for a text type the body is UTF-8. */
  mediaType: string;
  /** Of the body, at most. */
  bytes: number;
  /** What the body holds. */
  description: string;
}

/** The body of an upload, in pieces as they arrive. It can be read once, and nothing is read before it is asked for. */
export interface UploadBody extends AsyncIterable<Buffer> {
  /** What `Content-Length` declares: the pieces hold exactly as many together, or reading them throws. */
  bytes: number;
}

/** What became of an upload. */
export interface Uploaded<Answer = unknown> {
  /** False where the service had it already. */
  isNew: boolean;
  answer: Answer;
}

interface UploadDescription<P extends TObject, O extends TSchema> extends Omit<Description, 'mcp'> {
  method: 'POST' | 'PUT';
  /** The members of the route; all texts. */
  path: P;
  upload: UploadForm;
  output: O;
  /** Refuses what does not exist, then what is retired. Asked before the body is read; `handle` looks again. */
  precheck?: (call: Call, path: Static<P>) => Promise<void>;
  /**
   * Reads the body as fast as it can take it. What it keeps is not whole until the last piece came: reading throws
   * Refused where the client leaves or sends too slowly. It may return or throw before it read everything.
   */
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

export type Operation = JsonOperation | StreamOperation | UploadOperation;

const NO_FIELDS = Type.Object({}, { additionalProperties: false });

/**
 * Describes an operation that answers with JSON. `handle` gets the members of path and fields in one object,
 * checked against their schemas.
 */
export function defineOperation<P extends TObject, O extends TSchema, F extends TObject = typeof NO_FIELDS>(
  description: JsonDescription<P, F, O>,
): JsonOperation {
  return {
    ...description,
    answers: 'json',
    status: description.status ?? 200,
    fields: description.fields ?? NO_FIELDS,
    forAgents: description.forAgents ?? {},
    headers: description.headers ?? {},
    depths: description.depths ?? {},
    bodyBytes: description.bodyBytes ?? LIMITS.bodyBytes,
    bodyValues: description.bodyValues ?? MOST_BODY_VALUES,
    // The faces check path and fields against these very schemas before they call.
  } as unknown as JsonOperation;
}

/** Describes an operation that answers with a stream of server-sent events (HTML Living Standard, section 9.2). */
export function defineStream<P extends TObject, F extends TObject = typeof NO_FIELDS>(
  description: StreamDescription<P, F>,
): StreamOperation {
  return {
    ...description,
    answers: 'event-stream',
    fields: description.fields ?? NO_FIELDS,
    forAgents: description.forAgents ?? {},
    headers: description.headers ?? {},
    depths: description.depths ?? {},
    bodyBytes: description.bodyBytes ?? LIMITS.bodyBytes,
    bodyValues: description.bodyValues ?? MOST_BODY_VALUES,
  } as unknown as StreamOperation;
}

/**
 * Describes an operation that takes a body of another media type than JSON as it arrives, and answers with JSON: 201
 * for what is new, else 200. Agents get no tool for it, since the arguments of a tool are JSON.
 */
export function defineUpload<P extends TObject, O extends TSchema>(
  description: UploadDescription<P, O>,
): UploadOperation {
  return {
    ...description,
    answers: 'json',
    mcp: false,
    fields: NO_FIELDS,
    forAgents: description.forAgents ?? {},
    headers: {},
    depths: {},
    bodyBytes: description.upload.bytes,
    bodyValues: MOST_BODY_VALUES,
  } as unknown as UploadOperation;
}

/** Whether the operation changes something; what only reads takes its fields in the query string. */
export function isCommand(operation: Operation): boolean {
  return operation.method === 'POST' || operation.method === 'PUT';
}

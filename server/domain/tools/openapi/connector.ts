// An HTTP API that an OpenAPI document describes. The document is the list of its tools; the server is not asked for
// any.
//
// 1. The entry's headers and query parameters go to one origin alone: that of `base_url`, else that of the document.
//    A document that names servers elsewhere gets them nowhere.
// 2. A document from elsewhere may name servers at public addresses, and at the entry's own hosts.
// 3. No redirect is followed, and each call is sent at most once.
// 4. A document is read again after ten minutes, a file also when it changed. Openings at the same time share one reading.
import { readFile, stat } from 'node:fs/promises';
import { PRODUCT } from '../../../../shared/product.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { type Age, ageIn, type Clock } from '../../../lib/clock.ts';
import { LARGE_BYTES, type TextWork } from '../../../lib/text-work/index.ts';
import { createEgress, type HttpSender } from '../../../lib/http-client/index.ts';
import {
  buildRequest,
  MOST_DOCUMENT_BYTES,
  type OpenApiDocument,
  readOpenApiDocument,
  serverOf,
} from '../../../lib/openapi-client/index.ts';
import type { ToolServer } from '../../../settings/index.ts';
import { type CallEnd, type Connector, type FailedCall, LIMITS_MS, MOST_RESULT_BYTES, ServerFault } from '../server.ts';
import type { EgressPolicy } from '../connection-requests.ts';
import { faultOf, sendsCredential } from '../http-fault.ts';
import { type CallerCredential, withQuery, withCredential } from '../connection-requests.ts';
import { endOf } from './answer.ts';
import { withSecurity } from './security.ts';
import { type DocumentTool, toolsOf } from './document-tools.ts';

type OpenApiEntry = ToolServer & { type: 'openapi' };

interface ReadDocument {
  document: OpenApiDocument;
  tools: Map<string, DocumentTool>;
  age: Age;
  /** Identifies the current content of the file. */
  stamp: string;
}

const KEEP_MS = 600_000;
const DOCUMENT_TYPES = 'application/json, application/yaml, */*;q=0.8';

/** What is so of an API that a person added. */
interface ConnectionRequests {
  egress: Pick<EgressPolicy, 'check' | 'senderFor'>;
  /** Always of the same names. */
  sends: () => CallerCredential;
}

export function createOpenApiConnector(
  entry: OpenApiEntry,
  { clock, textWork }: { clock: Clock; textWork: TextWork },
  added?: ConnectionRequests,
): Connector {
  const out = added === undefined ? operatorSenders(entry, clock) : connectionSenders(entry, added);
  let read: ReadDocument | undefined;
  let reading: { stamp: string; done: Promise<ReadDocument> } | undefined;

  async function current(now: OpenApiEntry): Promise<ReadDocument> {
    const stamp = typeof entry.document === 'string' ? await stampOf(entry.document) : '';
    if (read !== undefined && read.age() < KEEP_MS && read.stamp === stamp) return read;
    if (reading?.stamp !== stamp) {
      const done = readAgain(now, stamp).finally(() => {
        if (reading?.done === done) reading = undefined;
      });
      reading = { stamp, done };
    }
    return reading.done;
  }

  /** Not for one opening alone: those that begin meanwhile wait for it, and it continues when one of them leaves. */
  async function readAgain(now: OpenApiEntry, stamp: string): Promise<ReadDocument> {
    const document = await readDocument(now, out.toDocument, textWork);
    const sent = withSecurity(now, document);
    const tools = toolsOf(document, (location, name) => isGiven(sent, location, name));
    read = { document, tools, age: ageIn(clock), stamp };
    return read;
  }

  return {
    async open() {
      const now = withCredential(entry, added?.sends() ?? {});
      const { document, tools } = await current(now);
      const sent = withSecurity(now, document);
      const { check } = out;
      return {
        list: async () => ({ tools: [...tools.values()].map(({ listed }) => listed), leftOut: [] }),
        call: async ({ name }, args, until) => call(sent, out.toApi, { document, tool: tools.get(name), args }, until),
        ...(check === undefined
          ? {}
          : { requireCallable: ({ name }) => check(addressOf(entry, document, tools.get(name))) }),
        close: () => Promise.resolve(),
      };
    },
    close() {
      out.close();
      return Promise.resolve();
    },
  };
}

/** How requests go out. */
interface RequestSenders {
  toDocument: HttpSender;
  toApi: HttpSender;
  /** Refuses where calls may not go; absent where they may go anywhere that is sent to. @throws ServerFault */
  check?: (url: URL) => Promise<void>;
  close: () => void;
}

function operatorSenders(entry: OpenApiEntry, clock: Clock): RequestSenders {
  const egress = createEgress(clock);
  const sender = egress.senderFor((url) => isOfOperator(entry, url));
  return { toDocument: sender, toApi: sender, close: () => egress.close() };
}

function connectionSenders(entry: OpenApiEntry, { egress }: ConnectionRequests): RequestSenders {
  const from = leadingDocument(entry);
  return {
    toDocument: egress.senderFor(),
    toApi: egress.senderFor(from),
    check: (url) => egress.check(url, from),
    close: () => undefined,
  };
}

async function stampOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    throw new ServerFault('unreachable', 'The file of its OpenAPI document cannot be read.');
  }
}

async function readDocument(entry: OpenApiEntry, http: HttpSender, textWork: TextWork): Promise<OpenApiDocument> {
  const url = typeof entry.document === 'string' ? undefined : entry.document;
  const bytes =
    url === undefined
      ? await readFile(String(entry.document)).catch(unreadable)
      : await fetchDocument(entry, url, http);
  const reading = await readOpenApiDocument(bytes, textWork, url);
  if (!reading.ok) throw new ServerFault('failing', reading.detail);
  if (reading.refersElsewhere) {
    throw new ServerFault(
      'failing',
      'Its OpenAPI document refers to other documents; use a single self-contained document.',
    );
  }
  return reading.document;
}

function unreadable(): never {
  throw new ServerFault('unreachable', 'The file of its OpenAPI document cannot be read.');
}

async function fetchDocument(entry: OpenApiEntry, url: URL, http: HttpSender): Promise<Uint8Array> {
  const own = originOf(entry) === url.origin;
  const headers = { accept: DOCUMENT_TYPES, 'user-agent': PRODUCT, ...(own ? lowerCased(entry.headers) : {}) };
  const answer = await http.send(
    { method: 'GET', url: own ? withQuery(url, entry.queryParams) : url, headers },
    { maxBytes: MOST_DOCUMENT_BYTES, deadline: LIMITS_MS.connect },
  );
  if (answer.kind === 'failed') {
    const isThere = answer.because === 'unreadable' || answer.because === 'too_large';
    throw new ServerFault(
      isThere ? 'failing' : 'unreachable',
      `Its OpenAPI document could not be read. ${answer.detail}`,
    );
  }
  const hasCredential = sendsCredential(entry);
  const challenge = answer.headers['www-authenticate'];
  const fault = faultOf(answer.status, { sendsCredential: hasCredential, challenge });
  if (fault === undefined) return answer.body;
  const isKept = fault.because === 'key_refused' && hasCredential && !own;
  const detail = isKept ? ELSEWHERE : fault.detail;
  throw new ServerFault(fault.because, `Its OpenAPI document could not be read. ${detail}`);
}

const ELSEWHERE =
  'It wants a credential, and that of the entry is only sent to the origin of `base_url`; save the document as a file.';

/** Whether the operator named the host: in the entry, or in a document that is a file of theirs. */
function isOfOperator({ baseUrl, document }: OpenApiEntry, { hostname }: URL): boolean {
  if (typeof document === 'string') return true;
  return hostname === document.hostname || hostname === baseUrl?.hostname;
}

/** Where the entry's headers and query parameters go. */
function originOf({ baseUrl, document }: OpenApiEntry): string | undefined {
  return baseUrl?.origin ?? (typeof document === 'string' ? undefined : document.origin);
}

/** The document that says where calls go; undefined where the entry says it. */
function leadingDocument({ baseUrl, document }: OpenApiEntry): URL | undefined {
  return baseUrl === undefined && typeof document !== 'string' ? document : undefined;
}

/** Where a call of the tool goes. @throws ServerFault where the document does not say */
function addressOf({ baseUrl }: OpenApiEntry, document: OpenApiDocument, tool: DocumentTool | undefined): URL {
  const url = baseUrl ?? (tool === undefined ? undefined : serverOf(document, tool.operation()));
  if (url === undefined) throw new ServerFault('failing', 'Its OpenAPI document does not name a server URL.');
  return url;
}

interface ReadyCall {
  document: OpenApiDocument;
  tool: DocumentTool | undefined;
  args: JsonObject;
}

async function call(
  entry: OpenApiEntry,
  http: HttpSender,
  { document, tool, args }: ReadyCall,
  signal: AbortSignal,
): Promise<CallEnd> {
  if (tool === undefined) return failed('arguments_refused', 'The OpenAPI document no longer has this tool.');
  const built = buildRequest(document, tool.operation(), args, entry.baseUrl);
  if (!built.ok) {
    const isDocuments = built.error.kind === 'unusable_document';
    return failed(isDocuments ? 'server_failure' : 'arguments_refused', `Nothing was sent. ${built.error.detail}`);
  }
  const { request } = built;
  const isOwn = request.url.origin === originOf(entry);
  if (!isOwn && sendsCredentials(entry)) {
    return failed(
      'server_failure',
      'Nothing was sent: the OpenAPI document names a server of another origin, and the headers and parameters of the entry are sent only to its own origin. The operator can set base_url.',
    );
  }
  const answer = await http.send(
    {
      ...request,
      url: withQuery(request.url, entry.queryParams),
      headers: { 'user-agent': PRODUCT, ...lowerCased(request.headers), ...lowerCased(entry.headers) },
    },
    { maxBytes: MOST_RESULT_BYTES, deadline: entry.timeoutMs, signal },
  );
  const sent = { requestIdName: entry.requestId, sendsCredential: sendsCredential(entry) };
  return answer.kind === 'response' && answer.body.length > LARGE_BYTES
    ? { kind: 'large', form: 'http', answer, ...sent }
    : endOf(answer, sent);
}

function failed(because: FailedCall['because'], detail: string): FailedCall {
  return { kind: 'failed', because, detail };
}

function sendsCredentials({ headers, queryParams }: OpenApiEntry): boolean {
  return Object.keys(headers).length + Object.keys(queryParams).length > 0;
}

function isGiven({ headers, queryParams }: OpenApiEntry, location: 'header' | 'query', name: string): boolean {
  return location === 'query'
    ? Object.hasOwn(queryParams, name)
    : Object.hasOwn(lowerCased(headers), name.toLowerCase());
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

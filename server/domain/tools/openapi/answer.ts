// From the answer of an HTTP API to the end of a call.
import type { Json } from '../../../../shared/json.ts';
import type { HttpAnswer, HttpResponse } from '../../../lib/http-client/index.ts';
import { bareType, isJsonType } from '../../../lib/openapi-client/index.ts';
import { readShallowJson } from '../depth.ts';
import { faultOf, type HttpFault, missingPermission, retryAfterOf } from '../http-fault.ts';
import type { ToolResult, FailedCall, ResultPart } from '../server.ts';

/** How a request was sent. */
export interface SentRequest {
  requestIdName: string | undefined;
  sendsCredential?: boolean;
}

export function endOf(
  answer: HttpAnswer,
  { requestIdName, sendsCredential = true }: SentRequest,
): ToolResult | FailedCall {
  if (answer.kind === 'failed') {
    const { because, detail } = answer;
    return failed(because === 'unreachable' || because === 'unreadable' ? 'server_failure' : because, detail);
  }
  const { status, headers } = answer;
  const read = contentOf(answer);
  const isAnswer = (status >= 200 && status < 300) || (status >= 400 && status < 500 && !NOT_OF_THE_TOOL.has(status));
  if (!isAnswer) {
    const fault = faultOf(status, { sendsCredential, challenge: headers['www-authenticate'] });
    return { ...refusal(status, fault, read), ...retryAfterOf(headers['retry-after']) };
  }
  if (read === undefined) return failed('server_failure', 'Its response is declared as JSON, but is not valid JSON.');
  const requestId = requestIdName === undefined ? undefined : headers[requestIdName.toLowerCase()];
  const isError = status >= 400;
  const lacking = isError && sendsCredential ? missingPermission(status, headers['www-authenticate']) : undefined;
  const words: ResultPart[] = isError || read.part === undefined ? [placeholder(lacking ?? `HTTP ${status}`)] : [];
  return {
    kind: 'answered',
    isError,
    parts: read.part === undefined ? words : [...words, read.part],
    ...(read.structured === undefined ? {} : { structured: read.structured }),
    whole: { status, content: read.structured ?? read.part?.text ?? null },
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Refusals that have to do with the entry or the server's load, and not with what was asked. */
const NOT_OF_THE_TOOL = new Set([401, 407, 429]);

function refusal(status: number, fault: HttpFault | undefined, read: Content | undefined): FailedCall {
  const end = {
    ...failed('server_failure', fault?.detail ?? `It responded with HTTP ${status}.`),
    ...(fault?.because === 'key_refused' ? { isKeyRefused: true as const } : {}),
  };
  return read?.part?.isText === true && status >= 500 ? { ...end, serverMessage: read.part.text } : end;
}

interface Content {
  part?: ResultPart;
  structured?: Json;
}

/** Undefined for JSON that is none. */
function contentOf({ body, headers }: HttpResponse): Content | undefined {
  if (body.length === 0) return {};
  const type = bareType(headers['content-type'] ?? '');
  const text = decoded(body);
  if (isJsonType(type)) {
    const structured = text === undefined ? undefined : readShallowJson(text);
    return structured === undefined ? undefined : { part: { text: text ?? '', isText: true }, structured };
  }
  const isText =
    text !== undefined && (type === '' || /^text\/|xml|yaml|javascript|urlencoded|ndjson|jsonl/.test(type));
  if (isText) return { part: { text, isText } };
  return { part: placeholder(`${type || 'content of no named type'}, ${body.length} bytes`) };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function placeholder(words: string): ResultPart {
  return { text: `[${words}]`, isText: false };
}

function failed(because: FailedCall['because'], detail: string): FailedCall {
  return { kind: 'failed', because, detail };
}

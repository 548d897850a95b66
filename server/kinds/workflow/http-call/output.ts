// Turns a response into the output or the error of the call.
import { STATUS_CODES } from 'node:http';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { HttpRequest, HttpResponse } from '../../../lib/http-client/index.ts';
import { type Failed, refusedWith, unusableAnswer } from './call-error.ts';
import { base64, readContent } from './content.ts';
import { hostWords } from './hosts.ts';
import type { HttpCall } from './prepared.ts';
import type { Scrubber } from '../../../lib/scrub/index.ts';

/** The number of characters of an error response that the error contains. */
const MOST_SAID = 300;
const NOT_SHOWN = ['authorization', 'proxy-authorization'];

/** @param request the request that was sent */
export function outputOf(
  { output, takesRedirects }: Pick<HttpCall, 'output' | 'takesRedirects'>,
  request: HttpRequest,
  response: HttpResponse,
  scrubber: Scrubber,
): { ok: true; output: Json } | Failed {
  const { status } = response;
  const isTaken = status >= 200 && status < (takesRedirects ? 400 : 300);
  if (!isTaken) return refusedWith(status, refusal(request, response, scrubber));
  if (output === 'raw') {
    return { ok: true, output: response.body.length === 0 ? null : base64(scrubber.bytes(response.body)) };
  }
  const content = contentOf(response, scrubber);
  if (!content.ok)
    return unusableAnswer(`${hostWords(request.url)} returned a response that cannot be read. ${content.detail}`);
  if (output === 'content') return { ok: true, output: content.value };
  return { ok: true, output: describe(request, response, content.value, scrubber) };
}

/** The standard's "HTTP Response". */
function describe(request: HttpRequest, response: HttpResponse, content: Json, scrubber: Scrubber): JsonObject {
  const sent = Object.entries(request.headers).filter(([name]) => !NOT_SHOWN.includes(name));
  return {
    request: {
      method: request.method.toLowerCase(),
      uri: scrubber.text(request.url.href),
      headers: scrubber.json(Object.fromEntries(sent)),
    },
    headers: scrubber.json(response.headers),
    statusCode: response.status,
    content,
  };
}

/** Base64 content is scrubbed as bytes, because a secret cannot be found in base64. */
function contentOf(response: HttpResponse, scrubber: Scrubber): ReturnType<typeof readContent> {
  const read = readContent(response.body, response.headers['content-type']);
  if (!read.ok) return read;
  const value = read.isBinary === true ? base64(scrubber.bytes(response.body)) : scrubber.json(read.value);
  return { ok: true, value };
}

function refusal(request: HttpRequest, response: HttpResponse, scrubber: Scrubber): string {
  const { status } = response;
  const reason = STATUS_CODES[status];
  const returned = `${request.method} ${hostWords(request.url)} returned ${status}${reason === undefined ? '' : ` ${reason}`}.`;
  if (status < 400) return `${returned}${redirectWords(request, response)} Redirects are never followed.`;
  const content = isTextual(response) ? contentOf(response, scrubber) : undefined;
  if (content?.ok !== true || content.value === null) return returned;
  return `${returned} Response: ${shortened(typeof content.value === 'string' ? content.value : JSON.stringify(content.value))}`;
}

function isTextual(response: HttpResponse): boolean {
  return /^text\/(?!html)|json/i.test(response.headers['content-type'] ?? '');
}

/** The address without its query, which may contain tokens. */
function redirectWords(request: HttpRequest, response: HttpResponse): string {
  const { location } = response.headers;
  const url = location === undefined ? null : URL.parse(location, request.url.href);
  return url === null || url.host === ''
    ? ''
    : ` It redirects to ${shortened(`${url.protocol}//${url.host}${url.pathname}`)}.`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MOST_SAID ? line : `${line.slice(0, MOST_SAID).toWellFormed()}...`;
}

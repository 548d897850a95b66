// From an answer to the call's output, or to its error.
import { STATUS_CODES } from 'node:http';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { HttpRequest, HttpResponse } from '../../../lib/http-client/index.ts';
import { type Failed, refusedWith, unusableAnswer } from './call-error.ts';
import { base64, readContent } from './content.ts';
import { hostWords } from './hosts.ts';
import type { HttpCall } from './prepared.ts';
import type { Scrubber } from '../../../lib/scrub/index.ts';

/** Characters of a refusing answer that stand in the error. */
const MOST_SAID = 300;
const NOT_SHOWN = ['authorization', 'proxy-authorization'];

/** @param request as it was sent */
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

/** Scrubbed as bytes where it is base64: a secret cannot be found in that. */
function contentOf(response: HttpResponse, scrubber: Scrubber): ReturnType<typeof readContent> {
  const read = readContent(response.body, response.headers['content-type']);
  if (!read.ok) return read;
  const value = read.isBinary === true ? base64(scrubber.bytes(response.body)) : scrubber.json(read.value);
  return { ok: true, value };
}

function refusal(request: HttpRequest, response: HttpResponse, scrubber: Scrubber): string {
  const { status } = response;
  const reason = STATUS_CODES[status];
  const answered = `${request.method} ${hostWords(request.url)} answered ${status}${reason === undefined ? '' : ` ${reason}`}.`;
  if (status < 400) return `${answered}${pointsTo(request, response)} Redirects are never followed.`;
  const said = isTextual(response) ? contentOf(response, scrubber) : undefined;
  if (said?.ok !== true || said.value === null) return answered;
  return `${answered} It says: ${shortened(typeof said.value === 'string' ? said.value : JSON.stringify(said.value))}`;
}

function isTextual(response: HttpResponse): boolean {
  return /^text\/(?!html)|json/i.test(response.headers['content-type'] ?? '');
}

/** Without its query, which is where tokens stand. */
function pointsTo(request: HttpRequest, response: HttpResponse): string {
  const { location } = response.headers;
  const url = location === undefined ? null : URL.parse(location, request.url.href);
  return url === null || url.host === ''
    ? ''
    : ` It points to ${shortened(`${url.protocol}//${url.host}${url.pathname}`)}.`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MOST_SAID ? line : `${line.slice(0, MOST_SAID).toWellFormed()}...`;
}

// Reads, scrubs and measures the answer to an HTTP call: in a worker where it is large.
import { countValues } from '../../../lib/json-bounds.ts';
import type { HttpRequest, HttpResponse } from '../../../lib/http-client/index.ts';
import { type ScrubberPart, scrubberOf } from '../../../lib/scrub/index.ts';
import { excessOf } from '../step-bounds.ts';
import { type Failed, unusableAnswer } from './call-error.ts';
import { hostWords } from './hosts.ts';
import { outputOf } from './output.ts';
import type { HttpCall } from './prepared.ts';

/** What a thread can be sent. */
export interface AnswerJob {
  call: Pick<HttpCall, 'output' | 'takesRedirects'>;
  /** As it was sent. */
  request: Pick<HttpRequest, 'method' | 'headers'> & { href: string };
  response: HttpResponse;
  scrubber: readonly ScrubberPart[];
}

export type AnswerReading = { ok: true /** The output as JSON. */; json: string } | Failed;

export function readAnswer({ call, request: { href, ...request }, response, scrubber }: AnswerJob): AnswerReading {
  const url = new URL(href);
  const read = outputOf(call, { ...request, url }, response, scrubberOf(scrubber));
  if (!read.ok) return read;
  const json = JSON.stringify(read.output);
  const excess = excessOf({ bytes: Buffer.byteLength(json), values: countValues(read.output) });
  return excess === undefined
    ? { ok: true, json }
    : unusableAnswer(`${request.method} ${hostWords(url)} returned a response that ${excess}.`);
}

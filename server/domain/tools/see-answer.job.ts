// Reads and scrubs an answer that is too large for the main thread.
import type { JsonObject } from '../../../shared/json.ts';
import { scrubberOf, type ScrubberPart } from '../../lib/scrub/index.ts';
import { answeredOf } from './mcp/content.ts';
import { endOf } from './openapi/answer.ts';
import { saidWords, type SeenTexts, seenTexts } from './result.ts';
import type { ToolResult, FailedCall, LargeAnswer } from './server.ts';

/** What a worker makes of an answer. */
export type SeenAnswer = { kind: 'seen'; isError: boolean; requestId?: string; seen: SeenTexts } | FailedCall;

export interface AnswerJob {
  answer: LargeAnswer;
  scrubber: readonly ScrubberPart[];
}

export function seeAnswer({ answer, scrubber }: AnswerJob): SeenAnswer {
  const end = read(answer);
  const scrubs = scrubberOf(scrubber);
  // It may be the whole body.
  if (end.kind === 'failed')
    return end.serverMessage === undefined ? end : { ...end, serverMessage: saidWords(end.serverMessage, scrubs) };
  const { isError, requestId } = end;
  const seen = seenTexts(end, scrubs);
  return { kind: 'seen', isError, seen, ...(requestId === undefined ? {} : { requestId }) };
}

function read(answer: LargeAnswer): ToolResult | FailedCall {
  if (answer.form === 'http') return endOf(answer.answer, answer);
  // The transport found it to be a message with a result that is an object.
  const { result } = JSON.parse(answer.message) as { result: JsonObject };
  return answeredOf(result, answer.requestIdName);
}

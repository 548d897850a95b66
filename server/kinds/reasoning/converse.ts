// The turns of a run: the model is asked, calls tools, is asked again, until it answers.
//
// 1. At most `max_steps` turns. Tools are called in the order in which the model asks for them, one after the other.
// 2. A tool's error, and a call that cannot be made of what the model wrote, go back to the model.
// 3. Once a tool was called, whatever keeps the run from its answer ends it as `tools_unfinished` or `effect_unknown`:
//    what only the conversation knows the cause of is said here, and the rest where the ending is recorded.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { Refused, type Rejection } from '../../lib/rejection.ts';
import type { ModelFault, ModelMessage, ModelRequest, ModelTurn, RunModels } from '../models.ts';
import { type RunTools, unfinished } from '../tools.ts';
import { cutOff, type ReadAnswer } from './output.ts';
import type { Recorder } from './record.ts';
import { callAsAsked, type OfferedTools } from './tools.ts';

export interface Conversation {
  models: RunModels;
  tools: RunTools;
  offered: OfferedTools;
  recorder: Recorder;
  /** Without what the conversation itself brings. */
  request: Omit<ModelRequest, 'messages' | 'tools' | 'judge' | 'schema'>;
  messages: readonly ModelMessage[];
  /** Absent: the answer is text. */
  json?: { schema: JsonObject; read: (text: string) => Promise<ReadAnswer> };
  maxSteps: number;
}

export type ConversationResult =
  | { end: 'answered'; answer: Json }
  | { end: 'rejected'; rejection: Rejection }
  | { end: 'failed'; detail: string };

export async function converse(conversation: Conversation): Promise<ConversationResult> {
  const { models, tools, offered, recorder, request, json, maxSteps } = conversation;
  const messages = [...conversation.messages];

  function broken(detail: string, because: string, otherwise: ConversationResult): ConversationResult {
    const used = tools.used();
    return used === 'none' ? otherwise : { end: 'rejected', rejection: unfinished(used, detail, because) };
  }

  try {
    for (let step = 1; ; step += 1) {
      let answer: Json | undefined;
      const judge = async (turn: ModelTurn): Promise<ModelFault | undefined> => {
        if (asksForTools(turn, offered)) return undefined;
        if (json === undefined) {
          answer = turn.text;
          return undefined;
        }
        if (turn.finishReason === 'length') return cutOff(request.settings.maxOutputTokens);
        const read = await json.read(turn.text);
        if (!read.ok) return read.fault;
        answer = read.value;
        return undefined;
      };
      // oxlint-disable-next-line no-await-in-loop -- each turn follows from the one before
      const asked = await models.ask({
        ...request,
        messages,
        tools: offered.tools,
        schema: json?.schema,
        judge,
      });
      for (const { tool, reason } of asked.leftOut ?? []) {
        const { server, tool: own } = offered.find(tool) ?? { server: '', tool };
        recorder.toolLeftOut(server, own, reason);
      }
      if (asked.turn !== undefined) recorder.turn(asked.turn, asked.durationMs);
      if (!asked.ok) return broken(asked.fault.detail, asked.fault.kind, endOf(asked.fault));
      if (answer !== undefined) return { end: 'answered', answer };
      if (step >= maxSteps) {
        const detail = `The model still requested tools after ${maxSteps} turns; raise \`config.max_steps\`, or request less.`;
        return broken(detail, 'max_steps', {
          end: 'rejected',
          rejection: { reason: 'conflict', kind: 'unworkable', detail },
        });
      }
      messages.push({ role: 'assistant', raw: asked.turn.raw });
      const results: Extract<ModelMessage, { role: 'tool' }>['results'][number][] = [];
      for (const wanted of asked.turn.toolCalls) {
        // oxlint-disable-next-line no-await-in-loop -- a call may depend on what the one before changed
        const toolAnswer = await callAsAsked(wanted, offered, tools);
        if (toolAnswer === undefined || request.signal.aborted) return { end: 'failed', detail: 'interrupted' };
        if (toolAnswer.called !== undefined) recorder.toolCalled(toolAnswer.called);
        results.push({ callId: wanted.id, tool: wanted.tool, text: toolAnswer.text, isError: toolAnswer.isError });
      }
      messages.push({ role: 'tool', results });
    }
  } catch (error) {
    // A tool cannot be called any more, or too many call it: nothing was sent for this.
    if (!(error instanceof Refused)) throw error;
    return { end: 'rejected', rejection: error.rejection };
  }
}

/** A model may ask for tools where none are offered: that is no answer of its own, and its text is taken. */
function asksForTools({ toolCalls }: ModelTurn, offered: OfferedTools): boolean {
  return toolCalls.length > 0 && offered.tools.length > 0;
}

function endOf({ rejection, detail }: ModelFault): ConversationResult {
  return rejection === undefined ? { end: 'failed', detail } : { end: 'rejected', rejection };
}

// What a run's record says of its calls of models. No prompt, no answer, no key.
import type { JsonObject } from '../../../shared/json.ts';
import type { ModelTokens, ModelTurn } from '../models.ts';

export interface Recorder {
  turn(turn: ModelTurn, durationMs: number): void;
  /** A tool that the last turn asked for was called. */
  toolCalled(call: JsonObject): void;
  /** The provider would refuse the tool, so the model was not offered it. */
  toolLeftOut(server: string, tool: string, reason: string): void;
  record(durationMs: number): JsonObject;
}

interface TurnRecord {
  finish_reason: string;
  tokens: ModelTokens;
  duration_ms: number;
  tool_calls: JsonObject[];
}

export function createRecorder(requested: string, resolved: string): Recorder {
  const steps: TurnRecord[] = [];
  let last: ModelTurn | undefined;
  const ignored = new Set<string>();
  const leftOut = new Map<string, JsonObject>();
  return {
    turn(turn, durationMs) {
      last = turn;
      for (const name of turn.ignored) ignored.add(name);
      steps.push({ finish_reason: turn.finishReason, tokens: turn.tokens, duration_ms: durationMs, tool_calls: [] });
    },
    toolCalled(call) {
      steps.at(-1)?.tool_calls.push(call);
    },
    toolLeftOut(server, tool, reason) {
      leftOut.set(`${server}/${tool}`, { server, tool, reason });
    },
    record(durationMs) {
      const sum = (member: keyof ModelTokens): number => steps.reduce((total, { tokens }) => total + tokens[member], 0);
      return {
        model: { requested, resolved, reported: last?.reported ?? null },
        finish_reason: last?.finishReason ?? null,
        tokens: { input: sum('input'), output: sum('output'), cached: sum('cached') },
        steps: steps.map(({ tokens, tool_calls: calls, ...step }) => ({
          ...step,
          tokens: { ...tokens },
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        })),
        ...(ignored.size === 0 ? {} : { ignored_settings: [...ignored] }),
        ...(leftOut.size === 0 ? {} : { left_out_tools: [...leftOut.values()] }),
        duration_ms: durationMs,
      };
    },
  };
}

// The turns of a model in a reasoning run, from the record of the run. The record has the duration of each turn and how
// many tools it requested, but not its start: a turn starts when the previous one ended, or its last tool call.
import { memberOf } from '../../../shared/json.ts';

export interface Turn {
  durationMs: number;
  finishReason: string;
  tokens: { input: number; output: number; cached: number };
  /** The tools it requested. */
  calls: readonly { server: string; tool: string; outcome: string }[];
}

export interface TurnSpan {
  turn: Turn;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
}

/** The turns in a record; empty for other kinds of records and for records too large for an event. */
export function turnsOf(record: unknown): Turn[] {
  const steps = memberOf(record, 'steps');
  if (!Array.isArray(steps)) return [];
  return steps.map((step): Turn => {
    const tokens = memberOf(step, 'tokens');
    const calls = memberOf(step, 'tool_calls');
    return {
      durationMs: numberOf(memberOf(step, 'duration_ms')),
      finishReason: String(memberOf(step, 'finish_reason') ?? ''),
      tokens: {
        input: numberOf(memberOf(tokens, 'input')),
        output: numberOf(memberOf(tokens, 'output')),
        cached: numberOf(memberOf(tokens, 'cached')),
      },
      calls: Array.isArray(calls)
        ? calls.map((call) => ({
            server: String(memberOf(call, 'server')),
            tool: String(memberOf(call, 'tool')),
            outcome: String(memberOf(call, 'outcome')),
          }))
        : [],
    };
  });
}

/** @param callEnds when the tools that were called ended, in the order they were called */
export function placeTurns(turns: readonly Turn[], start: number, callEnds: readonly number[]): TurnSpan[] {
  let at = start;
  let called = 0;
  return turns.map((turn) => {
    const end = at + turn.durationMs;
    const span = { turn, start: at, end };
    at = Math.max(end, ...callEnds.slice(called, called + turn.calls.length));
    called += turn.calls.length;
    return span;
  });
}

export function turnWords({ tokens, finishReason }: Turn): string {
  return `${tokens.input.toLocaleString()} input tokens, ${tokens.output.toLocaleString()} output tokens; ${finishReason.replaceAll(/[-_]/g, ' ')}`;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

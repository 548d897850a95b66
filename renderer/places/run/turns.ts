// The turns that a model took in a reasoning run, of the run's record. The record says how long each took and how many
// tools it asked for, not when it began: a turn begins where the one before ended, or the last tool that one asked for.

export interface Turn {
  durationMs: number;
  finishReason: string;
  tokens: { input: number; output: number; cached: number };
  /** Tools that were called because it asked for them. */
  calls: readonly { server: string; tool: string; outcome: string }[];
}

export interface TurnSpan {
  turn: Turn;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
}

/** The turns that a record holds; none where it is of another kind or too large to stand in an event. */
export function turnsOf(record: unknown): Turn[] {
  const steps = member(record, 'steps');
  if (!Array.isArray(steps)) return [];
  return steps.map((step): Turn => {
    const tokens = member(step, 'tokens');
    const calls = member(step, 'tool_calls');
    return {
      durationMs: numberOf(member(step, 'duration_ms')),
      finishReason: String(member(step, 'finish_reason') ?? ''),
      tokens: {
        input: numberOf(member(tokens, 'input')),
        output: numberOf(member(tokens, 'output')),
        cached: numberOf(member(tokens, 'cached')),
      },
      calls: Array.isArray(calls)
        ? calls.map((call) => ({
            server: String(member(call, 'server')),
            tool: String(member(call, 'tool')),
            outcome: String(member(call, 'outcome')),
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
  return `${tokens.input.toLocaleString()} tokens read, ${tokens.output.toLocaleString()} written; ${finishReason.replaceAll(/[-_]/g, ' ')}`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

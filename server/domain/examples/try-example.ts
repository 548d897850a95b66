// Runs an example of a definition in memory and compares its output with the expected output.
import { assertNever } from '../../../shared/assert-never.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { type JsonDifference, differencesOf } from '../../../shared/json-differences.ts';
import { TESTED_BOUNDS } from '../../../shared/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import { Refused } from '../../lib/rejection.ts';
import { createIds } from '../../kernel/ids.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { CheckedDocument, Example } from '../../kinds/checked.ts';
import type { CloudEvent } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Ending } from '../../kinds/run.ts';
import { NO_TOOLS } from '../../kinds/tools.ts';
import { type SimulatedKind, type SimulationResult, simulate } from '../../kinds/simulate.ts';
import type { SimulatedCall } from '../../kinds/simulated-calls.ts';

export type ExampleOutcome =
  /** `output` is absent if the example was only checked. */
  | { status: 'passed'; output?: Json }
  /**
   * `differences`, at most `TESTED_BOUNDS` permit: where the output is not the expected one, if that is why. `detail`: other
   * reasons; empty if there are none.
   */
  | { status: 'failed'; detail: string; output?: Json; differences?: JsonDifference[] }
  | { status: 'not_run'; detail: string };

/** A definition whose examples are run. */
export interface TriedDefinition {
  playbookKey: PlaybookKey;
  name: string;
  source: string;
  document: CheckedDocument;
}

export interface TryOptions {
  /** Whether models are called. */
  isLive?: boolean;
  /** Aborted when nobody waits for the outcome any more. */
  signal: AbortSignal;
}

/** The time at which examples run, in milliseconds since 1970, so that their output is the same every day. */
const EXAMPLE_TIME = Date.UTC(2026, 0, 1);

export async function tryExample(
  kind: Kind,
  tried: TriedDefinition,
  example: Example,
  options: TryOptions,
): Promise<ExampleOutcome> {
  try {
    const { decide, describe } = kind;
    const isLive = options.isLive === true && kind.traits.needsModel === true;
    if (kind.tryExample !== undefined && !isLive) {
      const wrong = await kind.tryExample({ ...tried, example, now: EXAMPLE_TIME, signal: options.signal });
      return wrong.length === 0 ? { status: 'passed' } : failed(wrong.join('\n'));
    }
    if (decide !== undefined && describe !== undefined) {
      return await simulateExample({ decide, describe }, tried, example, options.signal);
    }
    return await runExample(kind, tried, example, options.signal);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { reason } = error.rejection;
    return reason === 'unavailable' ? { status: 'not_run', detail: error.message } : failed(error.message);
  }
}

async function runExample(
  kind: Kind,
  { playbookKey, name, source, document }: TriedDefinition,
  example: Example,
  signal: AbortSignal,
): Promise<ExampleOutcome> {
  if (kind.runExample !== undefined) {
    const ending = await kind.runExample({
      playbookKey,
      source,
      document,
      example,
      now: EXAMPLE_TIME,
      signal,
    });
    return compare(ending, example);
  }
  const { outputSchema } = document;
  const ending = await kind.start({
    ...playbookKey,
    runId: createIds(systemClock)(),
    attempt: 1,
    name,
    version: 1,
    source,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    input: example.input,
    startedAt: EXAMPLE_TIME,
    depth: 0,
    signal,
    tools: NO_TOOLS,
  });
  return ending.status === 'waiting' ? failed('the run waits for an answer') : compare(ending, example);
}

async function simulateExample(
  kind: SimulatedKind,
  { playbookKey, source }: TriedDefinition,
  example: Example,
  signal: AbortSignal,
): Promise<ExampleOutcome> {
  const unsaid = new Set<string>();
  const { ending, waitsFor, sequenceCalls } = await simulate(kind, {
    playbookKey,
    source,
    input: example.input,
    now: EXAMPLE_TIME,
    events: (example.events ?? []).map(asSent),
    calls: example.calls ?? {},
    failures: example.failures ?? {},
    sequences: example.sequences ?? {},
    answer: ({ called, reference }: SimulatedCall) => {
      const detail = `The example has no result for the call of ${called} at ${reference}; add it to \`calls\`, or to \`failures\` where it is to fail.`;
      unsaid.add(detail);
      return { status: 'failed', detail };
    },
    signal,
  });
  const outcome =
    ending === undefined
      ? failed(`the run waits for ${waitsFor ?? 'something'}, which the example does not provide`)
      : compare(ending, example);
  const uneven = unevenSequences(example, sequenceCalls);
  if (outcome.status !== 'failed' && uneven.length === 0) return outcome;
  // A workflow may catch the failed call, so the cause is reported as well.
  const own = outcome.status === 'passed' || outcome.detail === '' ? [] : [outcome.detail];
  return { ...outcome, status: 'failed', detail: withoutRepeats([...own, ...uneven, ...unsaid]).join('\n') };
}

/** Says of which sequences the run made more or fewer calls than they have entries. */
function unevenSequences({ sequences = {} }: Example, counts: SimulationResult['sequenceCalls']): string[] {
  return Object.entries(sequences).flatMap(([key, { length }]) => {
    const count = counts.get(key) ?? 0;
    if (count === length) return [];
    const entries = `${length} ${length === 1 ? 'entry' : 'entries'}`;
    const calls = `${count} ${count === 1 ? 'call' : 'calls'}`;
    const instead =
      count > length ? 'add one for each call' : 'remove those left over, or check why fewer calls are made';
    return [`\`sequences\` has ${entries} for ${key}, and the run made ${calls}; ${instead}.`];
  });
}

function withoutRepeats(details: readonly string[]): string[] {
  return details.filter((detail, index) => !details.slice(0, index).some((earlier) => earlier.includes(detail)));
}

/** An event as the run receives it, with defaults for attributes that the example leaves out. */
function asSent(event: JsonObject, index: number): CloudEvent {
  return { id: `event-${index + 1}`, source: '/examples', type: '', specversion: '1.0', ...event };
}

function compare(ending: Ending, { output: expected }: Example): ExampleOutcome {
  switch (ending.status) {
    case 'succeeded': {
      const { output } = ending;
      const differences = expected === undefined ? [] : differencesOf(expected, output, TESTED_BOUNDS.differences);
      if (expected === undefined || differences.length === 0) return { status: 'passed', output };
      return { status: 'failed', detail: '', output, differences };
    }
    case 'rejected': {
      const { detail, issues = [] } = ending.rejection;
      return failed([detail, ...issues.map((issue) => issue.detail)].join('\n'));
    }
    case 'failed':
      return failed(ending.detail);
    default:
      return assertNever(ending);
  }
}

function failed(detail: string): Extract<ExampleOutcome, { status: 'failed' }> {
  return { status: 'failed', detail };
}

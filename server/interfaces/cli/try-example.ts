// Runs an example of a definition in memory and compares its output with the expected output.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { CheckedDocument, Example } from '../../kinds/checked.ts';
import type { CloudEvent } from '../../kinds/durable.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Ending } from '../../kinds/run.ts';
import { NO_TOOLS } from '../../kinds/tools.ts';
import { type SimulatedCall, type SimulatedKind, simulate } from '../../kinds/simulate.ts';
import type { DefinitionFile } from './folder-files.ts';

export interface ExampleResult {
  passed: boolean;
  /** Why it failed; absent if it passed. */
  detail?: string;
}

/** The time at which examples run, in milliseconds since 1970, so that their output is the same every day. */
const EXAMPLE_TIME = Date.UTC(2026, 0, 1);

/**
 * @param document the checked document of the file
 * @param isLive whether models are called
 */
export function tryExample(
  kind: Kind,
  file: DefinitionFile,
  document: CheckedDocument,
  example: Example,
  isLive = false,
): Promise<ExampleResult> {
  const { decide, describe } = kind;
  if (decide !== undefined && describe !== undefined) return simulateExample({ decide, describe }, file, example);
  return kind.tryExample === undefined || (isLive && kind.traits.needsModel === true)
    ? runExample(kind, file, document, example)
    : wordsOf(kind.tryExample(file.source, example, EXAMPLE_TIME));
}

async function wordsOf(tried: Promise<readonly string[]>): Promise<ExampleResult> {
  const wrong = await tried;
  return wrong.length === 0 ? { passed: true } : failed(wrong.join('\n'));
}

async function runExample(
  kind: Kind,
  file: DefinitionFile,
  document: CheckedDocument,
  example: Example,
): Promise<ExampleResult> {
  const { outputSchema } = document;
  if (kind.carryOutExample !== undefined) {
    return compare(await kind.carryOutExample({ source: file.source, document, example, now: EXAMPLE_TIME }), example);
  }
  const ending = await kind.start({
    org: 'local',
    playbook: 'test',
    runId: createIds(systemClock)(),
    attempt: 1,
    name: file.name,
    version: 1,
    source: file.source,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    input: example.input,
    startedAt: EXAMPLE_TIME,
    depth: 0,
    signal: new AbortController().signal,
    tools: NO_TOOLS,
  });
  return ending.status === 'waiting' ? failed('the run waits for an answer') : compare(ending, example);
}

async function simulateExample(kind: SimulatedKind, file: DefinitionFile, example: Example): Promise<ExampleResult> {
  const unsaid = new Set<string>();
  const { ending, waitsFor } = await simulate(kind, {
    source: file.source,
    input: example.input,
    now: EXAMPLE_TIME,
    events: (example.events ?? []).map(asSent),
    calls: example.calls ?? {},
    answer: ({ called, reference }: SimulatedCall) => {
      unsaid.add(`The example has no result for the call of ${called} at ${reference}; add it to \`calls\`.`);
      return undefined;
    },
  });
  const tried =
    ending === undefined
      ? failed(`the run waits for ${waitsFor ?? 'something'}, which the example does not provide`)
      : compare(ending, example);
  // A workflow may catch the failed call, so the cause is reported as well.
  return tried.passed ? tried : failed([tried.detail, ...unsaid].join('\n'));
}

/** An event as the run receives it, with defaults for attributes that the example leaves out. */
function asSent(event: JsonObject, index: number): CloudEvent {
  return { id: `event-${index + 1}`, source: '/examples', type: '', specversion: '1.0', ...event };
}

function compare(ending: Ending, { output }: Example): ExampleResult {
  switch (ending.status) {
    case 'succeeded':
      return output === undefined || canonicalJson(ending.output) === canonicalJson(output)
        ? { passed: true }
        : failed(`returned ${shown(ending.output)}; expected ${shown(output)}`);
    case 'rejected':
      return failed(
        [ending.rejection.detail, ...(ending.rejection.issues ?? []).map(({ detail }) => detail)].join('\n'),
      );
    case 'failed':
      return failed(ending.detail);
  }
}

function failed(detail: string): ExampleResult {
  return { passed: false, detail };
}

function shown(value: Json): string {
  return JSON.stringify(value);
}

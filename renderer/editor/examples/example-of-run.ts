// What of a run an example can hold.
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import type { DraftRun, EventRecord } from '../../../shared/api/index.ts';
import type { NewExample } from './add-example.ts';

export interface ExampleOfRun {
  example: Omit<NewExample, 'name'>;
  /** What is not in it, in words. */
  missing?: string;
}

/** The result of a call, by the pointer of its step. */
interface CallResult {
  step: string;
  output: Json | undefined;
}

export function exampleOfDraft(type: DefinitionType, input: Json, { output, calls }: DraftRun): ExampleOfRun {
  const own = calls
    .filter(({ call }) => !call.includes(' > '))
    .map(({ call, output: result }) => ({ step: call.replace(/#\d+$/, ''), output: result }));
  return exampleOf(type, { input, output: output as Json, calls: own });
}

/** @param events of the run's tree */
export function exampleOfRun(
  type: DefinitionType,
  runId: string,
  { input, output }: { input: Json; output: Json },
  events: readonly EventRecord[],
): ExampleOfRun {
  const calls = events
    .filter(
      ({ type: what, metadata, data }) =>
        what === 'step_finished' && metadata.run_id === runId && data['kind'] === 'call',
    )
    .map(({ data }) => ({ step: String(data['step']), output: data['output'] }));
  return exampleOf(type, { input, output, calls });
}

function exampleOf(
  type: DefinitionType,
  { input, output, calls }: { input: Json; output: Json; calls: readonly CallResult[] },
): ExampleOfRun {
  if (DEFINITION_FACTS[type].callsDefinitions !== true) return { example: { input, output } };
  const results: Record<string, Json> = {};
  const unclear = new Set<string>();
  for (const { step, output: result } of calls) {
    const isOther = results[step] !== undefined && JSON.stringify(results[step]) !== JSON.stringify(result);
    if (result === undefined || isOther) unclear.add(step);
    else results[step] = result;
  }
  const missing =
    unclear.size === 0
      ? {}
      : {
          missing: `The results of these steps are not in the example, because they are too large, failed or differ from call to call: ${[...unclear].join(', ')}. Add them under calls or failures.`,
        };
  return {
    example: { input, output, ...(Object.keys(results).length === 0 ? {} : { calls: results }) },
    ...missing,
  };
}

// The results that are given for the calls of a simulated run.
import type { Json } from '../../shared/json.ts';
import type { CallFailure, CallResult } from './checked.ts';
import type { Ending } from './run.ts';

export interface SimulatedCall {
  reference: string;
  called: string;
  input: Json;
}

/** Each of them is by the pointer of the step, or by TYPE/NAME or SERVER/TOOL. The pointer takes precedence. */
export interface GivenCalls {
  /** Results of calls. */
  calls?: Readonly<Record<string, Json>>;
  /** How calls end that do not succeed. */
  failures?: Readonly<Record<string, CallFailure>>;
  /** How the calls of a name end one by one, in the order in which they begin; a retry is a call as well. */
  sequences?: Readonly<Record<string, readonly CallResult[]>>;
}

interface EndingsOfCalls {
  /** Undefined if nothing is given for the call. */
  givenFor: (call: SimulatedCall) => Ending | undefined;
  /** How many calls took an entry of each of the `sequences`, or found none left, by its key. */
  readonly counts: ReadonlyMap<string, number>;
}

export function createGivenCalls({ calls = {}, failures = {}, sequences = {} }: GivenCalls): EndingsOfCalls {
  const counts = new Map(Object.keys(sequences).map((key) => [key, 0]));

  /** Takes the next entry of a sequence. */
  function nextOf(key: string, sequence: readonly CallResult[], call: SimulatedCall): Ending {
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    const result = sequence[number - 1];
    if (result !== undefined)
      return 'failure' in result ? failedAs(result.failure, call.called) : succeeded(result.output);
    return { status: 'failed', detail: `\`sequences\` has no entry for call ${number} of ${key}.` };
  }

  return {
    counts,
    givenFor(call) {
      for (const key of [call.reference, call.called]) {
        const [sequence, failure, output] = [own(sequences, key), own(failures, key), own(calls, key)];
        if (sequence !== undefined) return nextOf(key, sequence, call);
        if (failure !== undefined) return failedAs(failure, call.called);
        if (output !== undefined) return succeeded(output);
      }
      return undefined;
    },
  };
}

function own<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function succeeded(output: Json): Ending {
  return { status: 'succeeded', output, record: {} };
}

/** The ending of a call that the caller lets fail. @param where the caller, in words */
export function failedAs(
  failure: CallFailure,
  called: string,
  where = 'example',
): Exclude<Ending, { status: 'succeeded' }> {
  const detail = `In this ${where}, the call of ${called} ends as ${failure}.`;
  if (failure === 'failed') return { status: 'failed', detail };
  return {
    status: 'rejected',
    rejection: { reason: failure, detail, ...(failure === 'unanswered' ? { kind: 'expired' } : {}) },
  };
}

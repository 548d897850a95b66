// What the engine asks for while it decides. It does no I/O of its own: a driver answers each request.
import type { Issue } from '../../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { Evaluation } from '../../../lib/jq/index.ts';
import type { CloudEvent } from '../../durable.ts';

export type Request =
  | { ask: 'evaluate'; expression: string; input: Json; variables: Readonly<Record<string, Json>> }
  | { ask: 'check'; schema: JsonObject; value: Json; pointer: string }
  | { ask: 'part'; key: string }
  | { ask: 'mailbox' };

/** A computation that may ask on its way to a result. */
export type Asking<Result> = Generator<Request, Result, unknown>;

export function* askEvaluate(
  expression: string,
  input: Json,
  variables: Readonly<Record<string, Json>>,
): Asking<Evaluation> {
  return (yield { ask: 'evaluate', expression, input, variables }) as Evaluation;
}

/** Everything about the value that does not fit the schema, at pointers below `pointer`. */
export function* askCheck(schema: JsonObject, value: Json, pointer: string): Asking<readonly Issue[]> {
  return (yield { ask: 'check', schema, value, pointer }) as readonly Issue[];
}

/** A part of the run's state as it was before this input. */
export function* askPart(key: string): Asking<Json | undefined> {
  return (yield { ask: 'part', key }) as Json | undefined;
}

/** The events that were sent to the run and that nothing took yet, in the order of their arrival. */
export function* askMailbox(): Asking<readonly CloudEvent[]> {
  return (yield { ask: 'mailbox' }) as readonly CloudEvent[];
}

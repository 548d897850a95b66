// What starts a run: a caller, another run, or a trigger.
import type { Json } from '../../../../shared/json.ts';
import type { Rejection } from '../../../lib/rejection.ts';
import type { DefinitionKey, Runnable } from '../../definitions/index.ts';
import type { WriteTransaction } from '../../../kernel/log/index.ts';
import type { RunWait } from '../../../operations/index.ts';
import type { Waiter } from './sql.ts';
import type { Chain } from '../history/events.ts';

/** A piece of a text: it replaces everything from its position on. */
export interface TextPiece {
  /** In UTF-16 code units. If it is past the end of the text so far, the part in between was dropped. */
  from: number;
  text: string;
}

export interface RunInvocation extends DefinitionKey {
  /** Made by the service when the caller names none. */
  runId: string | undefined;
  /** The service made the id for this request, so that no run can have it yet. */
  isNewId?: boolean;
  input: Json;
  /** The version to run; the current one if absent. */
  version?: number;
  /** The model to call instead of the definition's. */
  model?: string;
  by: string;
  traceId?: string;
  signal: AbortSignal;
  /** Gets what the model of the run writes, where the run ends within this request. */
  onText?: (pieces: AsyncIterable<TextPiece>) => void;
  /** Waits for the end of a run that outlasts the request; absent: the response is `started`. */
  wait?: RunWait;
  /** What started it; absent where a caller did. */
  chain?: Chain;
  /** The event that started it, where one did. */
  cause?: string;
  /** Ends the run at once: nothing of it is executed. */
  rejection?: Rejection;
  /** Where another run calls it. */
  call?: RunCall;
}

/** The call that a run comes from, which is kept as a task until the run has ended, or waits. */
export interface RunCall {
  /** Whether it is the first try: its run can only exist if another request used the id. */
  isFirstTry: boolean;
  /** The waiter, where the task holds it. */
  waiter?: Waiter;
  /** Called in the transaction that records the start by itself. @throws LeaseLost if the call is no longer wanted */
  requireHeld(tx: WriteTransaction): Promise<void>;
  /** Called when the function has ended, before its outcome is recorded. */
  worked(): void;
  /** Removes the call in the transaction that records the ending, or the wait, of a recorded attempt; whether it is wanted. */
  settle(tx: WriteTransaction): Promise<boolean>;
  /** Removes the call in the transaction that records the whole attempt. @throws LeaseLost if it is no longer wanted */
  finish(tx: WriteTransaction): Promise<void>;
}

/** What this process remembers was assumed, and another process has changed it. Nothing was recorded. */
export class Outdated extends Error {}

export type RunTrigger = NonNullable<Chain['trigger']>;

/** A run that a trigger starts. */
export interface TriggeredRun {
  key: DefinitionKey;
  runnable: Runnable;
  runId: string;
  input: Json;
  inputSha256: string;
  trigger: RunTrigger;
  /** Reactions above the run. */
  depth: number;
  /** The event that started it, or the last of several. */
  cause?: string;
  /** The events that started it together, if there are several. */
  causes?: readonly string[];
  /** Its caller; absent: the playbook itself. */
  by?: string;
  traceId?: string;
  mayStart: (tx: WriteTransaction) => Promise<boolean>;
  /** Whether pure functions may be called before the start is recorded: no earlier try was cut off. */
  mayCall: boolean;
}

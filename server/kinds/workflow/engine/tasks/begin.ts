// What each kind of task does when it is entered.
import { assertNever } from '../../../../../shared/assert-never.ts';
import type { Asking } from '../requests.ts';
import type { Visit } from '../steps.ts';
import type { Work } from '../work.ts';
import { beginCall } from './call.ts';
import { beginDo } from './do.ts';
import { beginEmit } from './emit.ts';
import { beginExtension } from './extension.ts';
import { beginFor } from './for.ts';
import { beginFork } from './fork.ts';
import { beginListen } from './listen.ts';
import { beginRaise } from './raise.ts';
import { beginRun } from './run.ts';
import { beginSet } from './set.ts';
import { beginSwitch } from './switch.ts';
import { beginTry } from './try.ts';
import { beginWait } from './wait.ts';

/** Begins the task of a step, and ends it where it need not wait. @throws Fault */
export function* beginTask(work: Work, visit: Visit): Asking<void> {
  const { kind } = visit.step;
  switch (kind) {
    case 'call':
      return yield* beginCall(work, visit);
    case 'do':
      return yield* beginDo(work, visit);
    case 'emit':
      return yield* beginEmit(work, visit);
    case 'extension':
      return yield* beginExtension(work, visit);
    case 'for':
      return yield* beginFor(work, visit);
    case 'fork':
      return yield* beginFork(work, visit);
    case 'listen':
      return yield* beginListen(work, visit);
    case 'raise':
      return yield* beginRaise(work, visit);
    case 'run':
      return yield* beginRun(work, visit);
    case 'set':
      return yield* beginSet(work, visit);
    case 'switch':
      return yield* beginSwitch(work, visit);
    case 'try':
      return yield* beginTry(work, visit);
    case 'wait':
      return yield* beginWait(work, visit);
    default:
      return assertNever(kind);
  }
}

import type { Clock } from '../../../lib/clock.ts';
import type { HttpSender } from '../../../lib/http-client/index.ts';
import type { TextWork } from '../../../lib/text-work/index.ts';
import type { Secrets } from './authentication.ts';
import type { IsHostAllowed } from './hosts.ts';
import type { CallMemory } from './memory.ts';

/** What a call is made with. */
export interface CallSurroundings {
  http: HttpSender;
  textWork: TextWork;
  clock: Clock;
  memory: CallMemory;
  isHostAllowed: IsHostAllowed;
  /** The variables that the workflow may use, by name. Their values stand in nothing that the call leaves. */
  secrets: Secrets;
}

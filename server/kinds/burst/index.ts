export { Burst, newProgress } from './burst.ts';
export { type Bursts, createBursts, inProgress, newControl, type SentJob, stopBurst } from './bursts.ts';
export { continueBurst } from './continue-burst.ts';
export {
  type BurstRun,
  type CalledRun,
  type Continued,
  type CreateDecide,
  type Decided,
  type EndPure,
  NeedsMainThread,
  type PureFunction,
  type StartRun,
  type WorkerDecider,
} from './model.ts';

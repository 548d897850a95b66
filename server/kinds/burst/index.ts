export { Burst, newProgress } from './burst.ts';
export { type Bursts, createBursts, inProgress, newControl, type SentJob, stopBurst } from './bursts.ts';
export { carryOn } from './carry-on.ts';
export {
  type BurstRun,
  type CalledRun,
  type CarriedOn,
  type CreateDecide,
  type Decided,
  type EndPure,
  NotHere,
  type PureFunction,
  type StartRun,
  type WorkerDecider,
} from './model.ts';

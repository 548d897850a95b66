export { awaitedIn } from './awaited.ts';
export { interestsOf, readAs } from './consume.ts';
export { decide } from './decide.ts';
export { errorOfType } from './faults.ts';
export { hotKey, ROOT } from './frames.ts';
export { gather } from './gather.ts';
export { type Plan, planOf } from './plan.ts';
export type { Asking, Request } from './requests.ts';
export type { Facts } from './work.ts';

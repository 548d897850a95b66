export { awaitedIn } from './frames.ts';
export { interestsOf, readAs } from './consume.ts';
export { decide } from './decide.ts';
export { errorOfType } from './faults.ts';
export { hotKey, ROOT } from './frames.ts';
export { gather } from './gather.ts';
export { planOf } from './make-plan.ts';
export type { Facts, Plan } from './model.ts';
export type { Asking, Request } from './requests.ts';

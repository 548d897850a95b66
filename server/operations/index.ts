export { type Callable, makeCallable } from './carry-out.ts';
export {
  type Call,
  type Caller,
  defineOperation,
  defineStream,
  isCommand,
  type JsonOperation,
  type Method,
  MOST_BODY_VALUES,
  type Operation,
  type Permission,
  type RunWait,
  type StreamedEvent,
  type StreamOperation,
} from './operation.ts';
export { PAGE_FIELDS, pageOf, type PageRequest, pageRequest } from './pages.ts';

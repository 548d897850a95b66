export { createEvents, type Events } from './events.ts';
export { eventOperations } from './operations.ts';

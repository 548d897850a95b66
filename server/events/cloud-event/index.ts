export { checkPublishedEvent } from './check-published-event.ts';
export { checkRunEvent } from './check-run-event.ts';
export { isSameTime, readInstant } from './instant.ts';
export { fingerprintText, type PublishedEvent } from './published-event.ts';

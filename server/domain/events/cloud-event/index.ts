export { checkPublishedEvent } from './check-published-event.ts';
export { checkRunEvent } from './check-run-event.ts';
export { daysSinceEpoch, isSameTime } from './instant.ts';
export { fingerprintText, type PublishedEvent } from './published-event.ts';

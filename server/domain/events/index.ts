export { checkPublishedEvent, checkRunEvent, type PublishedEvent } from './cloud-event/index.ts';
export { createEvents, type Events } from './events.ts';
export { followEvents } from './follow.ts';
export { eventOperations } from './operations.ts';
export { createPublishing, EventTaken, type Publishing, readPublished } from './publish.ts';
export { summaryOf } from './summary.ts';
export { subscribe, subscriptionMigrations, unsubscribe } from './subscriptions.ts';

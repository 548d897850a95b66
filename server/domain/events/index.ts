export { checkPublishedEvent, checkRunEvent, type PublishedEvent } from './cloud-event/index.ts';
export { createEvents, type Events } from './events.ts';
export { eventOperations } from './operations.ts';
export { createPublishing, EventTaken, type Publishing, readPublished } from './publish.ts';
export { subscribe, subscriptionMigrations, unsubscribe } from './subscriptions.ts';

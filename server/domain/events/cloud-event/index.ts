import type { Json, JsonObject } from '../../../../shared/json.ts';

export { checkPublishedEvent } from './check-published-event.ts';
export { checkRunEvent } from './check-run-event.ts';
export { daysSinceEpoch, isSameTime } from './instant.ts';

/** A CloudEvents 1.0 event as a publisher gives it, checked. */
export interface PublishedEvent {
  /** Where it happened: a URI reference. */
  source: string;
  /** What happened. */
  type: string;
  id?: string;
  /** RFC 3339, as it was given. */
  time?: string;
  subject?: string;
  specversion?: '1.0';
  datacontenttype?: string;
  dataschema?: string;
  data?: Json;
  [extension: string]: Json | undefined;
}

/** What two requests must have in common to publish the same event: everything except the time. */
export function fingerprintText(event: PublishedEvent): JsonObject {
  const entries = Object.entries({ ...event, specversion: '1.0' }).filter(([name]) => name !== 'time');
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

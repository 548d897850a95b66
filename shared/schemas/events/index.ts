// The data of each event type as it is recorded. Lists leave out large values.
import type { Static, TSchema } from 'typebox';
import { DEFINITION_EVENTS } from './definitions.ts';
import { INTERACTION_EVENTS } from './interactions.ts';
import { PREDICTION_EVENTS } from './predictions.ts';
import { PUBLISHED_EVENTS } from './published.ts';
import type { ReservedEventType } from './reserved-types.ts';
import { RUN_EVENTS } from './runs.ts';
import { TOOL_CALL_EVENTS } from './tool-calls.ts';
import { UNLISTED_EVENT_SCHEMAS } from './unlisted.ts';
import { WORKFLOW_EVENTS } from './workflows.ts';

export { isReservedEventType, RESERVED_EVENT_TYPES, type ReservedEventType } from './reserved-types.ts';

/** The schema of each event type. A missing schema breaks the build. */
export const EVENT_SCHEMAS = {
  ...RUN_EVENTS,
  ...TOOL_CALL_EVENTS,
  ...INTERACTION_EVENTS,
  ...PREDICTION_EVENTS,
  ...DEFINITION_EVENTS,
  ...PUBLISHED_EVENTS,
  ...WORKFLOW_EVENTS,
} satisfies Record<ReservedEventType, TSchema>;

export { UNLISTED_EVENT_SCHEMAS };

/** Every event type that is recorded. */
export type EventType = ReservedEventType | keyof typeof UNLISTED_EVENT_SCHEMAS;

/** The data of an event type. */
export type EventData<T extends EventType> = Static<(typeof EVENT_SCHEMAS & typeof UNLISTED_EVENT_SCHEMAS)[T]>;

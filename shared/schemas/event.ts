import Type, { type Static } from 'typebox';
import {
  count,
  DefinitionTypeSchema,
  integer,
  jsonObject,
  list,
  object,
  oneOf,
  optional,
  orNull,
  text,
  timestamp,
} from './fields.ts';
import { CalledBySchema, TriggerReferenceSchema } from './run.ts';

/** An event as the API returns it. */
export const EventSchema = object({
  id: text('The id, stable across reads.'),
  type: text('What happened, for example `run_started`.'),
  summary: text('One sentence for people.'),
  data: jsonObject(
    'The data of the event. Lists replace large values by their size in bytes, in a field with the suffix `_bytes`.',
  ),
  metadata: object('The origin, position and subject of the event.', {
    stream: text('The stream: a run, a definition or another thing whose events are in one order.'),
    position: integer('Position in the stream, from 1.', { minimum: 1 }),
    global_position: integer('Position in the whole store, with gaps; not the order in which events are read.'),
    correlation_id: orNull('The run at the top of the chain.', Type.String()),
    causation_id: orNull('The event that directly caused this event.', Type.String()),
    at: timestamp('When it was recorded.'),
    by: text('Who caused it: a caller, `playbook:` and its id, or `runtime`.'),
    run_id: optional(text('The run that the event belongs to.', { format: 'uuid' })),
    definition: optional(
      object('The definition that the event is about.', {
        type: DefinitionTypeSchema,
        name: text('Name of the definition.'),
        version: optional(integer('The version, if the event names one.', { minimum: 1 })),
      }),
    ),
    called_by: optional(CalledBySchema),
    call_depth: optional(count('The number of calls above the run.')),
    depth: optional(count('The number of reactions above the run: runs that were started by a trigger.')),
    trigger: optional(TriggerReferenceSchema),
    trace_id: optional(text('The trace id.', { pattern: '^[0-9a-f]{32}$' })),
    span_id: optional(text('The span id.', { pattern: '^[0-9a-f]{16}$' })),
  }),
});
export type EventRecord = Static<typeof EventSchema>;

/** What publish_event answers. */
export const PublishedSchema = object({
  id: text('The id of the event; generated if absent in the request.'),
  time: timestamp('When it happened; the time of recording if absent in the request.'),
  recorded_at: timestamp('When it was first recorded.'),
  event_id: text(
    'The recorded event; list_runs with it as `event` lists the runs that it started, alone or with others.',
    { 'x-addition': true },
  ),
  reached: optional(
    list(
      'The runs that the event is certain to start, and those in progress that listen for its type, source and subject, at most 100. A trigger that gathers several events, or whose filter takes longer to evaluate, is left out; list_runs with the `event_id` lists the runs that it starts. Absent if the event was published before.',
      object({
        run_id: text('The run.', { format: 'uuid' }),
        effect: oneOf(
          'Whether a trigger starts the run shortly after this, or the run is in progress and listens for the event.',
          ['starts', 'receives'],
        ),
        workflow: optional(text('The workflow of a run that starts.')),
      }),
      { 'x-addition': true },
    ),
  ),
});
export type Published = Static<typeof PublishedSchema>;
export type ReachedRun = NonNullable<Published['reached']>[number];

import Type, { type Static } from 'typebox';
import { DefinitionTypeSchema, jsonObject, timestamp } from './fields.ts';
import { CalledBySchema, TriggerReferenceSchema } from './run.ts';

/** An event as it is shown. */
export const EventSchema = Type.Object(
  {
    id: Type.String({ description: 'The id, stable across reads.' }),
    type: Type.String({ description: 'What happened, for example `run_started`.' }),
    summary: Type.String({ description: 'One plain sentence.' }),
    data: jsonObject('The fact. Lists show large values as their size in bytes, under the name plus `_bytes`.'),
    metadata: Type.Object(
      {
        stream: Type.String({ description: 'The thing whose events stand in one order, such as a run.' }),
        position: Type.Integer({ minimum: 1, description: 'Place in its stream, from 1.' }),
        global_position: Type.Integer({ description: 'Store-wide, with gaps; not the order of reading.' }),
        correlation_id: Type.Union([Type.String(), Type.Null()], { description: 'The run at the top of the chain.' }),
        causation_id: Type.Union([Type.String(), Type.Null()], { description: 'The event that directly caused it.' }),
        at: timestamp('When it was recorded.'),
        by: Type.String({ description: 'A caller, `playbook:` and its id, or `runtime`.' }),
        run_id: Type.Optional(Type.String({ format: 'uuid', description: 'The run that it belongs to.' })),
        definition: Type.Optional(
          Type.Object(
            {
              type: DefinitionTypeSchema,
              name: Type.String({ description: 'Name of the definition.' }),
              version: Type.Optional(
                Type.Integer({ minimum: 1, description: 'The version, where the event names one.' }),
              ),
            },
            { additionalProperties: false, description: 'The definition that it is about.' },
          ),
        ),
        called_by: Type.Optional(CalledBySchema),
        call_depth: Type.Optional(Type.Integer({ minimum: 0, description: 'Calls above the run.' })),
        depth: Type.Optional(Type.Integer({ minimum: 0, description: 'Reactions above the run.' })),
        trigger: Type.Optional(TriggerReferenceSchema),
        trace_id: Type.Optional(
          Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The trace it was recorded in.' }),
        ),
        span_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$', description: 'The span it was recorded in.' })),
      },
      { additionalProperties: false, description: 'What made the event, where it stands and what it is about.' },
    ),
  },
  { additionalProperties: false },
);
export type EventRecord = Static<typeof EventSchema>;

/** What publish_event answers. */
export const PublishedSchema = Type.Object(
  {
    id: Type.String({ description: "The event's id; made where none was given." }),
    time: timestamp('When it happened; the time of recording where none was given.'),
    recorded_at: timestamp('When it was first recorded.'),
  },
  { additionalProperties: false },
);
export type Published = Static<typeof PublishedSchema>;

import Type, { type Static } from 'typebox';
import { DefinitionTypeSchema, jsonObject, timestamp } from './fields.ts';
import { CalledBySchema, TriggerReferenceSchema } from './run.ts';

/** An event as the API returns it. */
export const EventSchema = Type.Object(
  {
    id: Type.String({ description: 'The id, stable across reads.' }),
    type: Type.String({ description: 'What happened, for example `run_started`.' }),
    summary: Type.String({ description: 'One sentence for people.' }),
    data: jsonObject(
      'The data of the event. Lists replace large values by their size in bytes, in a field with the suffix `_bytes`.',
    ),
    metadata: Type.Object(
      {
        stream: Type.String({
          description: 'The stream: a run, a definition or another thing whose events are in one order.',
        }),
        position: Type.Integer({ minimum: 1, description: 'Position in the stream, from 1.' }),
        global_position: Type.Integer({
          description: 'Position in the whole store, with gaps; not the order in which events are read.',
        }),
        correlation_id: Type.Union([Type.String(), Type.Null()], { description: 'The run at the top of the chain.' }),
        causation_id: Type.Union([Type.String(), Type.Null()], {
          description: 'The event that directly caused this event.',
        }),
        at: timestamp('When it was recorded.'),
        by: Type.String({ description: 'Who caused it: a caller, `playbook:` and its id, or `runtime`.' }),
        run_id: Type.Optional(Type.String({ format: 'uuid', description: 'The run that the event belongs to.' })),
        definition: Type.Optional(
          Type.Object(
            {
              type: DefinitionTypeSchema,
              name: Type.String({ description: 'Name of the definition.' }),
              version: Type.Optional(Type.Integer({ minimum: 1, description: 'The version, if the event names one.' })),
            },
            { additionalProperties: false, description: 'The definition that the event is about.' },
          ),
        ),
        called_by: Type.Optional(CalledBySchema),
        call_depth: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of calls above the run.' })),
        depth: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'The number of reactions above the run: runs that were started by a trigger.',
          }),
        ),
        trigger: Type.Optional(TriggerReferenceSchema),
        trace_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The trace id.' })),
        span_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$', description: 'The span id.' })),
      },
      { additionalProperties: false, description: 'The origin, position and subject of the event.' },
    ),
  },
  { additionalProperties: false },
);
export type EventRecord = Static<typeof EventSchema>;

/** What publish_event answers. */
export const PublishedSchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the event; generated if absent in the request.' }),
    time: timestamp('When it happened; the time of recording if absent in the request.'),
    recorded_at: timestamp('When it was first recorded.'),
    event_id: Type.String({
      'x-addition': true,
      description:
        'The recorded event; list_runs with it as `event` lists the runs that it started, alone or with others.',
    }),
    reached: Type.Optional(
      Type.Array(
        Type.Object(
          {
            run_id: Type.String({ format: 'uuid', description: 'The run.' }),
            effect: Type.Enum(['starts', 'receives'], {
              description:
                'Whether a trigger starts the run shortly after this, or the run is in progress and listens for the event.',
            }),
            workflow: Type.Optional(Type.String({ description: 'The workflow of a run that starts.' })),
          },
          { additionalProperties: false },
        ),
        {
          'x-addition': true,
          description:
            'The runs that the event is certain to start, and those in progress that listen for its type, source and subject, at most 100. A trigger that gathers several events, or whose filter takes longer to evaluate, is left out; list_runs with the `event_id` lists the runs that it starts. Absent if the event was published before.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Published = Static<typeof PublishedSchema>;
export type ReachedRun = NonNullable<Published['reached']>[number];

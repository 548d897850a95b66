import Type from 'typebox';
import { CLOSED, keptValue, text } from './fields.ts';

export const PUBLISHED_EVENTS = {
  event_published: Type.Object(
    {
      event: Type.Object(
        {
          source: text('Where it happened: a URI reference.'),
          type: text('What happened.'),
          id: text('Unique among the events of its source.'),
          time: text('When it happened, RFC 3339.'),
        },
        { description: 'The attributes as given, extensions too; id and time filled in.' },
      ),
      data: keptValue('What is to be known about it.'),
      time_given: Type.Boolean({ description: 'Whether the publisher gave the time; never shown.' }),
    },
    { ...CLOSED, description: 'A caller, or a workflow, published an event.' },
  ),
};

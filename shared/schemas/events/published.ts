import Type from 'typebox';
import { CLOSED, keptValue, text } from './fields.ts';

export const PUBLISHED_EVENTS = {
  event_published: Type.Object(
    {
      event: Type.Object(
        {
          source: text('Where it happened: a URI reference.'),
          type: text('The type of the event.'),
          id: text('The id; unique within the source.'),
          time: text('When it happened, RFC 3339.'),
        },
        { description: 'The CloudEvents attributes, including extensions. A missing id or time is filled in.' },
      ),
      data: keptValue('The data of the event.'),
      time_given: Type.Boolean({ description: 'Whether the publisher set the time; never returned.' }),
    },
    { ...CLOSED, description: 'A caller, or a workflow, published an event.' },
  ),
};

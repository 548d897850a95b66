import { flag, object, open, text } from '../fields.ts';
import { keptValue } from './fields.ts';

export const PUBLISHED_EVENTS = {
  event_published: object('A caller, or a workflow, published an event.', {
    event: open('The CloudEvents attributes, including extensions. A missing id or time is filled in.', {
      source: text('Where it happened: a URI reference.'),
      type: text('The type of the event.'),
      id: text('The id; unique within the source.'),
      time: text('When it happened, RFC 3339.'),
    }),
    data: keptValue('The data of the event.'),
    time_given: flag('Whether the publisher set the time; never returned.'),
  }),
};

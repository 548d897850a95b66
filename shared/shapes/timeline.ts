import Type from 'typebox';

const Entry = Type.Object(
  {
    at: Type.String({ description: 'When: a time or a label.' }),
    title: Type.String({ description: 'What happened, in a few words.' }),
    detail: Type.Optional(Type.String({ description: 'More about it.' })),
  },
  { additionalProperties: false },
);

/** What happened, in the order of time. */
export const TimelineSchema = Type.Object(
  { entries: Type.Array(Entry, { description: 'The entries, the earliest first.' }) },
  { title: 'Timeline', description: 'What happened, in the order of time.', additionalProperties: false },
);

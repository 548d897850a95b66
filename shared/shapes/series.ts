import Type from 'typebox';

const Point = Type.Object(
  {
    at: Type.String({ description: "A period's label or a time." }),
    value: Type.Union([Type.Number(), Type.Null()], { description: 'The value; null is a gap.' }),
    low: Type.Optional(Type.Number({ description: 'Lower end of the interval.' })),
    high: Type.Optional(Type.Number({ description: 'Upper end of the interval.' })),
  },
  { additionalProperties: false },
);

const Line = Type.Object(
  {
    name: Type.String({ description: 'What the line shows.' }),
    points: Type.Array(Point, { description: 'The points, in the order of time.' }),
  },
  { additionalProperties: false },
);

/** Values over time, drawn as lines. */
export const SeriesSchema = Type.Object(
  {
    unit: Type.Optional(Type.String({ description: 'What the values are counted in.' })),
    lines: Type.Array(Line, { description: 'One line for each thing that is followed.' }),
  },
  { title: 'Series', description: 'Values over time, drawn as lines.', additionalProperties: false },
);

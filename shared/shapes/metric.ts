import Type from 'typebox';

/** One value with its name. */
export const MetricSchema = Type.Object(
  {
    label: Type.String({ description: 'What the value is.' }),
    value: Type.Union([Type.Number(), Type.String()], { description: 'The value, a number or a text.' }),
    unit: Type.Optional(Type.String({ description: 'What the value is counted in.' })),
  },
  { title: 'Metric', description: 'One value with its name.', additionalProperties: false },
);

import Type from 'typebox';

const Option = Type.Object(
  {
    id: Type.String({ description: 'What the option is called in data.' }),
    label: Type.String({ description: 'What the option is called on screen.' }),
  },
  { additionalProperties: false },
);

/** Options, and the one that was chosen. */
export const ChoiceSchema = Type.Object(
  {
    options: Type.Array(Option, { description: 'The options, in their order.' }),
    chosen: Type.Optional(Type.String({ description: 'The `id` of the chosen option.' })),
  },
  { title: 'Choice', description: 'Options, and the one that was chosen.', additionalProperties: false },
);

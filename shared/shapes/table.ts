import Type from 'typebox';

const Column = Type.Object(
  {
    key: Type.String({ description: "The member of each row that holds the column's value." }),
    title: Type.String({ description: 'What stands above the column.' }),
  },
  { additionalProperties: false },
);

/** Rows and columns. */
export const TableSchema = Type.Object(
  {
    columns: Type.Array(Column, { description: 'The columns, from left to right.' }),
    rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'One object a row, by column key.' }),
  },
  { title: 'Table', description: 'Rows and columns.', additionalProperties: false },
);

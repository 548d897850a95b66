// The output shapes: named output schemas that the studio can draw.
import Type, { type Static, type TSchema } from 'typebox';
import type { JsonObject } from '../json.ts';

const Point = Type.Object(
  {
    at: Type.String({ description: 'A time, or the label of a period.' }),
    value: Type.Union([Type.Number(), Type.Null()], { description: 'The value; null is a gap.' }),
    low: Type.Optional(Type.Number({ description: 'Lower end of the interval.' })),
    high: Type.Optional(Type.Number({ description: 'Upper end of the interval.' })),
  },
  { additionalProperties: false },
);

const Line = Type.Object(
  {
    name: Type.String({ description: 'The name of the line.' }),
    points: Type.Array(Point, { description: 'The points, in chronological order.' }),
  },
  { additionalProperties: false },
);

/** Values over time, drawn as lines. */
const SeriesSchema = Type.Object(
  {
    unit: Type.Optional(Type.String({ description: 'The unit of the values.' })),
    lines: Type.Array(Line, { description: 'The lines.' }),
  },
  { title: 'Series', description: 'Values over time, drawn as lines.', additionalProperties: false },
);

const Column = Type.Object(
  {
    key: Type.String({ description: "The field of each row that contains the column's value." }),
    title: Type.String({ description: 'The heading of the column.' }),
  },
  { additionalProperties: false },
);

/** Rows and columns. */
const TableSchema = Type.Object(
  {
    columns: Type.Array(Column, { description: 'The columns, from left to right.' }),
    rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'One object per row, with the column keys as fields.',
    }),
  },
  { title: 'Table', description: 'Rows and columns.', additionalProperties: false },
);

/** One value with its name. */
const MetricSchema = Type.Object(
  {
    label: Type.String({ description: 'The name of the value.' }),
    value: Type.Union([Type.Number(), Type.String()], { description: 'The value, a number or a text.' }),
    unit: Type.Optional(Type.String({ description: 'The unit of the value.' })),
  },
  { title: 'Metric', description: 'One value with its name.', additionalProperties: false },
);

/** Text with headings, lists and tables. */
const MarkdownSchema = Type.Object(
  { markdown: Type.String({ description: 'The text, in Markdown.' }) },
  { title: 'Markdown', description: 'Text with headings, lists and tables.', additionalProperties: false },
);

const Option = Type.Object(
  {
    id: Type.String({ description: 'The id of the option.' }),
    label: Type.String({ description: 'The label of the option.' }),
  },
  { additionalProperties: false },
);

/** Options, one of which may be chosen. */
const ChoiceSchema = Type.Object(
  {
    options: Type.Array(Option, { description: 'The options, in their order.' }),
    chosen: Type.Optional(Type.String({ description: 'The `id` of the chosen option.' })),
  },
  { title: 'Choice', description: 'Options, one of which may be chosen.', additionalProperties: false },
);

const Entry = Type.Object(
  {
    at: Type.String({ description: 'A time or a label.' }),
    title: Type.String({ description: 'What happened, in a few words.' }),
    detail: Type.Optional(Type.String({ description: 'Details.' })),
  },
  { additionalProperties: false },
);

/** Events in chronological order. */
const TimelineSchema = Type.Object(
  { entries: Type.Array(Entry, { description: 'The entries, oldest first.' }) },
  { title: 'Timeline', description: 'Events in chronological order.', additionalProperties: false },
);

const SCHEMAS = {
  series: SeriesSchema,
  table: TableSchema,
  metric: MetricSchema,
  markdown: MarkdownSchema,
  choice: ChoiceSchema,
  timeline: TimelineSchema,
} as const satisfies Record<string, TSchema>;

export type ShapeName = keyof typeof SCHEMAS;

/** The value of an output of a shape. */
export type ShapeOutput<Name extends ShapeName> = Static<(typeof SCHEMAS)[Name]>;

/** Each shape's JSON Schema (2020-12). */
export const SHAPES = JSON.parse(JSON.stringify(SCHEMAS)) as Readonly<Record<ShapeName, JsonObject>>;

export function isShapeName(text: string): text is ShapeName {
  return Object.hasOwn(SHAPES, text);
}

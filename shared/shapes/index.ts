// The output shapes: named output schemas that the studio knows how to draw.
import Type, { type Static, type TSchema } from 'typebox';
import type { JsonObject } from '../json.ts';

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
const SeriesSchema = Type.Object(
  {
    unit: Type.Optional(Type.String({ description: 'What the values are counted in.' })),
    lines: Type.Array(Line, { description: 'One line for each thing that is followed.' }),
  },
  { title: 'Series', description: 'Values over time, drawn as lines.', additionalProperties: false },
);

const Column = Type.Object(
  {
    key: Type.String({ description: "The member of each row that holds the column's value." }),
    title: Type.String({ description: 'What stands above the column.' }),
  },
  { additionalProperties: false },
);

/** Rows and columns. */
const TableSchema = Type.Object(
  {
    columns: Type.Array(Column, { description: 'The columns, from left to right.' }),
    rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'One object a row, by column key.' }),
  },
  { title: 'Table', description: 'Rows and columns.', additionalProperties: false },
);

/** One value with its name. */
const MetricSchema = Type.Object(
  {
    label: Type.String({ description: 'What the value is.' }),
    value: Type.Union([Type.Number(), Type.String()], { description: 'The value, a number or a text.' }),
    unit: Type.Optional(Type.String({ description: 'What the value is counted in.' })),
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
    id: Type.String({ description: 'What the option is called in data.' }),
    label: Type.String({ description: 'What the option is called on screen.' }),
  },
  { additionalProperties: false },
);

/** Options, and the one that was chosen. */
const ChoiceSchema = Type.Object(
  {
    options: Type.Array(Option, { description: 'The options, in their order.' }),
    chosen: Type.Optional(Type.String({ description: 'The `id` of the chosen option.' })),
  },
  { title: 'Choice', description: 'Options, and the one that was chosen.', additionalProperties: false },
);

const Entry = Type.Object(
  {
    at: Type.String({ description: 'When: a time or a label.' }),
    title: Type.String({ description: 'What happened, in a few words.' }),
    detail: Type.Optional(Type.String({ description: 'More about it.' })),
  },
  { additionalProperties: false },
);

/** What happened, in the order of time. */
const TimelineSchema = Type.Object(
  { entries: Type.Array(Entry, { description: 'The entries, the earliest first.' }) },
  { title: 'Timeline', description: 'What happened, in the order of time.', additionalProperties: false },
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

/** What an output of a shape holds. */
export type ShapeOutput<Name extends ShapeName> = Static<(typeof SCHEMAS)[Name]>;

/** Each shape's JSON Schema (2020-12). */
export const SHAPES = JSON.parse(JSON.stringify(SCHEMAS)) as Readonly<Record<ShapeName, JsonObject>>;

export function isShapeName(text: string): text is ShapeName {
  return Object.hasOwn(SHAPES, text);
}

// The output shapes: named output schemas that the studio can draw.
import Type, { type Static, type TSchema } from 'typebox';
import { list, object, optional, orNull, text } from '../schemas/fields.ts';
import type { JsonObject } from '../json.ts';

const Point = object({
  at: text('A time, or the label of a period.'),
  value: orNull('The value; null is a gap.', Type.Number()),
  low: optional(Type.Number({ description: 'Lower end of the interval.' })),
  high: optional(Type.Number({ description: 'Upper end of the interval.' })),
});

const Line = object({
  name: text('The name of the line.'),
  points: list('The points, in chronological order.', Point),
});

/** Values over time, drawn as lines. */
const SeriesSchema = Type.Object(
  {
    unit: optional(text('The unit of the values.')),
    lines: list('The lines.', Line),
  },
  { title: 'Series', description: 'Values over time, drawn as lines.', additionalProperties: false },
);

const Column = object({
  key: text("The field of each row that contains the column's value."),
  title: text('The heading of the column.'),
});

/** Rows and columns. */
const TableSchema = Type.Object(
  {
    columns: list('The columns, from left to right.', Column),
    rows: list('One object per row, with the column keys as fields.', Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Table', description: 'Rows and columns.', additionalProperties: false },
);

/** One value with its name. */
const MetricSchema = Type.Object(
  {
    label: text('The name of the value.'),
    value: Type.Union([Type.Number(), Type.String()], { description: 'The value, a number or a text.' }),
    unit: optional(text('The unit of the value.')),
  },
  { title: 'Metric', description: 'One value with its name.', additionalProperties: false },
);

/** Text with headings, lists and tables. */
const MarkdownSchema = Type.Object(
  { markdown: text('The text, in Markdown.') },
  { title: 'Markdown', description: 'Text with headings, lists and tables.', additionalProperties: false },
);

const Option = object({
  id: text('The id of the option.'),
  label: text('The label of the option.'),
});

/** Options, one of which may be chosen. */
const ChoiceSchema = Type.Object(
  {
    options: list('The options, in their order.', Option),
    chosen: optional(text('The `id` of the chosen option.')),
  },
  { title: 'Choice', description: 'Options, one of which may be chosen.', additionalProperties: false },
);

const Entry = object({
  at: text('A time or a label.'),
  title: text('What happened, in a few words.'),
  detail: optional(text('Details.')),
});

/** Events in chronological order. */
const TimelineSchema = Type.Object(
  { entries: list('The entries, oldest first.', Entry) },
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

export function isShapeName(name: string): name is ShapeName {
  return Object.hasOwn(SHAPES, name);
}

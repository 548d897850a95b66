// The output shapes: named output schemas that the studio knows how to draw.
import type { Static, TSchema } from 'typebox';
import type { JsonObject } from '../json.ts';
import { ChoiceSchema } from './choice.ts';
import { MarkdownSchema } from './markdown.ts';
import { MetricSchema } from './metric.ts';
import { SeriesSchema } from './series.ts';
import { TableSchema } from './table.ts';
import { TimelineSchema } from './timeline.ts';

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

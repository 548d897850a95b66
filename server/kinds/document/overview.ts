import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { isShapeName, type ShapeName, SHAPES } from '../../../shared/shapes/index.ts';
import { code, fieldsOf } from '../../lib/schemas/index.ts';
import type { Example } from '../checked.ts';

export interface OverviewFields {
  description?: string | undefined;
  inputSchema?: JsonObject | undefined;
  outputSchema?: JsonObject | undefined;
  shape?: string | undefined;
  examples?: readonly Example[] | undefined;
  expose?: boolean | undefined;
}

/**
 * Markdown: what a definition needs, produces and does.
 * @param does the last of it, as paragraphs
 * @param needs what it takes where it names no schema
 * @param gives what it produces where it names neither a schema nor a shape
 */
export function overviewOf(
  { description, inputSchema, outputSchema, shape, examples = [], expose }: OverviewFields,
  does: readonly string[],
  { needs = 'Any JSON value; {} if omitted.', gives = 'Any JSON value.' } = {},
): string {
  const produces = shape === undefined ? fieldsOf(outputSchema, gives) : `The shape ${code(shape)}.`;
  return [
    ...(description === undefined || description.trim() === '' ? [] : [description.trim()]),
    `**Needs**\n\n${fieldsOf(inputSchema, needs)}`,
    `**Produces**\n\n${produces}`,
    ...does,
    ...(examples.length === 0 ? [] : [`**Examples** ${examples.map(({ name }) => name).join('; ')}`]),
    ...(expose === true ? ['**Exposed** as its own MCP tool.'] : []),
  ].join('\n\n');
}

/** Characters. */
export const MOST_DESCRIPTION = 2000;

/** The shape that `output` names, or what is wrong with it; undefined where it is meant as a schema. */
export function readShape(output: Json | undefined): { shape: ShapeName } | { wrong: string } | undefined {
  if (!isJsonObject(output) || !('shape' in output)) return undefined;
  const { shape, ...rest } = output;
  if (typeof shape === 'string' && isShapeName(shape) && Object.keys(rest).length === 0) return { shape };
  const names = Object.keys(SHAPES);
  const near = typeof shape === 'string' ? nearestName(shape, names) : undefined;
  const instead = near === undefined ? `one of ${names.join(', ')}` : `perhaps \`${near}\``;
  return { wrong: `\`output\` with a shape must be { shape: NAME } and nothing else; ${instead}.` };
}

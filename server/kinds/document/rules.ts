import { isJsonObject, type Json } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { isShapeName, SHAPES, type ShapeName } from '../../../shared/shapes/index.ts';

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
  return { wrong: `\`output\` with a shape is { shape: NAME } alone, with ${instead}.` };
}

import { SHAPES } from '../../shared/shapes/index.ts';
import { fieldsTable } from './fields.ts';
import { page, type ReferencePage } from './markdown.ts';

export function shapesPage(): ReferencePage {
  return page(
    'shapes.md',
    'Output shapes',
    'A definition may name a shape as its output, `output: { shape: table }`. What it gives is then checked against the schema here, and can be drawn.',
    Object.entries(SHAPES).flatMap(([name, schema]) => [
      `## \`${name}\``,
      String(schema['description'] ?? ''),
      ...fieldsTable(schema, () => undefined),
    ]),
  );
}

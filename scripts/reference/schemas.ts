// The objects that operations take and return, one page each: the exports of `shared/schemas`.
import type { TSchema } from 'typebox';
import type { JsonObject } from '../../shared/json.ts';
import * as schemas from '../../shared/schemas/index.ts';
import { SHAPES } from '../../shared/shapes/index.ts';
import { fieldsTable, type LinkTo } from './fields.ts';
import { code, page, type ReferencePage } from './markdown.ts';

interface Named {
  words: string;
  file: string;
  schema: JsonObject;
}

const NAMED: readonly Named[] = Object.entries<TSchema>(schemas)
  .map(([name, schema]) => {
    const words = name.replace(/Schema$/, '').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { words, file: `schemas/${words.toLowerCase().replaceAll(' ', '-')}.md`, schema: plain(schema) };
  })
  .toSorted((a, b) => (a.file < b.file ? -1 : 1));

const BY_TEXT = new Map(NAMED.map((named) => [identityOf(named.schema), named]));

export function plain(schema: unknown): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

/** A field may have its own description of its schema. */
function identityOf(schema: JsonObject): string {
  return JSON.stringify({ ...schema, description: undefined });
}

/** Links from a page one folder deep. */
export const linkToSchema: LinkTo = (schema) => {
  const named = BY_TEXT.get(identityOf(schema));
  return named === undefined ? undefined : `[${named.words}](../${named.file})`;
};

/** @param usedBy the names of the operations that return or take a schema, by a link to its page */
export function schemaPages(usedBy: ReadonlyMap<string, readonly string[]>): ReferencePage[] {
  return NAMED.map(({ words, file, schema }) => {
    const linkToOthers: LinkTo = (other) =>
      identityOf(other) === identityOf(schema) ? undefined : linkToSchema(other);
    const users = usedBy.get(linkToSchema(schema) ?? '') ?? [];
    return page(
      file,
      `Object: ${words}`,
      users.length === 0 ? 'An object of the API.' : `Used in ${users.map(code).join(', ')}.`,
      fieldsTable(schema, linkToOthers),
    );
  });
}

export function shapesPage(): ReferencePage {
  return page(
    'shapes.md',
    'Output shapes',
    'A definition can use a shape as its output: `output: { shape: table }`. Its output is then checked against the schema below, and can be drawn.',
    Object.entries(SHAPES).flatMap(([name, schema]) => [
      `## \`${name}\``,
      String(schema['description'] ?? ''),
      ...fieldsTable(schema, () => undefined),
    ]),
  );
}

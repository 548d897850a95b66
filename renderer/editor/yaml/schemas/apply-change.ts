import { tokensOf } from '../../../../shared/json-pointer.ts';
import type { SchemaChange } from '../../../../shared/workflow-tasks.ts';

export type SchemaNode = Record<string, unknown>;
export const nodeAt = (of: unknown, ...path: readonly (string | number)[]): SchemaNode =>
  path.reduce<unknown>((one, key) => (one as SchemaNode)[key], of) as SchemaNode;

/** Changes the schema as a type of task describes it. */
export function applyChange(schema: SchemaNode, { alternatives, remove = [] }: SchemaChange): void {
  const { at, without = [], add = [] } = alternatives;
  const choice = nodeAt(schema, ...tokensOf(at));
  const kept = (choice['oneOf'] as SchemaNode[]).filter(({ title }) => !without.includes(String(title)));
  choice['oneOf'] = [...kept, ...add];
  for (const pointer of remove) {
    const path = tokensOf(pointer);
    delete nodeAt(schema, ...path.slice(0, -1))[path.at(-1) ?? ''];
  }
}

// The fields of a step that the form knows, by what its task has. All others are edited in the source.
import { WORKFLOW_TASKS } from '../../../../shared/api/descriptions.generated.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { escapeToken } from '../../../../shared/json-pointer.ts';
import type { TaskField } from '../../../../shared/workflow-tasks.ts';
import { valueAt } from '../../../graph/step-position.ts';

export interface StepField extends TaskField {
  /** The current value; undefined if the task does not have the field. */
  value: Json | undefined;
}

const EXPRESSION = '.amount > 100';

const COMMON: readonly TaskField[] = [
  { label: 'If', pointer: '/if', kind: 'text', placeholder: EXPRESSION },
  { label: 'Then', pointer: '/then', kind: 'target' },
  { label: 'Input from', pointer: '/input/from', kind: 'text', placeholder: '.order' },
  { label: 'Output as', pointer: '/output/as', kind: 'text', placeholder: '.result' },
  { label: 'Export as', pointer: '/export/as', kind: 'text', placeholder: '$context + { result: . }' },
];

/** The fields of a task, with their values. */
export function fieldsOf(task: Json | undefined): StepField[] {
  if (!isJsonObject(task)) return [];
  const type = Object.keys(WORKFLOW_TASKS).find((keyword) => Object.hasOwn(task, keyword)) ?? '';
  const own = WORKFLOW_TASKS[type]?.fields ?? [];
  return [...own, ...casesOf(task), ...COMMON].map((described) => {
    const value = valueAt(task, described.pointer);
    // An object where most documents have an expression.
    const isOther = described.kind === 'text' && value !== undefined && typeof value !== 'string';
    return { ...described, value, ...(isOther ? { kind: 'json' as const, label: `${described.label} (JSON)` } : {}) };
  });
}

/** The condition and the target of each case of a switch. */
function casesOf({ switch: cases }: JsonObject): TaskField[] {
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((item, index) =>
    Object.keys(item ?? {}).flatMap((name): TaskField[] => {
      const at = `/switch/${index}/${escapeToken(name)}`;
      return [
        { label: `${name}: when`, pointer: `${at}/when`, kind: 'text', placeholder: EXPRESSION },
        { label: `${name}: then`, pointer: `${at}/then`, kind: 'target', isRequired: true },
      ];
    }),
  );
}

// The fields of a step that the form knows, by what its task has. All others are edited in the source.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { escapeToken } from '../../../../shared/json-pointer.ts';
import { valueAt } from '../../../graph/step-place.ts';

/**
 * How a field is edited: `text` on one line; `json` as text; `called` and `target` by a choice of definitions or of steps.
 */
export type FieldKind = 'text' | 'json' | 'called' | 'target';

export interface StepField {
  label: string;
  /** JSON Pointer in the task. */
  pointer: string;
  kind: FieldKind;
  /** The current value; undefined if the task does not have the field. */
  value: Json | undefined;
  /** The task is not valid without it. */
  isRequired?: boolean;
  placeholder?: string;
}

type Described = Omit<StepField, 'value'>;

const EXPRESSION = '.amount > 100';

/** By the keyword of the task. Keywords whose value is a list of steps have none: the steps are edited in the graph. */
const OWN: Readonly<Record<string, readonly Described[]>> = {
  call: [
    { label: 'Calls', pointer: '/call', kind: 'called', isRequired: true },
    { label: 'With (JSON)', pointer: '/with', kind: 'json' },
  ],
  set: [{ label: 'Set (JSON)', pointer: '/set', kind: 'json', isRequired: true }],
  wait: [{ label: 'Wait', pointer: '/wait', kind: 'text', isRequired: true, placeholder: 'PT5S' }],
  emit: [{ label: 'Event (JSON)', pointer: '/emit/event/with', kind: 'json', isRequired: true }],
  listen: [{ label: 'Listen to (JSON)', pointer: '/listen/to', kind: 'json', isRequired: true }],
  raise: [{ label: 'Error (JSON)', pointer: '/raise/error', kind: 'json', isRequired: true }],
  run: [{ label: 'Input (JSON)', pointer: '/run/workflow/input', kind: 'json' }],
  for: [
    { label: 'For each', pointer: '/for/each', kind: 'text', placeholder: 'item' },
    { label: 'In', pointer: '/for/in', kind: 'text', isRequired: true, placeholder: '.items' },
    { label: 'While', pointer: '/while', kind: 'text', placeholder: EXPRESSION },
  ],
};

const COMMON: readonly Described[] = [
  { label: 'If', pointer: '/if', kind: 'text', placeholder: EXPRESSION },
  { label: 'Then', pointer: '/then', kind: 'target' },
  { label: 'Input from', pointer: '/input/from', kind: 'text', placeholder: '.order' },
  { label: 'Output as', pointer: '/output/as', kind: 'text', placeholder: '.result' },
  { label: 'Export as', pointer: '/export/as', kind: 'text', placeholder: '$context + { result: . }' },
];

/** The fields of a task, with their values. */
export function fieldsOf(task: Json | undefined): StepField[] {
  if (!isJsonObject(task)) return [];
  const own = Object.entries(OWN).find(([keyword]) => Object.hasOwn(task, keyword))?.[1] ?? [];
  return [...own, ...casesOf(task), ...COMMON].map((described) => {
    const value = valueAt(task, described.pointer);
    // An object where most documents have an expression.
    const isOther = described.kind === 'text' && value !== undefined && typeof value !== 'string';
    return { ...described, value, ...(isOther ? { kind: 'json' as const, label: `${described.label} (JSON)` } : {}) };
  });
}

/** The condition and the target of each case of a switch. */
function casesOf({ switch: cases }: JsonObject): Described[] {
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((item, index) =>
    Object.keys(item ?? {}).flatMap((name): Described[] => {
      const at = `/switch/${index}/${escapeToken(name)}`;
      return [
        { label: `${name}: when`, pointer: `${at}/when`, kind: 'text', placeholder: EXPRESSION },
        { label: `${name}: then`, pointer: `${at}/then`, kind: 'target', isRequired: true },
      ];
    }),
  );
}
